package io.actiongovernance.localstack.bench.bare;

import io.actiongovernance.functions.aws.KeySecrets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The clients that our functions build at their start, and the secret that they read; and the kinds
 * of requests that ours make of them. Thread-safe.
 */
record BareClients(
    DynamoDbClient dynamo, SqsClient sqs, EventBridgeClient events, SfnClient stepFunctions) {

  /** The variable that says which requests an answer takes: their names, with commas. */
  static final String CALLS = "BARE_CALLS";

  private static final String DOCUMENT = "x".repeat(1_500);

  static BareClients create() {
    try (SecretsManagerClient secrets =
        SecretsManagerClient.builder().httpClient(UrlConnectionHttpClient.create()).build()) {
      String named = System.getenv(KeySecrets.SECRETS);
      if (named != null) { // half of all functions have no key
        for (String secret : named.split(",")) {
          secrets.getSecretValue(get -> get.secretId(secret.split("=", 2)[1]));
        }
      }
    }
    SdkHttpClient http = UrlConnectionHttpClient.create();
    return new BareClients(
        DynamoDbClient.builder().httpClient(http).build(),
        SqsClient.builder().httpClient(http).build(),
        EventBridgeClient.builder().httpClient(http).build(),
        SfnClient.builder().httpClient(http).build());
  }

  /**
   * Makes the requests that {@link #CALLS} names, in turn, with items as large as ours.
   *
   * @param key of an item that is not there
   * @return whether it was found all the same
   */
  boolean call(String key) {
    String id = UUID.randomUUID().toString();
    boolean found = false;
    for (String call : System.getenv(CALLS).split(",")) {
      switch (call) {
        case "get" -> found |= get(key);
        case "batch" -> batch(id);
        case "update" -> count();
        case "query" -> query(id);
        case "send" -> send(id);
        case "claim" -> claim(id);
        case "dispose" -> dispose(id);
        default -> throw new IllegalArgumentException(call);
      }
    }
    return found;
  }

  private boolean get(String key) {
    return dynamo.getItem(get -> get.tableName(table("state")).key(key("bare", key))).hasItem();
  }

  private void batch(String id) {
    List<Map<String, AttributeValue>> keys =
        IntStream.range(0, 4).mapToObj(at -> key(id, "batch#" + at)).toList();
    dynamo.batchGetItem(
        get ->
            get.requestItems(
                Map.of(table("state"), KeysAndAttributes.builder().keys(keys).build())));
  }

  private void count() {
    dynamo.updateItem(
        update ->
            update
                .tableName(table("limits"))
                .key(key("bare", "count"))
                .updateExpression("ADD #c :one")
                .expressionAttributeNames(Map.of("#c", "count"))
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
  }

  private void query(String id) {
    dynamo.query(
        query ->
            query
                .tableName(table("limits"))
                .keyConditionExpression("pk = :pk")
                .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(id))));
  }

  private void send(String id) {
    String url = sqs.getQueueUrl(get -> get.queueName(table("failed-facts"))).queueUrl();
    sqs.sendMessage(send -> send.queueUrl(url).messageBody("{\"id\":\"" + id + "\"}"));
  }

  /** An effect is claimed where its action is. */
  private void claim(String id) {
    dynamo.transactWriteItems(
        all ->
            all.transactItems(
                put("limits", item(id, "effect")),
                TransactWriteItem.builder()
                    .conditionCheck(
                        check ->
                            check
                                .tableName(table("limits"))
                                .key(key(id, "action"))
                                .conditionExpression("attribute_not_exists(pk)"))
                    .build()));
  }

  /** A receipt with all its indexes, and what goes with it. */
  private void dispose(String id) {
    Map<String, AttributeValue> receipt = item(id, "receipt");
    Stream.of("outcome", "request", "plan", "action", "event", "operator", "correlation", "entity")
        .forEach(index -> receipt.put("by_" + index, AttributeValue.fromS(id + index)));
    dynamo.transactWriteItems(
        all ->
            all.transactItems(
                put("receipts", receipt),
                put("limits", item(id, "action")),
                put("limits", item(id, "effect")),
                put("limits", item(id, "used")),
                TransactWriteItem.builder()
                    .delete(delete -> delete.tableName(table("limits")).key(key(id, "lock")))
                    .build()));
  }

  private static TransactWriteItem put(String table, Map<String, AttributeValue> item) {
    return TransactWriteItem.builder().put(put -> put.tableName(table(table)).item(item)).build();
  }

  private static Map<String, AttributeValue> item(String id, String range) {
    Map<String, AttributeValue> item = new HashMap<>(key(id, range));
    item.put("doc", AttributeValue.fromS(DOCUMENT));
    return item;
  }

  private static Map<String, AttributeValue> key(String id, String range) {
    return Map.of("pk", AttributeValue.fromS(id), "sk", AttributeValue.fromS(range));
  }

  private static String table(String name) {
    return System.getenv("GOVERNANCE_PREFIX") + "-" + name;
  }
}
