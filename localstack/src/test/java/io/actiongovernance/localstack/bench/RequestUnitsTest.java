package io.actiongovernance.localstack.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What AWS's documents say that requests take. */
final class RequestUnitsTest {
  private static final String STATE = "test-state";
  private static final String EVENTS = "test-events";
  private static final Object DONE = new Object();

  /** What is stored, by table and key. */
  private final Map<List<Object>, Map<String, AttributeValue>> stored = new HashMap<>();

  private RequestUnits counting(SdkRequest request) {
    return new RequestUnits(
        asked -> {
          Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
          asked.forEach(
              (table, keys) ->
                  found.put(
                      table,
                      keys.keys().stream()
                          .map(key -> stored.getOrDefault(List.of(table, key), Map.of()))
                          .filter(item -> !item.isEmpty())
                          .toList()));
          return found;
        },
        "test",
        request);
  }

  /** What a write takes that leaves this. */
  private List<KeyUnits> taken(SdkRequest write, Map<String, AttributeValue> leaves) {
    RequestUnits units = counting(write);
    store(STATE, leaves);
    return units.answered(DONE);
  }

  private void store(String table, Map<String, AttributeValue> item) {
    stored.put(List.of(table, key(item)), item);
  }

  private static Map<String, AttributeValue> key(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> key = new HashMap<>(item);
    key.keySet().retainAll(List.of("pk", "sk"));
    return key;
  }

  /** An item with these names and texts beside its key. */
  private static Map<String, AttributeValue> item(String partition, String... attributes) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("pk", AttributeValue.fromS(partition));
    item.put("sk", AttributeValue.fromS("1"));
    for (int at = 0; at < attributes.length; at += 2) {
      item.put(attributes[at], AttributeValue.fromS(attributes[at + 1]));
    }
    return item;
  }

  private static String kilobytes(int number) {
    return "x".repeat(1_024 * number);
  }

  private static KeyUnits written(String place, String key, double units) {
    return new KeyUnits(place, key, 0, units, false);
  }

  private static KeyUnits read(String place, String key, double units) {
    return new KeyUnits(place, key, units, 0, false);
  }

  private static UpdateItemRequest update(Map<String, AttributeValue> item) {
    return UpdateItemRequest.builder().tableName(STATE).key(key(item)).build();
  }

  private static TransactWriteItemsRequest transaction(TransactWriteItem... items) {
    return TransactWriteItemsRequest.builder().transactItems(items).build();
  }

  private static TransactGetItem get(Map<String, AttributeValue> key) {
    return TransactGetItem.builder().get(it -> it.tableName(STATE).key(key)).build();
  }

  @Test
  void aWriteTakesAUnitForEachStartedKilobyteOfTheItem() {
    Map<String, AttributeValue> item = item("p", "doc", kilobytes(2));
    assertThat(taken(PutItemRequest.builder().tableName(STATE).item(item).build(), item))
        .containsExactly(written("state", "p", 3));
  }

  @Test
  void aWriteTakesTheUnitsOfTheEarlierItemIfLarger() {
    store(STATE, item("p", "doc", kilobytes(4)));
    Map<String, AttributeValue> small = item("p", "doc", "");
    assertThat(taken(update(small), small)).containsExactly(written("state", "p", 5));
    store(STATE, item("p", "doc", kilobytes(1)));
    DeleteItemRequest delete = DeleteItemRequest.builder().tableName(STATE).key(key(small)).build();
    assertThat(counting(delete).answered(DONE)).containsExactly(written("state", "p", 2));
  }

  @Test
  void inATransactionItemsTakeTwiceAsMuchAndChecksAreWrites() {
    Map<String, AttributeValue> put =
        item("put", "doc", kilobytes(1), "by_list", "l", "ordered", "1");
    store(STATE, item("checked", "doc", kilobytes(2)));
    TransactWriteItemsRequest transaction =
        transaction(
            TransactWriteItem.builder().put(it -> it.tableName(STATE).item(put)).build(),
            TransactWriteItem.builder()
                .conditionCheck(it -> it.tableName(STATE).key(key(item("checked"))))
                .build(),
            TransactWriteItem.builder()
                .delete(it -> it.tableName(STATE).key(key(item("missing"))))
                .build());
    assertThat(taken(transaction, put))
        .containsExactly(
            written("state", "put", 4),
            written("state/by_list", "l", 1),
            written("state", "checked", 6),
            written("state", "missing", 2));
  }

  @Test
  void aMovedIndexEntryTakesADeletionAndAnInsertion() {
    store(STATE, item("p", "by_status", "proposed", "ordered", "1"));
    Map<String, AttributeValue> after = item("p", "by_status", "executed", "ordered", "1");
    assertThat(taken(update(after), after))
        .containsExactly(
            written("state", "p", 1),
            written("state/by_status", "proposed", 1),
            written("state/by_status", "executed", 1));
    Map<String, AttributeValue> later = item("p", "by_status", "executed", "ordered", "2");
    assertThat(taken(update(later), later))
        .containsExactly(
            written("state", "p", 1),
            written("state/by_status", "executed", 1),
            written("state/by_status", "executed", 1));
  }

  @Test
  void anIndexOfKeysTakesNoUnitsForOtherChanges() {
    store(STATE, item("p", "by_status", "proposed", "ordered", "1"));
    Map<String, AttributeValue> after =
        item("p", "by_status", "proposed", "ordered", "1", "doc", kilobytes(1));
    assertThat(taken(update(after), after)).containsExactly(written("state", "p", 2));
  }

  @Test
  void anItemWithoutTheSortKeyOfAnIndexIsNotInIt() {
    Map<String, AttributeValue> item = item("p", "by_status", "proposed");
    assertThat(taken(update(item), item)).containsExactly(written("state", "p", 1));
  }

  @Test
  void anIndexOfWholeItemsTakesTheUnitsOfTheItem() {
    Map<String, AttributeValue> item = item("p", "by_type", "t", "doc", kilobytes(2));
    PutItemRequest put = PutItemRequest.builder().tableName(EVENTS).item(item).build();
    assertThat(counting(put).answered(DONE))
        .containsExactly(written("events", "p", 3), written("events/by_type", "t", 3));
    store(EVENTS, item("p", "by_type", "t", "doc", ""));
    assertThat(counting(put).answered(DONE))
        .containsExactly(written("events", "p", 3), written("events/by_type", "t", 3));
  }

  @Test
  void aRefusedWriteTakesTheUnitsOfTheItemItMet() {
    store(STATE, item("p", "doc", kilobytes(1)));
    Map<String, AttributeValue> larger =
        item("p", "doc", kilobytes(3), "by_list", "l", "ordered", "1");
    PutItemRequest put = PutItemRequest.builder().tableName(STATE).item(larger).build();
    assertThat(counting(put).refused()).containsExactly(written("state", "p", 2).inVain());
    TransactWriteItemsRequest transaction =
        transaction(
            TransactWriteItem.builder().put(it -> it.tableName(STATE).item(larger)).build());
    assertThat(counting(transaction).refused()).containsExactly(written("state", "p", 8).inVain());
  }

  @Test
  void aReadTakesAUnitForEachStartedFourKilobytes() {
    GetItemRequest.Builder get = GetItemRequest.builder().tableName(STATE).key(key(item("p")));
    GetItemResponse response =
        GetItemResponse.builder().item(item("p", "doc", kilobytes(4))).build();
    assertThat(counting(get.consistentRead(true).build()).answered(response))
        .containsExactly(read("state", "p", 2));
    assertThat(counting(get.consistentRead(false).build()).answered(response))
        .containsExactly(read("state", "p", 1));
    assertThat(
            counting(get.consistentRead(true).build()).answered(GetItemResponse.builder().build()))
        .containsExactly(read("state", "p", 1));
  }

  @Test
  void aBatchTakesTheSumOfItsItems() {
    BatchGetItemRequest batch =
        BatchGetItemRequest.builder()
            .requestItems(
                Map.of(
                    STATE,
                    KeysAndAttributes.builder()
                        .consistentRead(true)
                        .keys(List.of(key(item("large")), key(item("missing"))))
                        .build()))
            .build();
    BatchGetItemResponse response =
        BatchGetItemResponse.builder()
            .responses(Map.of(STATE, List.of(item("large", "doc", kilobytes(9)))))
            .build();
    assertThat(counting(batch).answered(response))
        .containsExactlyInAnyOrder(read("state", "large", 3), read("state", "missing", 1));
  }

  @Test
  void aSnapshotTakesTwiceAsMuch() {
    TransactGetItemsRequest gets =
        TransactGetItemsRequest.builder()
            .transactItems(get(key(item("there"))), get(key(item("missing"))))
            .build();
    TransactGetItemsResponse response =
        TransactGetItemsResponse.builder()
            .responses(
                ItemResponse.builder().item(item("there", "doc", kilobytes(4))).build(),
                ItemResponse.builder().build())
            .build();
    assertThat(counting(gets).answered(response))
        .containsExactly(read("state", "there", 4), read("state", "missing", 2));
  }

  @Test
  void aQueryTakesTheUnitsOfAllItemsItReads() {
    QueryRequest.Builder query =
        QueryRequest.builder()
            .tableName(STATE)
            .keyConditionExpression("#n0 = :v0 AND #n1 >= :v1")
            .expressionAttributeNames(Map.of("#n0", "pk", "#n1", "sk"))
            .expressionAttributeValues(
                Map.of(":v0", AttributeValue.fromS("p"), ":v1", AttributeValue.fromS("1")))
            .consistentRead(true);
    QueryResponse two =
        QueryResponse.builder()
            .items(List.of(item("p", "doc", kilobytes(3)), item("p", "doc", kilobytes(3))))
            .build();
    assertThat(counting(query.build()).answered(two)).containsExactly(read("state", "p", 2));
    QueryRequest ofIndex =
        query
            .indexName("by_status")
            .expressionAttributeNames(Map.of("#n0", "by_status", "#n1", "ordered"))
            .consistentRead(false)
            .build();
    assertThat(counting(ofIndex).answered(QueryResponse.builder().build()))
        .containsExactly(read("state/by_status", "p", 0.5));
  }
}
