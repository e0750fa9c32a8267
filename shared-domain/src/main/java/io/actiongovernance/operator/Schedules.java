package io.actiongovernance.operator;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The schedules of active operators, in the order in which they come due (contract, section 4).
 * Thread-safe.
 */
public final class Schedules {
  /** Over how many index partitions they are spread. */
  public static final int SHARDS = 4;

  private static final int MOST_AT_ONCE = 100;

  private final Store store;

  public Schedules(Store store) {
    this.store = store;
  }

  /**
   * A run that is due.
   *
   * @param at the time it is due for: of several that were missed, the latest
   * @param next has its schedule wait for its next time, if nothing else has done so or changed the
   *     operator
   */
  public record Run(Partition partition, OperatorId operator, Instant at, Write next) {}

  /** Some of the runs that are due in a shard, those that have waited longest first. */
  public List<Run> due(int shard, Instant now) {
    Query due =
        Query.of(Table.STATE, OperatorItems.DUE_SHARD, shard(shard))
            .below(Timestamps.format(now.plusMillis(1)))
            .limit(MOST_AT_ONCE);
    Slice slice = store.query(due);
    List<Run> runs = new ArrayList<>();
    for (Item row : slice.items()) {
      OperatorItems.schedule(row).ifPresent(schedule -> runs.add(run(row, schedule, now)));
    }
    return runs;
  }

  private static Run run(Item row, Schedule schedule, Instant now) {
    Partition partition = Partition.parse(row.text("partition"));
    OperatorId operator = new OperatorId(row.text("id"));
    Instant at = schedule.latest(Timestamps.read(row.text(OperatorItems.DUE)), now);
    long number = row.whole(OperatorItems.ROW, 0);
    List<Change> changes = new ArrayList<>();
    // It counts as a change of the row, so that one that is under way does not undo it.
    changes.add(Change.add(OperatorItems.ROW, 1));
    schedule
        .next(at)
        .ifPresentOrElse(
            next -> changes.add(Change.set(OperatorItems.DUE, Timestamps.format(next))),
            () -> {
              changes.add(Change.remove(OperatorItems.DUE_SHARD));
              changes.add(Change.remove(OperatorItems.DUE));
            });
    return new Run(
        partition,
        operator,
        at,
        Write.update(
            OperatorItems.key(partition, operator), equal(OperatorItems.ROW, number), changes));
  }

  static String shard(OperatorId operator) {
    return shard(Math.floorMod(operator.value().hashCode(), SHARDS));
  }

  private static String shard(int shard) {
    return "schedule#" + shard;
  }
}
