package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Reads of an index that holds keys alone, while items leave their places in it. */
final class RangeReadTest {
  private static final String BY_LIST = "by_list";

  private final String partition = "range-read#" + UUID.randomUUID();
  private final Store store = EmbeddedDynamo.store();

  private void given(String... names) {
    for (String name : names) {
      store.write(Write.put(listed(name, name), Condition.always()));
    }
  }

  private Item listed(String name, String ordered) {
    return Item.at(new Key(Table.STATE, partition, name))
        .with(BY_LIST, partition)
        .with("ordered", ordered)
        .with("doc", "whole")
        .build();
  }

  private Slice read(Query query, UnaryOperator<List<Item>> meanwhile) {
    return new RangeRead(query, EmbeddedDynamo.NAMES)
        .run(
            EmbeddedDynamo.client()::query,
            entries -> meanwhile.apply(store.getAll(entries.stream().map(Item::key).toList())));
  }

  private static List<String> names(Slice slice) {
    return slice.items().stream().map(item -> item.key().range()).toList();
  }

  @Test
  void itemsAreWholeAlthoughTheIndexHoldsOnlyKeys() {
    given("a", "b", "c");
    Slice slice = read(Query.of(Table.STATE, BY_LIST, partition).limit(2), items -> items);
    assertThat(slice.items())
        .extracting(item -> item.text("doc"))
        .containsExactly("whole", "whole");
    assertThat(names(slice)).containsExactly("a", "b");
    assertThat(slice.more()).isTrue();
  }

  @Test
  void aMovedItemIsLeftOut() {
    given("a", "b", "c");
    Slice slice =
        read(
            Query.of(Table.STATE, BY_LIST, partition),
            items -> List.of(listed("a", "z"), items.get(1), items.get(2)));
    assertThat(names(slice)).containsExactly("b", "c");
    assertThat(slice.more()).isFalse();
  }

  @Test
  void aReadContinuesPastItemsThatAreAllGone() {
    given("a", "b", "c", "d");
    Query query = Query.of(Table.STATE, BY_LIST, partition).limit(2);
    Slice slice =
        read(
            query,
            items ->
                items.stream().filter(item -> item.key().range().compareTo("c") >= 0).toList());
    assertThat(names(slice)).containsExactly("c", "d");
    assertThat(slice.more()).isFalse();
    assertThat(read(query, _ -> List.of()).items()).isEmpty();
  }
}
