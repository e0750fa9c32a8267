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
 * The votes on plans: a row for each person of a plan. Whoever writes one counts it on the plan's
 * own row in the same transaction, so that no two decide by what the other did not see.
 * Thread-safe.
 */
public final class Votes {
  /** The most people who vote on one plan. */
  public static final int MOST = 100;

  private static final String PART = "vote#";

  private final Store store;

  public Votes(Store store) {
    this.store = store;
  }

  /** The votes on a plan, oldest first, read consistently. */
  public List<Vote> of(Plan plan) {
    return store.query(Query.of(Table.STATE, partition(plan)).limit(MOST)).items().stream()
        .map(item -> Json.read(item.text("doc"), Vote.class))
        .sorted(Comparator.comparing(Vote::at).thenComparing(vote -> vote.person().value()))
        .toList();
  }

  /** Gives a vote, or puts it in the place of an earlier one. */
  static Write put(Plan plan, Vote vote) {
    return Write.put(
        Item.at(key(plan, vote.person()))
            .with("kind", "vote")
            .with("doc", Json.write(vote))
            .build(),
        Condition.always());
  }

  /** Takes a vote back. */
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
