package io.actiongovernance.operator;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.Due;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The runs of active operators that have a schedule (contract, section 4). */
public final class Schedules {
  private Schedules() {}

  /**
   * A run that is due.
   *
   * @param at the time it is due for: of several that were missed, the latest
   * @param next has its schedule wait for its next time, if nothing else has done so or changed the
   *     operator
   */
  public record Run(Partition partition, OperatorId operator, Instant at, Write next) {}

  /** The run of an operator's row that is among {@link Due#SCHEDULES}, and is due. */
  public static Optional<Run> run(Item row, Instant now) {
    return OperatorItems.schedule(row).map(schedule -> run(row, schedule, now));
  }

  private static Run run(Item row, Schedule schedule, Instant now) {
    Partition partition = Partition.parse(row.text("partition"));
    OperatorId operator = new OperatorId(row.text("id"));
    Instant at = schedule.latest(Due.at(row), now);
    List<Change> changes = new ArrayList<>();
    // It counts as a change of the row, so that one that is under way does not undo it.
    changes.add(Change.add(OperatorItems.ROW, 1));
    schedule
        .next(at)
        .ifPresentOrElse(
            next -> changes.add(Due.move(partition, operator.value(), next)),
            () -> changes.addAll(Due.leave()));
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
