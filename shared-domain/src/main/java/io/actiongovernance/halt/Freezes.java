package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the frozen time of a partition's plans for one request. It reads the halts in force
 * once, and lifted halts only as far back as a plan needs. Not thread-safe.
 *
 * <p>Frozen time is computed, never written into an open plan, so that the cost of a halt does not
 * depend on the number of open plans. It only grows: a plan that was found open stays open until
 * its computed expiry, whatever is halted or lifted in the meantime.
 */
public final class Freezes {
  /** Maximum difference between the clocks of two functions. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private final HaltRegister register;
  private final Partition partition;
  private final HaltRegister.State state;
  private final Instant now;
  private List<HaltRegister.Ended> ended = List.of();
  private @Nullable Instant endedSince;

  Freezes(HaltRegister register, Partition partition, HaltRegister.State state, Instant now) {
    this.register = register;
    this.partition = partition;
    this.state = state;
    this.now = now;
  }

  private record Interval(Instant from, @Nullable Instant until) {}

  /**
   * Returns the effect of halts on the time of a plan.
   *
   * @param proposedAt when its clock started
   * @param expiresAt when it would expire without any halt
   * @param connectors the connectors of all its actions
   */
  public Freeze of(
      Instant proposedAt, Instant expiresAt, OperatorId operator, Set<ConnectorId> connectors) {
    if (!state.readable()) {
      return new Freeze(Duration.ZERO, true);
    }
    Stream<Interval> lifted =
        endedSince(proposedAt).stream()
            .filter(halt -> halt.target().covers(operator, connectors))
            .map(halt -> new Interval(halt.from(), halt.until()));
    Stream<Interval> inForce =
        state.inForce().stream()
            .filter(halt -> halt.target().covers(operator, connectors))
            .map(halt -> new Interval(halt.from(), null));
    List<Interval> intervals = new ArrayList<>(Stream.concat(lifted, inForce).toList());
    intervals.sort(Comparator.comparing(Interval::from));
    return walk(intervals, proposedAt, expiresAt);
  }

  /** Follows the plan's clock through the halts, in the order in which they began. */
  private Freeze walk(List<Interval> intervals, Instant proposedAt, Instant expiresAt) {
    Duration frozen = Duration.ZERO;
    // All halts are accounted for up to this time, so that overlaps count once.
    Instant seen = proposedAt;
    for (Interval interval : intervals) {
      Instant from = later(interval.from(), seen);
      if (!from.isBefore(expiresAt.plus(frozen))) {
        // The plan expired before the halt began, so later halts cannot matter either.
        break;
      }
      Instant until = interval.until();
      if (until == null) {
        return from.isAfter(now)
            ? new Freeze(frozen, false)
            : new Freeze(frozen.plus(Duration.between(from, now)), true);
      }
      if (until.isAfter(from)) {
        frozen = frozen.plus(Duration.between(from, until));
        seen = until;
      }
    }
    return new Freeze(frozen, false);
  }

  private List<HaltRegister.Ended> endedSince(Instant proposedAt) {
    Instant lastLift = state.lastLift();
    if (lastLift == null || lastLift.plus(SKEW).isBefore(proposedAt)) {
      return List.of();
    }
    if (endedSince == null || proposedAt.isBefore(endedSince)) {
      ended = register.endedSince(partition, proposedAt);
      endedSince = proposedAt;
    }
    return Objects.requireNonNull(ended);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
