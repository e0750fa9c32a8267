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
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Reserving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a claim in one transaction: the plan, the locks of its entities and its part of the
 * allowance. Thread-safe.
 */
public final class WriteClaim {
  private static final int TRIES = 5;

  private final Plans plans;
  private final Allowance allowance;
  private final CloseActions closeActions;
  private final WhyRefused whyRefused;
  private final Transactions transactions;
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
    this.transactions = transactions;
    this.reserving = new Reserving(transactions);
  }

  /** Supplies the writes that store a new plan as executing under a claim. */
  interface Storing {
    List<Write> under(Plan.Claim claim);
  }

  /**
   * Claims, unless a halt, the allowance or a lock is in the way.
   *
   * @param storing stores the plan if it is new; null if it is already stored
   * @return empty if nothing was written: the cap or the basis of an approval has changed, a lock
   *     is gone, or a new plan could not be stored. The caller must then read again
   */
  Optional<Result> claim(
      ClaimAttempt attempt, ClaimPlan.TenantState tenantState, @Nullable Storing storing) {
    Optional<HaltRegister.Stop> stop = attempt.stop(tenantState.halts());
    if (stop.isPresent()) {
      return Optional.of(new Result.Halted(stop.get()));
    }
    Plan plan = attempt.plan();
    Set<ActionId> refused = attempt.refused();
    List<Action> runnable =
        attempt.chosen().stream().filter(action -> !refused.contains(action.id())).toList();
    if (storing != null && tenantState.allowance().hardCap() == null) {
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
    Allowance.Reserve reserve =
        allowance.reserve(plan.partition(), tenantState.allowance(), runnable.size());
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
    boolean lockWasLeft =
        result.isPresent()
            && result.get() instanceof Result.Locked(EntityLock met)
            && whyRefused.left().free(plan.partition(), met);
    // If the cap has changed since it was read, the result says nothing about the available room.
    return lockWasLeft || reserve.isStale() ? Optional.empty() : result;
  }

  /** Claims a stored plan that needs no approval. Tries again if other writes overtake it. */
  Result claimUnheld(ClaimAttempt attempt, ClaimPlan.TenantState tenantState) {
    Partition partition = attempt.plan().partition();
    return claim(attempt, tenantState, null)
        .orElseGet(
            () ->
                transactions.retry(
                    TRIES,
                    "The claim of a plan was overtaken",
                    () -> claim(attempt, tenantState.with(allowance.terms(partition)), null)));
  }

  /**
   * Prepares the claim of a waiting plan. It is to be written in the transaction in which the
   * present holder gives up the lock.
   *
   * @return empty if the claim has an obstacle or needs more than this lock: part of a capped
   *     allowance, locks of other entities, or the end of actions that the policy refuses
   */
  Optional<ClaimPlan.LockTransfer> transfer(
      ClaimAttempt attempt, ClaimPlan.TenantState tenantState, EntityKey entityKey, String holder) {
    Plan plan = attempt.plan();
    List<Action> all = attempt.chosen();
    boolean needsMore =
        tenantState.allowance().hardCap() != null
            || attempt.stop(tenantState.halts()).isPresent()
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
            allowance.reserve(partition, tenantState.allowance(), all.size()).part(),
            attempt.at(),
            Set.of());
    return Optional.of(
        new ClaimPlan.LockTransfer(
            plan.executing(claim),
            all,
            List.of(
                EntityLocks.handOver(partition, entityKey, holder, plan.id(), attempt.at()),
                PlanWrites.claim(plan, claim, due(claim), false),
                LockWaiters.forgetting(partition, entityKey, plan.id()))));
  }

  /**
   * Claim that is being written.
   *
   * @param claim supplies the claim as it is when its reservation is prepared
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

    List<Write> basis() {
      ClaimAttempt.Guard guard = attempt.guard();
      return guard == null ? List.of() : guard.writes();
    }

    private Stream<Write> locks() {
      Plan plan = plan();
      // A plan that waited for a lock does not know which plans wait behind it.
      boolean waited = plan.waitingOn() == WaitingOn.LOCK;
      return Action.entities(runnable).stream()
          .map(
              entity ->
                  byApproval()
                      ? EntityLocks.takeAsked(
                          plan.partition(), entity, plan.id().value(), plan.id(), attempt.at())
                      : EntityLocks.take(
                          plan.partition(), entity, plan.id(), waited, attempt.at()));
    }

    Result claimed() {
      return new Result.Claimed(plan().executing(claim.get()), true);
    }
  }

  private Optional<Result> store(Writing writing, Storing storing) {
    ClaimWrites asked = new ClaimWrites();
    Supplier<List<Write>> all =
        () ->
            asked
                .anew()
                .all(Purpose.PLAN, storing.under(writing.claim().get()).stream())
                .all(Purpose.LOCK, writing.locks())
                .writes();
    if (all.get().size() + writing.reserve().most() > ClaimPlan.MOST_ITEMS) {
      return Optional.empty();
    }
    return switch (reserving.run(all, writing.reserve().entries())) {
      case Reserving.Result.Done _ -> Optional.of(writing.claimed());
      case Reserving.Result.NoRoom _ -> Optional.of(new Result.NoAllowance());
      case Reserving.Result.Refused(Store.Transacted.Refused refused) -> {
        Optional<EntityLock> lock =
            asked.isRefused(Purpose.PLAN, refused) ? Optional.empty() : asked.lock(refused);
        lock.ifPresent(met -> met(writing.plan().partition(), met, writing.attempt().at()));
        yield lock.map(Result.Locked::new);
      }
    };
  }

  private Optional<Result> write(Writing writing) {
    ClaimWrites asked = new ClaimWrites();
    return switch (reserving.run(
        () -> fill(asked.anew(), writing).writes(), writing.reserve().entries())) {
      case Reserving.Result.Done _ -> Optional.of(writing.claimed());
      case Reserving.Result.NoRoom _ -> Optional.of(new Result.NoAllowance());
      case Reserving.Result.Refused(Store.Transacted.Refused refused) ->
          refused(writing, asked, refused);
    };
  }

  /**
   * Explains the refused claim of a stored plan.
   *
   * @return empty if the claim must be judged again, because the basis of its approval has changed
   *     or the lock was released after the refusal
   */
  private Optional<Result> refused(
      Writing writing, ClaimWrites asked, Store.Transacted.Refused refused) {
    if (asked.isRefused(Purpose.PLAN, refused)) {
      return moved(writing);
    }
    if (asked.isRefused(Purpose.BASIS, refused)) {
      return Optional.empty();
    }
    Optional<EntityLock> lock = stillTaken(writing, asked.lock(refused));
    Optional<Action> undo = asked.undo(refused);
    return undo.isPresent()
        ? undo.map(one -> new Result.UndoMet(whyRefused.undone().ofClaim(one, lock)))
        : lock.map(Result.Locked::new);
  }

  /**
   * Returns the lock that was found taken. If an approval found it taken, the lock is kept for the
   * approval, with all others that the approval needs. Empty if the lock is gone by then.
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

  /** Handles a plan that another request has claimed, ended or voted on. */
  private Optional<Result> moved(Writing writing) {
    Plan plan = plans.find(writing.plan().partition(), writing.plan().id()).orElseThrow();
    return writing.attempt().guard() != null && plan.open(writing.attempt().at())
        ? Optional.empty()
        : Optional.of(ClaimPlan.settled(plan, writing.attempt().key()));
  }

  private static ClaimWrites fill(ClaimWrites empty, Writing writing) {
    Plan plan = writing.plan();
    Plan.Claim claim = writing.claim().get();
    ClaimAttempt attempt = writing.attempt();
    ClaimWrites writes =
        empty
            .all(
                Purpose.PLAN,
                Stream.of(PlanWrites.claim(plan, claim, due(claim), attempt.guard() != null)))
            .all(Purpose.BASIS, writing.basis().stream())
            .undos(attempt.undos())
            .all(Purpose.LOCK, writing.locks())
            .all(Purpose.ALONG, attempt.along().stream());
    Plan.Approval approval = claim.approval();
    return approval == null
        ? writes
        : writes.all(
            Purpose.ALONG,
            Stream.of(
                ApprovalRecord.of(plan, claim, approval, attempt.chosen())
                    .insert(plan.partition())));
  }

  /** Purpose of a claim's write, which determines the meaning of a refusal. */
  private enum Purpose {
    PLAN,
    BASIS,
    UNDO,
    LOCK,
    ALONG
  }

  /**
   * Writes of a claim, each with its purpose, in the order in which they are requested. After a
   * refusal, it finds the writes that were refused.
   */
  private static final class ClaimWrites {
    private final List<Labelled> labelled = new ArrayList<>();

    /**
     * @param undo the undo that the write begins, if any
     */
    private record Labelled(Purpose purpose, Write write, @Nullable Action undo) {}

    /** Discards the writes of the previous attempt. */
    ClaimWrites anew() {
      labelled.clear();
      return this;
    }

    ClaimWrites all(Purpose purpose, Stream<Write> writes) {
      writes.forEach(write -> labelled.add(new Labelled(purpose, write, null)));
      return this;
    }

    ClaimWrites undos(List<Action> undos) {
      undos.forEach(
          undo -> labelled.add(new Labelled(Purpose.UNDO, Actions.beginHeldUndo(undo), undo)));
      return this;
    }

    List<Write> writes() {
      return labelled.stream().map(Labelled::write).toList();
    }

    private Stream<Store.Refusal> refusals(Purpose purpose, Store.Transacted.Refused refused) {
      return refused.refusals().stream()
          .filter(refusal -> labelled.get(refusal.position()).purpose() == purpose);
    }

    boolean isRefused(Purpose purpose, Store.Transacted.Refused refused) {
      return refusals(purpose, refused).findFirst().isPresent();
    }

    Optional<EntityLock> lock(Store.Transacted.Refused refused) {
      return refusals(Purpose.LOCK, refused)
          .flatMap(refusal -> refusal.found().stream())
          .findFirst()
          .map(EntityLock::read);
    }

    /** Returns the undo whose original cannot be claimed, if any. */
    Optional<Action> undo(Store.Transacted.Refused refused) {
      return refusals(Purpose.UNDO, refused)
          .findFirst()
          .map(refusal -> Objects.requireNonNull(labelled.get(refusal.position()).undo()));
    }
  }

  /** Notes a lock that was found taken. For a moment, new plans on its entity are not claimed. */
  void met(Partition partition, EntityLock lock, Instant now) {
    lockedLately.note(partition, lock, now);
  }

  /** Returns when the sweeper looks at a claimed plan if nothing has advanced it by then. */
  static Instant due(Plan.Claim claim) {
    return claim.claimedAt().plus(KernelTimes.LOOK);
  }
}
