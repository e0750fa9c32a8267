package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRows;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has all that goes with a plan stay in its table for as long as it is open. What is final before
 * its plan says from then on when it may leave: the exchange with a model, entities, votes and the
 * approval, actions that are disposed, and what an undo would take back. A halt may keep a plan
 * open for longer than that, and only once it has ended all of it is archived. Thread-safe.
 */
final class LongOpen {
  /** Few plans are open for as long as that, unless they are halted. */
  private static final Duration LONG = Duration.ofDays(60);

  private final Store store;
  private final PlannedActions planned;
  private final Votes votes;

  LongOpen(Store store, PlannedActions planned) {
    this.store = store;
    this.planned = planned;
    this.votes = new Votes(store);
  }

  /** Keeps what goes with the plan, if it is open and would lose it otherwise. */
  void keep(Plan plan, Instant now) {
    if (plan.disposedAt() == null && plan.terms().proposedAt().plus(LONG).isBefore(now)) {
      rows(plan).filter(row -> leaves(row, now)).forEach(row -> keep(row, now));
    }
  }

  private Stream<Item> rows(Plan plan) {
    Partition partition = plan.partition();
    List<Action> actions = planned.allOf(plan);
    List<Key> keys =
        new ArrayList<>(
            PlanRows.beside(
                plan, actions.stream().map(one -> one.terms().entityKey().value()).toList()));
    for (Action action : actions) {
      keys.add(Actions.key(partition, action.id()));
      Action.Undoing undoing = action.terms().undoing();
      if (undoing != null) {
        keys.add(Actions.key(partition, undoing.original()));
      }
    }
    Plan.Approval approval = plan.approval();
    if (approval != null) {
      keys.add(ApprovalRecord.key(partition, approval.id()));
    }
    return Stream.concat(
        store.getAll(keys.stream().distinct().toList()).stream(), votes.rows(plan).stream());
  }

  private static boolean leaves(Item row, Instant now) {
    return row.has(Retention.ARCHIVE_EXPIRES)
        && row.whole(Retention.ARCHIVE_EXPIRES, 0) < now.plus(LONG).getEpochSecond();
  }

  /** Refused, it was changed meanwhile, and has another time. */
  private void keep(Item row, Instant now) {
    store.write(
        Write.update(
            row.key(),
            Condition.equal(Retention.ARCHIVE_EXPIRES, row.whole(Retention.ARCHIVE_EXPIRES, 0)),
            Change.set(Retention.ARCHIVE_EXPIRES, Retention.after(now))));
  }
}
