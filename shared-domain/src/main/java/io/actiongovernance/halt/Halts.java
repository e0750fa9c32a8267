package io.actiongovernance.halt;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptOutcome;
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
 * The kill switch: halting, lifting, and the list of halts (contract, section 4). A target has at
 * most one halt, so that the number of halts never prevents another. Thread-safe.
 *
 * <p>A request to halt is answered when its halt begins, {@link HaltRegister#SETTLES} after it was
 * written. A reader that read the register before the halt was written has made its call by then,
 * so nothing in the scope starts after the answer. Frozen time counts from the same instant, so a
 * plan that any reader has seen as expired never becomes open again.
 */
public final class Halts {
  private static final Refusal BEYOND_KEY =
      new Refusal.BeyondKey(
          "A key pinned to a workspace or bound to operators can neither halt the whole tenant nor"
              + " lift a halt.");

  /** Number of attempts at a halt while other halts of its target are being lifted. */
  private static final int ATTEMPTS = 5;

  private final StoredHalts stored;
  private final HaltTargets targets;
  private final Consumer<Partition> goOn;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /**
   * @param goOn resumes the plans of a partition that wait for execution
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

  /**
   * Halts the target and returns when the halt has begun. If the target is already halted, returns
   * the existing halt when that halt has begun.
   *
   * @param id identical for the same request sent again, which then finds its own halt
   */
  public Outcome<Halt> halt(Caller caller, HaltId id, Target target, String reason) {
    if (target.scope() == HaltScope.TENANT && !reachesAll(caller)) {
      return Outcome.refused(BEYOND_KEY);
    }
    if (!targets.exists(caller, target)) {
      return Outcome.refused(new Refusal.NotFound("resource"));
    }
    Outcome<Halt> outcome = begin(caller, id, target, reason);
    if (outcome instanceof Done(Halt halt)) {
      awaitBeginning(halt);
    }
    return outcome;
  }

  private Outcome<Halt> begin(Caller caller, HaltId id, Target target, String reason) {
    Partition partition = caller.partition();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<Halt> made = stored.find(partition, id);
      if (made.isPresent()) {
        return Outcome.done(made.get());
      }
      HaltRegister.State state = stored.inForce(partition);
      Optional<Halt> before = state.of(target).flatMap(halt -> stored.find(partition, halt.id()));
      if (before.isPresent()) {
        return Outcome.done(before.get());
      }
      if (target.scope() != HaltScope.TENANT && state.full()) {
        return Outcome.refused(
            new Refusal.QuotaExceeded(
                HaltRegister.MOST_IN_FORCE
                    + " operators and connectors are already halted, the maximum. Lift a halt, or halt the whole tenant."));
      }
      Instant now = clock.instant();
      Halt halt =
          new Halt(
              id,
              partition,
              target,
              caller.workspaceId(),
              reason,
              caller.name(),
              caller.principal(),
              now.plus(HaltRegister.SETTLES).truncatedTo(ChronoUnit.MILLIS),
              null);
      // A refusal means that a simultaneous request was first: the same request, or another one for
      // the target.
      stored.insert(halt, receipt(caller, halt, ReceiptOutcome.HALTED, reason, now));
    }
    return stored
        .find(partition, id)
        .map(Outcome::done)
        .orElseThrow(() -> new IllegalStateException("Halts of the target keep changing."));
  }

  private void awaitBeginning(Halt halt) {
    Duration left = Duration.between(clock.instant(), halt.haltedAt());
    if (left.isPositive()) {
      sleeper.sleep(left);
    }
  }

  /** Returns whether the caller may stop everything and lift any halt. */
  private static boolean reachesAll(Caller caller) {
    return caller.workspaceId() == null && caller.operatorIds().isEmpty();
  }

  /**
   * Lifts a halt and resumes the plans that waited for its end.
   *
   * @param key identical for the same request sent again, which then finds its own lift
   */
  public Outcome<Halt> lift(Caller caller, HaltId id, String key, String reason) {
    if (!reachesAll(caller)) {
      return Outcome.refused(BEYOND_KEY);
    }
    Optional<Halt> found = stored.find(caller.partition(), id);
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("resource"));
    }
    Halt halt = found.get();
    if (halt.lift() == null) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      Instant liftedAt = now.isBefore(halt.haltedAt()) ? halt.haltedAt() : now;
      // A refusal means that another request was first; stored state decides.
      stored.lift(
          halt,
          new Halt.Lift(key, caller.name(), caller.principal(), liftedAt),
          receipt(caller, halt, ReceiptOutcome.LIFTED, reason, now));
      halt = stored.find(caller.partition(), id).orElseThrow();
    }
    if (!Objects.requireNonNull(halt.lift()).key().equals(key)) {
      return Outcome.refused(new Refusal.Conflict("The halt is already lifted."));
    }
    goOn.accept(halt.partition());
    return Outcome.done(halt);
  }

  /** Returns a halt, regardless of who may see it. */
  public Optional<Halt> find(Partition partition, HaltId id) {
    return stored.find(partition, id);
  }

  /**
   * Lists the halts that the caller may see, newest first.
   *
   * @param active true for those in force, false for lifted ones, null for both
   */
  public Page<Halt> list(Caller caller, @Nullable Boolean active, PageRequest page) {
    return stored.list(
        caller.partition(),
        active,
        page,
        halt -> caller.sees(halt.workspaceId()) && HaltTargets.reaches(caller, halt.target()));
  }

  private Receipt receipt(
      Caller caller, Halt halt, ReceiptOutcome outcome, String reason, Instant decidedAt) {
    Target target = halt.target();
    return new ReceiptDraft(halt.partition(), Receipt.Kind.HALT, outcome)
        .with("operator_id", target.scope() == HaltScope.OPERATOR ? target.id() : null)
        .with("connector", target.scope() == HaltScope.CONNECTOR ? target.id() : null)
        .with("workspace_id", halt.workspaceId())
        .request(caller.requestId())
        .with("approver", caller.name())
        .decidedBy(List.of(Decider.by(caller.principal(), null, decidedAt)))
        .with("note", halt.id())
        .with("reason", reason)
        .ok(true)
        .seal(ReceiptId.next(ids));
  }
}
