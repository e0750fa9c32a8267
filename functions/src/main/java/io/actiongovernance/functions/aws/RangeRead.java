package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.TableNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * A {@link Query} as DynamoDB requests. DynamoDB has no range that includes its lower bound and
 * excludes its upper one. A range with both bounds is therefore read as {@code BETWEEN}, and items
 * at the upper bound are dropped. One item beyond the limit is read, to know whether more exist.
 *
 * <p>If an index holds only keys, the items are then read from the table. An item that has left its
 * place in the index since then is omitted: another read finds it at its new place.
 */
record RangeRead(Query query, TableNames names) {
  /**
   * @param pages makes one request
   * @param wholeItems reads the items with these keys
   */
  Slice run(Function<QueryRequest, QueryResponse> pages, UnaryOperator<List<Item>> wholeItems) {
    if (isEmptyRange()) {
      return new Slice(List.of(), false);
    }
    Map<String, AttributeValue> start = Map.of();
    while (true) {
      Slice entries = entries(pages, start);
      if (holdsWholeItems() || entries.items().isEmpty()) {
        return entries;
      }
      Map<Key, String> places =
          entries.items().stream().collect(Collectors.toMap(Item::key, this::rangeOf));
      List<Item> items =
          wholeItems.apply(entries.items()).stream()
              .filter(item -> isStillAt(places.get(item.key()), item))
              .toList();
      if (!items.isEmpty() || !entries.more()) {
        return new Slice(items, entries.more());
      }
      start = place(entries.items().getLast());
    }
  }

  /** Counts the entries of a range without an upper bound, up to the query's limit. */
  int count(Function<QueryRequest, QueryResponse> pages) {
    QueryRequest request = request().toBuilder().select(Select.COUNT).build();
    int count = 0;
    Map<String, AttributeValue> last = Map.of();
    do {
      QueryResponse page =
          pages.apply(request.toBuilder().exclusiveStartKey(last.isEmpty() ? null : last).build());
      count += page.count();
      last = page.lastEvaluatedKey();
    } while (count < query.limit() && !last.isEmpty());
    return Math.min(count, query.limit());
  }

  private boolean holdsWholeItems() {
    return query.index() == null || query.index().whole();
  }

  private boolean isStillAt(@Nullable String range, Item item) {
    Index index = Objects.requireNonNull(query.index());
    return query.partition().equals(item.textOrNull(index.hash())) && rangeOf(item).equals(range);
  }

  /** The position at which DynamoDB continues: the entry's keys in the table and in the index. */
  private Map<String, AttributeValue> place(Item entry) {
    Index index = Objects.requireNonNull(query.index());
    Map<String, AttributeValue> place = new HashMap<>(Attributes.key(entry.key()));
    place.put(index.hash(), AttributeValue.fromS(query.partition()));
    place.put(index.range(), AttributeValue.fromS(rangeOf(entry)));
    return place;
  }

  /** The entries as the table or the index stores them. */
  private Slice entries(
      Function<QueryRequest, QueryResponse> pages, Map<String, AttributeValue> start) {
    QueryRequest request = request();
    List<Item> items = new ArrayList<>();
    Map<String, AttributeValue> last = start;
    // A second request follows only if every item on the first page was at the upper bound.
    do {
      QueryResponse page =
          pages.apply(request.toBuilder().exclusiveStartKey(last.isEmpty() ? null : last).build());
      page.items().stream()
          .map(stored -> Attributes.item(query.table(), stored))
          .filter(item -> !isUpperEdge(item))
          .forEach(items::add);
      last = page.lastEvaluatedKey();
    } while (items.isEmpty() && !last.isEmpty());
    boolean more = items.size() > query.limit();
    return more
        ? new Slice(items.subList(0, query.limit()), true)
        : new Slice(items, !last.isEmpty());
  }

  private QueryRequest request() {
    Expressions expressions = new Expressions();
    String range = query.index() == null ? Tables.RANGE : query.index().range();
    String hash = query.index() == null ? Tables.PARTITION : query.index().hash();
    String condition =
        expressions.name(hash)
            + " = "
            + expressions.value(query.partition())
            + bounds(expressions, range);
    return QueryRequest.builder()
        .tableName(names.of(query.table()))
        .indexName(query.index() == null ? null : query.index().hash())
        .keyConditionExpression(condition)
        .expressionAttributeNames(expressions.names())
        .expressionAttributeValues(expressions.values())
        .scanIndexForward(!query.descending())
        // DynamoDB has no consistent reads of a global index.
        .consistentRead(query.index() == null)
        .limit(query.limit() + 2)
        .build();
  }

  private String bounds(Expressions expressions, String range) {
    String from = least();
    String below = query.below();
    if (from != null && below != null) {
      return " AND %s BETWEEN %s AND %s"
          .formatted(expressions.name(range), expressions.value(from), expressions.value(below));
    }
    if (from != null) {
      return " AND " + expressions.name(range) + " >= " + expressions.value(from);
    }
    return below == null
        ? ""
        : " AND " + expressions.name(range) + " < " + expressions.value(below);
  }

  /** The lower bound. An empty text means none, because DynamoDB rejects it as a key. */
  private @Nullable String least() {
    String from = query.from();
    return from == null || from.isEmpty() ? null : from;
  }

  private boolean isEmptyRange() {
    String from = query.from();
    String below = query.below();
    return below != null && (below.isEmpty() || (from != null && from.compareTo(below) >= 0));
  }

  private boolean isUpperEdge(Item item) {
    return query.below() != null && rangeOf(item).equals(query.below());
  }

  private String rangeOf(Item item) {
    Index index = query.index();
    return index == null || index.range().equals(Tables.RANGE)
        ? item.key().range()
        : item.text(index.range());
  }
}
