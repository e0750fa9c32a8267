package io.actiongovernance.store;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.contains;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.has;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.not;
import static io.actiongovernance.store.Condition.or;
import static io.actiongovernance.store.Condition.present;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.actiongovernance.store.Store.Refusal;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.Store.Written;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every {@link Store} keeps. Each test works in a partition of its own, so a shared store will
 * do.
 */
public abstract class StoreContract {
  private final String partition = "contract#" + UUID.randomUUID();
  private final Key key = at("a");

  protected abstract Store store();

  private Key at(String range) {
    return new Key(Table.STATE, partition, range);
  }

  private Item.Builder item(String range) {
    return Item.at(at(range));
  }

  private void given(Item item) {
    assertThat(store().write(Write.put(item, always())).done()).isTrue();
  }

  private void givenSample() {
    given(item("a").with("status", "open").with("count", 7).with("tags", Set.of("x", "y")).build());
  }

  private Item stored() {
    return store().get(key).orElseThrow();
  }

  @Test
  void aStoredItemIsReadBack() {
    Item item =
        item("a")
            .with("text", "größer 𝄞 \u0000")
            .with("empty", "")
            .with("number", new BigDecimal("12345678901234567890123456789012345.678"))
            .with("negative", -3)
            .with("set", Set.of("x", "y"))
            .build();
    given(item);
    assertThat(store().get(key)).contains(item);
  }

  @Test
  void attributesMayHaveAnyName() {
    Item item = item("a").with("status", "s").with("value", "v").with("a.b-c", "dotted").build();
    given(item);
    assertThat(stored().text("a.b-c")).isEqualTo("dotted");
    assertThat(
            store()
                .write(Write.update(key, equal("a.b-c", "dotted"), Change.set("size", 1)))
                .done())
        .isTrue();
  }

  @Test
  void aMissingItemReadsAsEmpty() {
    assertThat(store().get(key)).isEmpty();
    assertThat(store().query(Query.of(Table.STATE, partition)))
        .isEqualTo(new Slice(List.of(), false));
  }

  @Test
  void getAllKeepsTheOrderOfItsKeysAndOmitsMissingItems() {
    List<Key> keys = new ArrayList<>();
    for (int number = 0; number < 130; number++) {
      Key each = at("k%03d".formatted(number));
      keys.add(each);
      if (number % 2 == 0) {
        given(Item.at(each).with("n", number).build());
      }
    }
    List<Key> backwards = keys.reversed();
    assertThat(store().getAll(backwards))
        .extracting(Item::key)
        .isEqualTo(
            backwards.stream()
                .filter(each -> Integer.parseInt(each.range().substring(1)) % 2 == 0)
                .toList());
  }

  @Test
  void getAllReadsAcrossTables() {
    Key bucket = new Key(Table.LIMITS, partition, "b");
    givenSample();
    given(Item.at(bucket).with("n", 1).build());
    assertThat(store().getAll(List.of(bucket, key)))
        .extracting(Item::key)
        .containsExactly(bucket, key);
    assertThat(store().getAll(List.of())).isEmpty();
  }

  @Test
  void getAllAnswersARepeatedKeyEachTime() {
    givenSample();
    assertThat(store().getAll(List.of(key, key))).hasSize(2);
  }

  /** Conditions on an item with status "open", count 7 and tags x, y: whether each holds. */
  enum Case {
    ALWAYS(always(), true, true),
    ABSENT(absent(), false, true),
    PRESENT(present(), true, false),
    HAS(has("status"), true, false),
    HAS_MISSING(has("other"), false, false),
    LACKS(lacks("status"), false, true),
    LACKS_MISSING(lacks("other"), true, true),
    EQUAL_TEXT(equal("status", "open"), true, false),
    EQUAL_OTHER_TEXT(equal("status", "Open"), false, false),
    EQUAL_NUMBER(equal("count", 7), true, false),
    EQUAL_NUMBER_OF_OTHER_SCALE(new Condition.Equal("count", new BigDecimal("7.00")), true, false),
    EQUAL_OTHER_NUMBER(equal("count", 8), false, false),
    EQUAL_OF_OTHER_TYPE(equal("count", "7"), false, false),
    EQUAL_MISSING(equal("other", 7), false, false),
    LESS(less("count", 8), true, false),
    LESS_SAME(less("count", 7), false, false),
    LESS_MISSING(less("other", 7), false, false),
    LESS_OF_A_TEXT(less("status", 7), false, false),
    AT_MOST_SAME(atMost("count", 7), true, false),
    AT_MOST_LESS(atMost("count", 6), false, false),
    AT_MOST_EXACT(atMost("count", new BigDecimal("7.0000000001")), true, false),
    GREATER(greater("count", 6), true, false),
    GREATER_SAME(greater("count", 7), false, false),
    GREATER_MISSING(greater("other", 0), false, false),
    CONTAINS(contains("tags", "x"), true, false),
    CONTAINS_NOT(contains("tags", "z"), false, false),
    CONTAINS_IN_A_TEXT(contains("status", "op"), false, false),
    CONTAINS_MISSING(contains("other", "x"), false, false),
    AND(and(has("status"), less("count", 8)), true, false),
    AND_ONE_FAILS(and(has("status"), less("count", 7)), false, false),
    AND_OF_NONE(and(), true, true),
    AND_WITH_ALWAYS(and(always(), equal("count", 7)), true, false),
    OR(or(less("count", 7), has("status")), true, false),
    OR_NONE_HOLDS(or(less("count", 7), has("other")), false, false),
    OR_OF_NONE(or(), false, false),
    OR_WITH_ALWAYS(or(has("other"), always()), true, true),
    AND_OF_ONE(and(or(lacks("other"), absent())), true, true),
    AND_OF_ONE_OF_ONE(and(and(or(equal("count", 7)))), true, false),
    OR_OF_ONE(or(and(has("status"), has("count"))), true, false),
    NOT_OF_ONE(not(and(or(has("other"), has("status")))), false, true),
    NOT_OF_NOT(not(not(has("status"))), true, false),
    OR_OF_CONTAINS(or(contains("tags", "x")), true, false),
    NOT_CONTAINS(not(contains("tags", "x")), false, true),
    NOT(not(equal("status", "open")), false, true),
    NOT_OF_MISSING(not(equal("other", "open")), true, true),
    NOT_LESS_OF_MISSING(not(less("other", 3)), true, true),
    NOT_ALWAYS(not(always()), false, false),
    NESTED(
        or(absent(), and(not(has("other")), or(equal("count", 1), atMost("count", 7)))),
        true,
        true);

    private final Condition condition;
    private final boolean onSample;
    private final boolean onNothing;

    Case(Condition condition, boolean onSample, boolean onNothing) {
      this.condition = condition;
      this.onSample = onSample;
      this.onNothing = onNothing;
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void aConditionAdmitsAWriteOfAnItemOrRefusesIt(Case each) {
    givenSample();
    Item before = stored();
    Written written = store().write(Write.update(key, each.condition, Change.set("written", 1)));
    if (each.onSample) {
      assertThat(written).isEqualTo(new Written.Done(Optional.of(stored())));
      assertThat(stored().whole("written", 0)).isEqualTo(1);
    } else {
      assertThat(written).isEqualTo(new Written.Refused(Optional.of(before)));
      assertThat(stored()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void aConditionAdmitsAWriteOfAnAbsentItemOrRefusesIt(Case each) {
    Written written = store().write(Write.put(item("a").with("n", 1).build(), each.condition));
    assertThat(written.done()).isEqualTo(each.onNothing);
    assertThat(store().get(key).isPresent()).isEqualTo(each.onNothing);
    if (!each.onNothing) {
      assertThat(written).isEqualTo(new Written.Refused(Optional.empty()));
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void aConditionWorksTheSameInATransaction(Case each) {
    givenSample();
    Transacted transacted =
        store()
            .transact(
                List.of(
                    Write.insert(item("b").with("n", 1).build()),
                    Write.check(key, each.condition)));
    assertThat(transacted.done()).isEqualTo(each.onSample);
    assertThat(store().get(at("b")).isPresent()).isEqualTo(each.onSample);
  }

  @Test
  void insertOverAnItemIsRefusedAndReturnsIt() {
    givenSample();
    assertThat(store().write(Write.insert(item("a").with("n", 1).build())))
        .isEqualTo(new Written.Refused(Optional.of(stored())));
  }

  @Test
  void putReplacesTheWholeItem() {
    givenSample();
    Item next = item("a").with("n", 1).build();
    assertThat(store().write(Write.put(next, present())))
        .isEqualTo(new Written.Done(Optional.of(next)));
    assertThat(stored()).isEqualTo(next);
  }

  @Test
  void updateMakesAMissingItem() {
    Written written = store().write(Write.update(key, always(), Change.set("n", 1)));
    assertThat(written).isEqualTo(new Written.Done(Optional.of(item("a").with("n", 1).build())));
  }

  @Test
  void updateWithoutChangesMakesAnEmptyItem() {
    assertThat(store().write(Write.update(key, absent())).done()).isTrue();
    assertThat(store().get(key)).contains(item("a").build());
  }

  @Test
  void oneUpdateAppliesEveryKindOfChange() {
    givenSample();
    given(stored());
    store()
        .write(
            Write.update(
                key,
                present(),
                Change.set("status", "closed"),
                Change.set("other", Set.of("p")),
                Change.add("count", -2),
                Change.include("tags", Set.of("z", "x")),
                Change.set("amount", new BigDecimal("0.125"))));
    assertThat(stored())
        .isEqualTo(
            item("a")
                .with("status", "closed")
                .with("other", Set.of("p"))
                .with("count", 5)
                .with("tags", Set.of("x", "y", "z"))
                .with("amount", new BigDecimal("0.125"))
                .build());
  }

  @Test
  void removeDeletesAnAttributeAndIgnoresAMissingOne() {
    givenSample();
    store().write(Write.update(key, always(), Change.remove("status"), Change.remove("other")));
    assertThat(stored().attributes()).containsOnlyKeys("count", "tags");
  }

  @Test
  void addCountsAMissingNumberAsZeroAndIsExact() {
    store().write(Write.update(key, always(), Change.add("sum", new BigDecimal("0.1"))));
    store().write(Write.update(key, always(), Change.add("sum", new BigDecimal("0.2"))));
    assertThat(stored().number("sum")).isEqualByComparingTo("0.3");
  }

  @Test
  void includeMakesAMissingSet() {
    store().write(Write.update(key, always(), Change.include("tags", Set.of("x"))));
    assertThat(stored().texts("tags")).containsExactly("x");
  }

  @Test
  void excludeRemovesElementsAndTheEmptiedSet() {
    givenSample();
    store().write(Write.update(key, always(), Change.exclude("tags", Set.of("x", "absent"))));
    assertThat(stored().texts("tags")).containsExactly("y");
    store().write(Write.update(key, always(), Change.exclude("tags", Set.of("y"))));
    assertThat(stored().has("tags")).isFalse();
    store().write(Write.update(key, always(), Change.exclude("tags", Set.of("y"))));
    assertThat(stored().has("tags")).isFalse();
  }

  @Test
  void deleteRemovesAnItemAndSucceedsForAMissingOne() {
    givenSample();
    assertThat(store().write(Write.delete(key, equal("count", 1))).done()).isFalse();
    assertThat(store().write(Write.delete(key, equal("count", 7))))
        .isEqualTo(new Written.Done(Optional.empty()));
    assertThat(store().get(key)).isEmpty();
    assertThat(store().write(Write.delete(key, always())).done()).isTrue();
  }

  @Test
  void aCheckAloneWritesNothing() {
    givenSample();
    assertThat(store().write(Write.check(key, equal("count", 7))))
        .isEqualTo(new Written.Done(Optional.of(stored())));
    assertThat(store().write(Write.check(key, absent())))
        .isEqualTo(new Written.Refused(Optional.of(stored())));
    assertThat(store().write(Write.check(at("none"), always())).done()).isTrue();
    assertThat(store().get(at("none"))).isEmpty();
  }

  @Test
  void aTransactionWritesAll() {
    givenSample();
    given(item("gone").with("n", 1).build());
    Transacted transacted =
        store()
            .transact(
                List.of(
                    Write.update(key, present(), Change.add("count", 1), Change.remove("status")),
                    Write.insert(item("new").with("n", 2).build()),
                    Write.delete(at("gone"), present()),
                    Write.check(at("never"), absent())));
    assertThat(transacted).isEqualTo(new Transacted.Done());
    assertThat(stored().whole("count", 0)).isEqualTo(8);
    assertThat(stored().has("status")).isFalse();
    assertThat(store().get(at("new"))).isPresent();
    assertThat(store().get(at("gone"))).isEmpty();
  }

  @Test
  void aRefusedTransactionWritesNothingAndReturnsEachRefusal() {
    givenSample();
    Item before = stored();
    Transacted transacted =
        store()
            .transact(
                List.of(
                    Write.insert(item("new").with("n", 2).build()),
                    Write.update(key, equal("count", 1), Change.add("count", 1)),
                    Write.check(at("never"), present())));
    assertThat(transacted)
        .isEqualTo(
            new Transacted.Refused(
                List.of(new Refusal(1, Optional.of(before)), new Refusal(2, Optional.empty()))));
    assertThat(store().get(at("new"))).isEmpty();
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aTransactionTakesUpToAHundredWritesOnDistinctItems() {
    List<Write> writes =
        IntStream.range(0, 101)
            .mapToObj(n -> Write.insert(item("n" + n).with("n", n).build()))
            .toList();
    assertThatIllegalArgumentException().isThrownBy(() -> store().transact(writes));
    assertThatIllegalArgumentException().isThrownBy(() -> store().transact(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                store().transact(List.of(Write.check(key, absent()), Write.delete(key, always()))));
    assertThat(store().transact(writes.subList(0, 100)).done()).isTrue();
  }

  /** Ranges b, d, f, h of one partition; bounds between and on them; "-" for none. */
  @ParameterizedTest
  @CsvSource({
    "-, -, b d f h", "a, -, b d f h", "b, -, b d f h", "c, -, d f h", "h, -, h", "i, -, ''",
    "-, z, b d f h", "-, h, b d f", "-, c, b", "-, b, ''", "b, h, b d f", "a, z, b d f h",
    "b, d, b", "c, d, ''", "c, e, d", "d, d, ''", "f, d, ''"
  })
  void boundsAreInclusiveBelowAndExclusiveAbove(String from, String below, String expected) {
    for (String range : List.of("h", "b", "f", "d")) {
      given(item(range).with("by_list", partition).with("ordered", range).build());
    }
    List<String> ranges = expected.isEmpty() ? List.of() : List.of(expected.split(" "));
    for (Query base :
        List.of(Query.of(Table.STATE, partition), Query.of(Table.STATE, "by_list", partition))) {
      Query query =
          base.from(from.equals("-") ? null : from).below(below.equals("-") ? null : below);
      assertThat(ranges(query)).isEqualTo(ranges);
      assertThat(ranges(query.newestFirst())).isEqualTo(ranges.reversed());
      for (int limit = 1; limit <= ranges.size(); limit++) {
        Slice slice = store().query(query.limit(limit));
        assertThat(slice.items())
            .extracting(each -> each.key().range())
            .isEqualTo(ranges.subList(0, limit));
        assertThat(slice.more()).isEqualTo(limit < ranges.size());
        Slice newest = store().query(query.newestFirst().limit(limit));
        assertThat(newest.items())
            .extracting(each -> each.key().range())
            .isEqualTo(ranges.reversed().subList(0, limit));
        assertThat(newest.more()).isEqualTo(limit < ranges.size());
      }
    }
  }

  private List<String> ranges(Query query) {
    return store().query(query).items().stream().map(each -> each.key().range()).toList();
  }

  @Test
  void emptyBoundsBoundNothingBelowAndEverythingAbove() {
    givenSample();
    assertThat(ranges(Query.of(Table.STATE, partition).from(""))).containsExactly("a");
    assertThat(ranges(Query.of(Table.STATE, partition).below(""))).isEmpty();
  }

  @Test
  void anIndexHoldsOnlyItemsWithItsAttributesAndFollowsChanges() {
    given(item("1").with("by_status", partition).with("ordered", "1").build());
    given(item("2").with("by_status", partition).with("ordered", "2").build());
    given(item("3").with("ordered", "3").build());
    given(item("4").with("by_status", partition).build());
    given(item("5").with("by_status", partition + "other").with("ordered", "5").build());
    Query open = Query.of(Table.STATE, "by_status", partition);
    assertThat(ranges(open)).containsExactly("1", "2");
    store().write(Write.update(at("1"), always(), Change.remove("by_status")));
    store().write(Write.update(at("3"), always(), Change.set("by_status", partition)));
    assertThat(ranges(open)).containsExactly("2", "3");
    store().write(Write.delete(at("2"), always()));
    assertThat(ranges(open)).containsExactly("3");
  }

  @Test
  void anIndexIsOrderedByItsOwnRangeAndReturnsWholeItems() {
    given(item("1").with("due_shard", partition).with("due", "2026-03").with("n", 1).build());
    given(item("2").with("due_shard", partition).with("due", "2026-01").build());
    given(item("3").with("due_shard", partition).with("due", "2026-02").build());
    Query due = Query.of(Table.STATE, "due_shard", partition);
    assertThat(ranges(due)).containsExactly("2", "3", "1");
    assertThat(ranges(due.below("2026-03"))).containsExactly("2", "3");
    assertThat(ranges(due.from("2026-02").below("2026-03"))).containsExactly("3");
    assertThat(store().query(due.newestFirst().limit(1)).items())
        .containsExactly(store().get(at("1")).orElseThrow());
  }

  @Test
  void anIndexRangeMayBeSharedByManyItems() {
    for (int number = 0; number < 10; number++) {
      given(item("n" + number).with("due_shard", partition).with("due", "b").build());
    }
    given(item("early").with("due_shard", partition).with("due", "a").build());
    Query due = Query.of(Table.STATE, "due_shard", partition);
    assertThat(store().query(due.from("a").below("b").newestFirst().limit(3)))
        .isEqualTo(new Slice(List.of(store().get(at("early")).orElseThrow()), false));
    assertThat(ranges(due.from("b"))).hasSize(10);
  }

  @Test
  void anIndexMayBeOrderedByTheKeyOfTheTable() {
    for (String range : List.of("2", "1", "3")) {
      given(
          Item.at(new Key(Table.EVENTS, partition, range))
              .with("by_type", partition + "t")
              .build());
    }
    given(Item.at(new Key(Table.EVENTS, partition, "4")).with("n", 1).build());
    Query byType = Query.of(Table.EVENTS, "by_type", partition + "t");
    assertThat(ranges(byType)).containsExactly("1", "2", "3");
    assertThat(ranges(byType.from("2").newestFirst())).containsExactly("3", "2");
  }

  @Test
  void indexEntriesAreCountedUpToALimit() {
    for (String range : List.of("1", "2", "3")) {
      given(
          Item.at(new Key(Table.STATE, partition, range))
              .with("by_parent", partition + "p")
              .with("ordered", range)
              .build());
    }
    Query byParent = Query.of(Table.STATE, "by_parent", partition + "p");
    assertThat(store().count(byParent.limit(5))).isEqualTo(3);
    assertThat(store().count(byParent.limit(3))).isEqualTo(3);
    assertThat(store().count(byParent.limit(2))).isEqualTo(2);
    assertThat(store().count(Query.of(Table.STATE, "by_parent", partition + "q"))).isZero();
  }

  @Test
  void aSliceMayBeCutShortByItsSizeAndThenSaysThereIsMore() {
    String large = "x".repeat(300_000);
    for (int number = 0; number < 6; number++) {
      given(item("n" + number).with("text", large).build());
    }
    List<String> seen = new ArrayList<>();
    Slice slice = store().query(Query.of(Table.STATE, partition));
    while (true) {
      slice.items().forEach(each -> seen.add(each.key().range()));
      if (!slice.more()) {
        break;
      }
      assertThat(slice.items()).isNotEmpty();
      slice = store().query(Query.of(Table.STATE, partition).from(seen.getLast() + "\u0001"));
    }
    assertThat(seen).containsExactly("n0", "n1", "n2", "n3", "n4", "n5");
  }

  @Test
  void tablesAreSeparate() {
    givenSample();
    assertThat(store().get(new Key(Table.LIMITS, partition, "a"))).isEmpty();
  }
}
