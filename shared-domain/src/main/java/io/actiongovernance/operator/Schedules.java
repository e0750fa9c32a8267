package io.actiongovernance.operator;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

public final class Schedules {
  /** Attribute of an operator's row: since when its schedule no longer runs it. */
  public static final String STOPPED = "schedule_stopped";

  private Schedules() {}

  /**
   * A run that is due.
   *
   * @param at the time it is due for; the latest of several that were missed
   * @param next moves the schedule to its next time, or stops it if there is none, unless another
   *     write has done so or changed the operator
   */
  public record Run(Partition partition, OperatorId operator, Instant at, Write next) {}

  /** Returns the due run of an operator's row from {@link DueIndex#SCHEDULES}. */
  public static Run run(Item row, Instant now) {
    Partition partition = Partition.parse(row.text("partition"));
    OperatorId operator = new OperatorId(row.text("id"));
    Schedule schedule = OperatorItems.schedule(row);
    Instant at = schedule.latest(DueIndex.at(row), now);
    List<Change> changes = new ArrayList<>();
    // Counts as a change of the row, so that a concurrent change does not undo it.
    changes.add(Change.add(OperatorItems.ROW, 1));
    schedule
        .next(at)
        .ifPresentOrElse(
            next -> changes.add(DueIndex.move(partition, operator.value(), next)),
            () -> {
              changes.addAll(DueIndex.leave());
              changes.add(Change.set(STOPPED, Timestamps.format(now)));
            });
    return new Run(
        partition,
        operator,
        at,
        Write.update(
            OperatorItems.key(partition, operator),
            equal(OperatorItems.ROW, row.whole(OperatorItems.ROW, 0)),
            changes));
  }
}
