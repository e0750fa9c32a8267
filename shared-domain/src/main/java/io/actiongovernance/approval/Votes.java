package io.actiongovernance.approval;

import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.Comparator;
import java.util.List;

/**
 * Votes on plans: a row for each person and plan. A transaction that writes a vote also counts it
 * on the plan's row, so that two voters cannot decide without seeing each other's vote.
 * Thread-safe.
 */
public final class Votes {
  /** Maximum number of people who vote on one plan. */
  public static final int MOST = 100;

  private static final String PART = "vote#";

  private final Store store;

  public Votes(Store store) {
    this.store = store;
  }

  /** Returns the votes on a plan, oldest first, read consistently. */
  public List<Vote> of(Plan plan) {
    return store.query(Query.of(Table.STATE, partition(plan)).limit(MOST)).items().stream()
        .map(item -> Json.read(item.text("doc"), Vote.class))
        .sorted(Comparator.comparing(Vote::at).thenComparing(vote -> vote.person().value()))
        .toList();
  }

  /** Stores a vote, replacing an earlier one of the same person. */
  static Write put(Plan plan, Vote vote) {
    return Write.put(
        Item.at(key(plan, vote.person()))
            .with("kind", "vote")
            .with("doc", Json.write(vote))
            .build(),
        Condition.always());
  }

  static Write delete(Plan plan, PersonId person) {
    return Write.delete(key(plan, person), Condition.present());
  }

  private static Key key(Plan plan, PersonId person) {
    return new Key(Table.STATE, partition(plan), person.value());
  }

  private static String partition(Plan plan) {
    return plan.partition().key(PART + plan.id());
  }
}
