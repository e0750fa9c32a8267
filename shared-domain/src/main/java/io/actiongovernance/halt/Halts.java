package io.actiongovernance.halt;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.api.Page;
import io.actiongovernance.api.PageRequest;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.Outcome;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The kill switch: halting, lifting, and the list of halts (contract, section 4). A target has one
 * halt, so that no number of halts stands in the way of the next. Thread-safe.
 *
 * <p>A request to halt is answered only when its halt has begun, {@link HaltRegister#SETTLES} after
 * it was written: whoever read the register before that has made its call by then, so nothing in
 * scope starts after the answer. Frozen time counts from the same instant; so no plan that any
 * reader has seen expire comes back.
 */
public final class Halts {
  /** How often a halt is tried for a target whose other halts are being lifted meanwhile. */
  private static final int ATTEMPTS = 5;

  private final StoredHalts stored;
  private final HaltTargets targets;
  private final Consumer<Partition> goOn;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /**
   * @param goOn sets going what waits in a partition for execution
   */
  public Halts(
      StoredHalts stored,
      HaltTargets targets,
      Consumer<Partition> goOn,
      Ids ids,
      InstantSource clock,
      Sleeper sleeper) {
    this.stored = stored;
    this.targets = targets;
    this.goOn = goOn;
    this.ids = ids;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** What became of a request to halt or lift. */
  public sealed interface Result {
    record Done(Halt halt) implements Result {}

    /** The target was halted already, by this halt. */
    record HaltedBefore(Halt halt) implements Result {}

    /** There is no such target, or no such halt, that the caller may see. */
    record NotFound() implements Result {}

    /** A key pinned to a workspace or bound to operators cannot halt the tenant, nor lift. */
    record BeyondCaller() implements Result {}

    /** The halt was lifted before, by another request. */
    record LiftedBefore(Halt halt) implements Result {}

    /** As many targets as may be are halted; never said of the tenant's. */
    record TooMany(int most) implements Result {}
  }

  /**
   * Halts, and returns once the halt has begun; what is halted already, once that halt has.
   *
   * @param id the same for the same request sent again, which then finds its own halt
   */
  public Result halt(Caller caller, HaltId id, Target target, String reason) {
    if (target.scope() == HaltScope.TENANT && !reachesAll(caller)) {
      return new Result.BeyondCaller();
    }
    if (!targets.exists(caller, target)) {
      return new Result.NotFound();
    }
    Result result = begin(caller, id, target, reason);
    switch (result) {
      case Result.Done(Halt halt) -> awaitBeginning(halt);
      case Result.HaltedBefore(Halt halt) -> awaitBeginning(halt);
      default -> {}
    }
    return result;
  }

  private Result begin(Caller caller, HaltId id, Target target, String reason) {
    Partition partition = caller.partition();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<Halt> made = stored.find(partition, id);
      if (made.isPresent()) {
        return new Result.Done(made.get());
      }
      HaltRegister.State state = stored.inForce(partition);
      Optional<Halt> before = state.of(target).flatMap(halt -> stored.find(partition, halt.id()));
      if (before.isPresent()) {
        return new Result.HaltedBefore(before.get());
      }
      if (target.scope() != HaltScope.TENANT && state.full()) {
        return new Result.TooMany(HaltRegister.MOST_IN_FORCE);
      }
      Instant now = clock.instant();
      Halt halt =
          new Halt(
              id,
              partition,
              target,
              caller.workspaceId(),
              reason,
              caller.keyName(),
              caller.principal(),
              now.plus(HaltRegister.SETTLES).truncatedTo(ChronoUnit.MILLIS),
              null);
      // Refused means that a request sent at once was first: this one, or another for the target.
      stored.insert(halt, receipt(caller, halt, Outcome.HALTED, reason, now));
    }
    return stored
        .find(partition, id)
        .<Result>map(Result.Done::new)
        .orElseThrow(() -> new IllegalStateException("Halts of the target come and go."));
  }

  private void awaitBeginning(Halt halt) {
    Duration left = Duration.between(clock.instant(), halt.haltedAt());
    if (left.isPositive()) {
      sleeper.sleep(left);
    }
  }

  /** Whether the caller may stop everything, and let anything go on. */
  private static boolean reachesAll(Caller caller) {
    return caller.workspaceId() == null && caller.operatorIds().isEmpty();
  }

  /**
   * Lifts a halt, and sets going what waited for that.
   *
   * @param key the same for the same request sent again, which then finds its own lift
   */
  public Result lift(Caller caller, HaltId id, String key, String reason) {
    if (!reachesAll(caller)) {
      return new Result.BeyondCaller();
    }
    Optional<Halt> found = stored.find(caller.partition(), id);
    if (found.isEmpty()) {
      return new Result.NotFound();
    }
    Halt halt = found.get();
    if (halt.lift() == null) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      Instant liftedAt = now.isBefore(halt.haltedAt()) ? halt.haltedAt() : now;
      // Refused means that another request was first; what is stored now tells.
      stored.lift(
          halt,
          new Halt.Lift(key, caller.keyName(), caller.principal(), liftedAt),
          receipt(caller, halt, Outcome.LIFTED, reason, now));
      halt = stored.find(caller.partition(), id).orElseThrow();
    }
    if (!Objects.requireNonNull(halt.lift()).key().equals(key)) {
      return new Result.LiftedBefore(halt);
    }
    goOn.accept(halt.partition());
    return new Result.Done(halt);
  }

  /** A halt, whoever may see it. */
  public Optional<Halt> find(Partition partition, HaltId id) {
    return stored.find(partition, id);
  }

  /**
   * The halts the caller may see, newest first.
   *
   * @param active only those in force, or only those lifted; null for both
   */
  public Page<Halt> list(Caller caller, @Nullable Boolean active, PageRequest page) {
    return stored.list(
        caller.partition(),
        active,
        page,
        halt -> caller.sees(halt.workspaceId()) && HaltTargets.reaches(caller, halt.target()));
  }

  private Receipt receipt(
      Caller caller, Halt halt, Outcome outcome, String reason, Instant decidedAt) {
    Target target = halt.target();
    return new ReceiptDraft(halt.partition(), Receipt.Kind.HALT, outcome)
        .with("operator_id", target.scope() == HaltScope.OPERATOR ? target.id() : null)
        .with("connector", target.scope() == HaltScope.CONNECTOR ? target.id() : null)
        .with("workspace_id", halt.workspaceId())
        .request(caller.requestId())
        .with("approver", caller.keyName())
        .decidedBy(List.of(Decider.byKey(caller.principal(), null, decidedAt)))
        .with("note", halt.id())
        .with("reason", reason)
        .ok(true)
        .seal(ReceiptId.next(ids));
  }
}
