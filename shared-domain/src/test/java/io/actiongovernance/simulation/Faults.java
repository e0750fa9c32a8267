package io.actiongovernance.simulation;

import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.StoreUnavailable;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Which calls of the ports, counted over a whole run, go wrong, and how. */
final class Faults {
  /** What goes wrong at a call. */
  enum Fault {
    /** The process dies before the call takes effect. */
    DIE_BEFORE,
    /** The process dies after the call took effect. */
    DIE_AFTER,
    /** The call fails without effect. */
    FAIL_BEFORE,
    /** The call takes effect, and its reply is lost. */
    LOSE_REPLY,
    /** A transaction meets another; a message is lost; a query of an index is stale. */
    ODD,
    /** A read of several items sees some of them long before the others. */
    TORN,
    /** The partition that is asked for is throttled: for a while nobody is served there. */
    THROTTLE,
    /** The source system acts, and answers with a status 500. */
    ACT_AND_FAIL,
    /** The process stands still for a while before the call. */
    STALL,
    /** The message that is being handled is handled once more, at the same time. */
    TWICE_AT_ONCE
  }

  private final Map<Integer, Fault> planned;
  private int calls;

  private Faults(Map<Integer, Fault> planned) {
    this.planned = planned;
  }

  static Faults none() {
    return new Faults(new HashMap<>());
  }

  static Faults single(int call, Fault fault) {
    return new Faults(new HashMap<>(Map.of(call, fault)));
  }

  /** So many faults among the first calls. */
  static Faults of(SplittableRandom random, int count, int among) {
    Map<Integer, Fault> planned = new HashMap<>();
    int last = random.nextInt(among);
    for (int at = 0; at < count; at++) {
      // Half of them soon after the one before: what is meant to mend a fault is hit as well.
      last = random.nextBoolean() ? random.nextInt(among) : last + 1 + random.nextInt(8);
      planned.put(last, Fault.values()[random.nextInt(Fault.values().length)]);
    }
    return new Faults(planned);
  }

  /** What goes wrong at this call. */
  @Nullable Fault next() {
    return planned.get(calls++);
  }

  /** Whether a query may yet be asked to answer with what was. */
  boolean mayBeStale() {
    return planned.entrySet().stream()
        .anyMatch(fault -> fault.getKey() >= calls && fault.getValue() == Fault.ODD);
  }

  /**
   * Whether a process dies or stands still in this run, so that nobody knows what it had begun; or
   * a partition serves nobody for so long that an intent cannot be taken back.
   */
  boolean interrupts() {
    return planned.values().stream().anyMatch(fault -> INTERRUPTING.contains(fault));
  }

  private static final Set<Fault> INTERRUPTING =
      EnumSet.of(Fault.DIE_BEFORE, Fault.DIE_AFTER, Fault.STALL, Fault.THROTTLE);

  int calls() {
    return calls;
  }

  @Override
  public String toString() {
    return planned.toString();
  }

  /** A message could not be sent. */
  static final class SendFailed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Whether this is what a caller sees of a fault. */
  static boolean injected(Throwable thrown) {
    return thrown instanceof StoreUnavailable
        || thrown instanceof SendFailed
        || (thrown instanceof Problem e && e.refusal() instanceof Refusal.Busy);
  }
}
