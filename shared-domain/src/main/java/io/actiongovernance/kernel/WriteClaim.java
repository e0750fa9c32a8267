package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.ClaimPlan.Result;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Reserving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a claim: the plan, the locks of its entities and what it needs of the allowance, in one
 * transaction. Thread-safe.
 */
public final class WriteClaim {
  private static final int TRIES = 5;

  private final Plans plans;
  private final Allowance allowance;
  private final CloseActions closeActions;
  private final WhyRefused whyRefused;
  private final Reserving reserving;
  private final LockedLately lockedLately = new LockedLately();

  public WriteClaim(
      Plans plans,
      Allowance allowance,
      CloseActions closeActions,
      WhyRefused whyRefused,
      Transactions transactions) {
    this.plans = plans;
    this.allowance = allowance;
    this.closeActions = closeActions;
    this.whyRefused = whyRefused;
    this.reserving = new Reserving(transactions);
  }

  /** How a new plan is stored as one that executes under a claim. */
  interface Storing {
    List<Write> under(Plan.Claim claim);
  }

  /**
   * Claims, unless a halt, the allowance or a lock is in the way.
   *
   * @param storing the plan if it is a new one, null if it is stored
   * @return empty if a new plan could not be stored, or if what an approval rests on has changed
   */
  Optional<Result> claim(
      ClaimAttempt attempt, ClaimPlan.Standing standing, @Nullable Storing storing) {
    Optional<HaltRegister.Stop> stop = attempt.stop(standing.halts());
    if (stop.isPresent()) {
      return Optional.of(new Result.Halted(stop.get()));
    }
    Plan plan = attempt.plan();
    Set<ActionId> refused = attempt.refused();
    List<Action> runnable =
        attempt.chosen().stream().filter(action -> !refused.contains(action.id())).toList();
    Allowance.Terms terms = standing.allowance();
    if (storing != null && terms.hardCap() == null) {
      Optional<EntityLock> lock =
          lockedLately.find(plan.partition(), Action.entities(runnable), attempt.at());
      if (lock.isPresent()) {
        return lock.map(Result.Locked::new);
      }
    }
    Map<ActionId, String> digests = attempt.digests();
    Map<ActionId, ReceiptId> skipped =
        closeActions.mint(
            plan.id(),
            plan.terms().actionIds().stream().filter(id -> !digests.containsKey(id)).toList());
    int time = 0;
    while (time < TRIES) {
      Allowance.Reserve reserve = allowance.reserve(plan.partition(), terms, runnable.size());
      Supplier<Plan.Claim> claim =
          () ->
              new Plan.Claim(
                  attempt.key(),
                  attempt.approval(),
                  digests,
                  refused,
                  skipped,
                  reserve.part(),
                  attempt.at(),
                  attempt.uncovered());
      Writing writing = new Writing(attempt, runnable, claim, reserve);
      Optional<Result> result = storing == null ? write(writing) : store(writing, storing);
      if (result.isPresent()
          && result.get() instanceof Result.Locked(EntityLock met)
          && whyRefused.left().free(plan.partition(), met)) {
        continue;
      }
      if (!reserve.isStale()) {
        return result;
      }
      // The cap has been changed since it was read.
      terms = allowance.terms(plan.partition());
      time++;
    }
    throw new StoreUnavailable("The cap was changed " + TRIES + " times.", null);
  }

  /**
   * The claim of a plan that waits, to be written with what ends the use of the lock by its holder.
   *
   * @return empty where something is in the way of it, or where it needs more than this lock: part
   *     of an allowance that is capped, the locks of other entities, or an end of what the policy
   *     refuses
   */
  Optional<ClaimPlan.Handing> handing(
      ClaimAttempt attempt, ClaimPlan.Standing standing, EntityKey entityKey, String holder) {
    Plan plan = attempt.plan();
    List<Action> all = attempt.chosen();
    boolean needsMore =
        standing.allowance().hardCap() != null
            || attempt.stop(standing.halts()).isPresent()
            || all.size() != plan.terms().actionIds().size()
            || !attempt.refused().isEmpty()
            || !Action.entities(all).equals(Set.of(entityKey));
    if (needsMore) {
      return Optional.empty();
    }
    Partition partition = plan.partition();
    Plan.Claim claim =
        new Plan.Claim(
            attempt.key(),
            null,
            attempt.digests(),
            Set.of(),
            Map.of(),
            allowance.reserve(partition, standing.allowance(), all.size()).part(),
            attempt.at(),
            Set.of());
    return Optional.of(
        new ClaimPlan.Handing(
            plan.executing(claim),
            all,
            List.of(
                EntityLocks.handOver(partition, entityKey, holder, plan.id(), attempt.at()),
                Plans.claim(plan, claim, due(claim), false),
                EntityLocks.forgetting(partition, entityKey, plan.id()))));
  }

  /**
   * A claim that is being written.
   *
   * @param claim as it is once what is reserved is prepared
   */
  private record Writing(
      ClaimAttempt attempt,
      List<Action> runnable,
      Supplier<Plan.Claim> claim,
      Allowance.Reserve reserve) {
    Plan plan() {
      return attempt.plan();
    }

    boolean byApproval() {
      return attempt.approval() != null;
    }

    /** What its approval rests on. */
    List<Write> guards() {
      ClaimAttempt.Guard guard = attempt.guard();
      return guard == null ? List.of() : guard.writes();
    }

    /** Whether what its approval rests on does not hold any more. */
    boolean isOvertaken(Store.Transacted.Refused refused) {
      return refused.refusals().stream().anyMatch(one -> one.position() <= guards().size());
    }

    /** The undo whose original cannot be claimed, if one cannot. */
    Optional<Action> met(Store.Transacted.Refused refused) {
      List<Action> undos = attempt.undos();
      return refused.refusals().stream()
          .map(one -> one.position() - 1 - guards().size())
          .filter(position -> position >= 0 && position < undos.size())
          .findFirst()
          .map(undos::get);
    }

    /** The lock that is taken, if one is. */
    Optional<EntityLock> lock(Store.Transacted.Refused refused) {
      int before = 1 + guards().size() + attempt.undos().size();
      return refused.refusals().stream()
          .filter(one -> one.position() >= before)
          .flatMap(one -> one.found().stream())
          .findFirst()
          .map(EntityLocks::read);
    }

    List<Write> locks() {
      Plan plan = plan();
      // Who has waited for a lock does not know who waits behind it.
      boolean waited = plan.waitingOn() == WaitingOn.LOCK;
      return Action.entities(runnable).stream()
          .map(
              entity ->
                  byApproval()
                      ? EntityLocks.takeAsked(
                          plan.partition(), entity, plan.id().value(), plan.id(), attempt.at())
                      : EntityLocks.take(plan.partition(), entity, plan.id(), waited, attempt.at()))
          .toList();
    }

    Result claimed() {
      return new Result.Claimed(plan().executing(claim.get()), true);
    }
  }

  private Optional<Result> store(Writing writing, Storing storing) {
    List<Write> locks = writing.locks();
    int others = storing.under(writing.claim().get()).size();
    if (others + locks.size() + writing.reserve().most() > ClaimPlan.MOST_ITEMS) {
      return Optional.empty();
    }
    Reserving.Result result =
        reserving.run(
            () ->
                Stream.concat(storing.under(writing.claim().get()).stream(), locks.stream())
                    .toList(),
            writing.reserve().entries());
    return switch (result) {
      case Reserving.Result.Done _ -> Optional.of(writing.claimed());
      case Reserving.Result.NoRoom _ -> Optional.of(new Result.NoAllowance());
      case Reserving.Result.Refused(Store.Transacted.Refused refused) -> {
        boolean lockedOnly =
            refused.refusals().stream().allMatch(refusal -> refusal.position() >= others);
        Optional<EntityLock> lock = lockedOnly ? lock(refused) : Optional.empty();
        lock.ifPresent(met -> met(writing.plan().partition(), met, writing.attempt().at()));
        yield lock.map(Result.Locked::new);
      }
    };
  }

  private Optional<Result> write(Writing writing) {
    for (int time = 0; time < TRIES; time++) {
      Reserving.Result result = reserving.run(() -> writes(writing), writing.reserve().entries());
      switch (result) {
        case Reserving.Result.Done _ -> {
          return Optional.of(writing.claimed());
        }
        case Reserving.Result.NoRoom _ -> {
          return Optional.of(new Result.NoAllowance());
        }
        case Reserving.Result.Refused(Store.Transacted.Refused refused) -> {
          if (refused.of(0).isPresent()) {
            return moved(writing);
          }
          if (writing.isOvertaken(refused)) {
            return Optional.empty();
          }
          Optional<EntityLock> lock = stillTaken(writing, writing.lock(refused));
          Optional<Action> undo = writing.met(refused);
          if (undo.isPresent()) {
            return undo.map(one -> new Result.UndoMet(whyRefused.undone().ofClaim(one, lock)));
          }
          if (lock.isPresent()) {
            return lock.map(Result.Locked::new);
          }
          // The lock went between the refusal and the look at it: try again.
        }
      }
    }
    throw new StoreUnavailable("A lock was met " + TRIES + " times that went at once.", null);
  }

  /**
   * The lock that was met; one that an approval met is kept for it, unless it has gone, and with it
   * all that the approval needs.
   */
  private Optional<EntityLock> stillTaken(Writing writing, Optional<EntityLock> met) {
    if (!writing.byApproval()) {
      return met;
    }
    Plan plan = writing.plan();
    EntityLocks locks = whyRefused.locks();
    Optional<EntityLock> taken = met.filter(lock -> locks.ask(plan.partition(), lock));
    taken.ifPresent(
        lock ->
            locks.askOthers(
                plan.partition(), lock, plan.id(), Action.entities(writing.runnable())));
    return taken;
  }

  /** Another has claimed the plan or ended it; or somebody has voted on it. */
  private Optional<Result> moved(Writing writing) {
    Plan plan = plans.find(writing.plan().partition(), writing.plan().id()).orElseThrow();
    return writing.attempt().guard() != null && plan.open(writing.attempt().at())
        ? Optional.empty()
        : Optional.of(ClaimPlan.settled(plan, writing.attempt().key()));
  }

  private static List<Write> writes(Writing writing) {
    Plan plan = writing.plan();
    Plan.Claim claim = writing.claim().get();
    List<Write> writes = new ArrayList<>();
    writes.add(Plans.claim(plan, claim, due(claim), writing.attempt().guard() != null));
    writes.addAll(writing.guards());
    writing.attempt().undos().forEach(undo -> writes.add(Actions.beginHeldUndo(undo)));
    writes.addAll(writing.locks());
    writes.addAll(writing.attempt().along());
    Plan.Approval approval = claim.approval();
    if (approval != null) {
      ApprovalRecord record = ApprovalRecord.of(plan, claim, approval, writing.attempt().chosen());
      writes.add(record.insert(plan.partition()));
    }
    return writes;
  }

  private static Optional<EntityLock> lock(Store.Transacted.Refused refused) {
    return refused.refusals().stream()
        .flatMap(refusal -> refusal.found().stream())
        .findFirst()
        .map(EntityLocks::read);
  }

  /** A lock was found taken: new plans on its entity are not claimed for a moment. */
  void met(Partition partition, EntityLock lock, Instant now) {
    lockedLately.note(partition, lock, now);
  }

  /** When a claimed plan is looked at, should nobody have moved it on by then. */
  static Instant due(Plan.Claim claim) {
    return claim.claimedAt().plus(KernelTimes.LOOK);
  }
}
