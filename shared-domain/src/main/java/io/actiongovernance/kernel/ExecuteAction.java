package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.kernel.EffectClaims.Claimed;
import io.actiongovernance.kernel.EffectClaims.EffectClaim;
import io.actiongovernance.kernel.EffectClaims.Holder;
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.ExecutionPolicy.Ruling;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Reservation;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The executor: runs one action that was dispatched to it, or refuses it. In this order: what is
 * approved is still what is stored, the policy permits it now, its idempotency key and the intent
 * to call are written, its limits are reserved, no halt covers it, then the call, then the
 * disposal. So a crash between any two steps loses nothing and repeats no effect (architecture,
 * "The governed action"). Thread-safe.
 */
public final class ExecuteAction {
  private static final String INTERRUPTED = "the executor was interrupted during the call";

  private final Store store;
  private final Operators operators;
  private final Connectors connectors;
  private final Budgets budgets;
  private final EffectClaims claims;
  private final HaltRegister halts;
  private final ToolCaller toolCaller;
  private final DisposeAction disposeAction;
  private final FinishPlan finishPlan;
  private final RunPlan runPlan;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public ExecuteAction(
      Store store,
      Operators operators,
      Connectors connectors,
      Budgets budgets,
      EffectClaims claims,
      HaltRegister halts,
      ToolCaller toolCaller,
      DisposeAction disposeAction,
      FinishPlan finishPlan,
      RunPlan runPlan,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.store = store;
    this.operators = operators;
    this.connectors = connectors;
    this.budgets = budgets;
    this.claims = claims;
    this.halts = halts;
    this.toolCaller = toolCaller;
    this.disposeAction = disposeAction;
    this.finishPlan = finishPlan;
    this.runPlan = runPlan;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  /** What is to become of the message that dispatched an action. */
  public enum Done {
    /** It has done its part: the action is disposed, or parked, or not its turn. */
    YES,
    /** Another invocation may be calling: leave the message to come again. */
    LEAVE
  }

  /** Executes the action, unless it is settled or not its turn. */
  public Done execute(Dispatch dispatch) {
    Optional<Loaded> found = load(dispatch);
    if (found.isEmpty()) {
      return Done.YES;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      return settleAgain(execution);
    }
    return itsTurn(execution) ? vet(found.get()) : Done.YES;
  }

  /** An action, its permission, and what its execution depends on, as they are now. */
  private record Loaded(
      Execution execution,
      Optional<Operator> operator,
      Optional<Connector> connector,
      Optional<EntityLock> lock) {
    Loaded with(Execution other) {
      return new Loaded(other, operator, connector, lock);
    }

    /** An ending with what its tool adds, as far as that is still the one that was called. */
    Ending ending(Ending ending) {
      return tool()
          .map(tool -> ending.of(execution.action(), connector.orElseThrow(), tool))
          .orElseGet(ending::ofNoTool);
    }

    /** Its tool, if the connector has it still as it was judged. */
    Optional<Tool> tool() {
      return ExecutionPolicy.tool(execution.action(), connector);
    }
  }

  /**
   * Loads an action in one request; empty when nothing permits it, as when its plan was never
   * finished.
   */
  private Optional<Loaded> load(Dispatch dispatch) {
    Partition partition = dispatch.partition();
    Key actionKey = Actions.key(partition, dispatch.action());
    Key planKey = Plans.key(partition, dispatch.plan());
    Key operatorKey = Operators.key(partition, dispatch.operator());
    Key connectorKey = Connectors.key(partition, dispatch.connector());
    Key lockKey = EntityLocks.lockKey(partition, dispatch.line());
    Map<Key, Item> items =
        store.getByKey(List.of(actionKey, planKey, operatorKey, connectorKey, lockKey));
    Optional<Action> found = Optional.ofNullable(items.get(actionKey)).map(Actions::read);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Action action = found.get();
    if (!dispatch.fits(action)) {
      // It was changed after it was sent, as nothing of the service ever does.
      return load(Dispatch.of(action));
    }
    MDC.put("plan_id", action.terms().planId().value());
    MDC.put("correlation_id", action.terms().correlationId().value());
    return permitted(action, Optional.ofNullable(items.get(planKey)))
        .map(
            execution ->
                new Loaded(
                    execution,
                    Optional.ofNullable(items.get(operatorKey)).map(operators::read),
                    Optional.ofNullable(items.get(connectorKey)).map(connectors::read),
                    Optional.ofNullable(items.get(lockKey)).map(EntityLocks::read)));
  }

  private static Optional<Execution> permitted(Action action, Optional<Item> plan) {
    return action.terms().undoing() != null
        ? Optional.of(new Execution(action, null))
        : plan.map(Plans::read)
            .filter(read -> read.selected().contains(action.id()))
            .map(read -> new Execution(action, read));
  }

  private Done vet(Loaded loaded) {
    Action action = loaded.execution().action();
    Ruling ruling = ExecutionPolicy.rule(action, loaded.operator(), loaded.execution().approved());
    Execution execution = loaded.execution().under(ruling.changedBy());
    Verdict verdict = ruling.verdict();
    if (!action.computeDigest().equals(execution.permittedDigest())) {
      return endUncalled(loaded, Ending.refused(verdict, "approval_mismatch"));
    }
    Optional<Tool> tool = loaded.tool();
    if (tool.isEmpty()) {
      return endUncalled(loaded, Ending.refused(verdict.toolChanged(), Verdict.TOOL_CHANGED));
    }
    if (ruling.refuses() || execution.refusedAtClaim()) {
      return endUncalled(loaded.with(execution), Ending.refused(verdict, ruling.reason()));
    }
    if (loaded.lock().filter(lock -> lock.settling(clock.instant())).isPresent()) {
      // The sweeper has it dispatched again when the entity has settled.
      return Done.YES;
    }
    Calling calling = new Calling(execution, ruling, loaded.connector().orElseThrow(), tool.get());
    return claim(calling, loaded);
  }

  /** An action that may be called, with what it is called by. */
  private record Calling(Execution execution, Ruling ruling, Connector connector, Tool tool) {
    Action action() {
      return execution.action();
    }

    Verdict verdict() {
      return ruling.verdict();
    }

    /** As the limits count it: what a person approved is no claim any more. */
    Candidate counted() {
      Candidate candidate = action().terms().candidate();
      return execution.approved() ? candidate.approved() : candidate;
    }

    /** For how long after a call its source system takes another for the same; null if never. */
    @Nullable Duration retrySafe() {
      return tool.retrySafe() ? Duration.ofSeconds(tool.retrySafeSeconds()) : null;
    }

    Ending ending(Ending ending) {
      return ending.of(action(), connector, tool);
    }
  }

  private Done claim(Calling calling, Loaded loaded) {
    Action action = calling.action();
    Instant now = clock.instant();
    Claimed claimed =
        claims.claim(action, holds(calling), calling.retrySafe(), now, now.plus(KernelTimes.LEASE));
    return switch (claimed) {
      case Claimed.Fresh _ -> reserveAndCall(calling, List.of(), false, null);
      case Claimed.Again(Holder prior) -> reserveAndCall(calling, List.of(), false, prior);
      case Claimed.Interrupted(EffectClaim claim) ->
          claim.repeatable(action, calling.retrySafe(), now)
              ? reserveAndCall(calling, claim.holds(), true, claim.prior())
              : end(
                  calling.execution(),
                  calling
                      .ending(Ending.abandoned(calling.verdict(), INTERRUPTED))
                      .under(claim.prior()),
                  claim.holds());
      case Claimed.Settled _ -> execute(Dispatch.of(action));
      case Claimed.Taken(EffectClaim claim) when claim.owner().equals(action.id()) ->
          own(loaded.with(calling.execution()), calling.verdict(), claim);
      case Claimed.Taken(EffectClaim claim) -> taken(calling, claim);
      case Claimed.Mismatch(EffectClaim claim) ->
          end(calling.execution(), Ending.mismatched(calling.verdict(), claim.holder()), List.of());
    };
  }

  private List<String> holds(Calling calling) {
    Guardrail guardrail = calling.ruling().decidedBy();
    Action action = calling.action();
    return guardrail == null
        ? List.of()
        : budgets.holds(
            action.partition(), action.terms().operatorId(), guardrail, calling.counted());
  }

  /**
   * Reserves the limits of the guardrail that decided, then calls. Only the owner of the intent
   * comes here, so that nobody counts an action that another invocation has settled.
   *
   * @param held what is reserved for the interrupted call, and stays so until its outcome is known
   * @param interrupted whether an earlier call of this action was interrupted
   * @param prior the action under whose unknown key this one calls again, or null
   */
  private Done reserveAndCall(
      Calling calling, List<String> held, boolean interrupted, @Nullable Holder prior) {
    Verdict verdict = calling.verdict();
    Execution execution = calling.execution();
    Guardrail guardrail = calling.ruling().decidedBy();
    List<String> holds = held;
    if (guardrail != null && !guardrail.limits().isEmpty()) {
      switch (reserveOrTakeBack(calling, guardrail, interrupted, prior)) {
        case Reservation.Exceeded _ -> {
          // The interrupted call may have applied, so it must not read as refused.
          Ending ending =
              interrupted ? Ending.abandoned(verdict, INTERRUPTED) : Ending.limited(verdict);
          return end(execution, calling.ending(ending).under(prior), holds);
        }
        case Reservation.Reserved(List<String> reserved) ->
            holds = Stream.concat(holds.stream(), reserved.stream()).distinct().toList();
      }
    }
    StartPermit permit = new StartPermit(halts, calling.action(), clock);
    if (!permit.getAsBoolean()) {
      putOff(calling, holds, interrupted);
      return execution.plan() == null ? park(execution, KernelTimes.HALT_PAUSE) : Done.YES;
    }
    CallResult result = toolCaller.call(toolCall(calling, permit));
    if (result instanceof CallResult.Paced(Instant notBefore)) {
      putOff(calling, holds, interrupted);
      return paced(execution, notBefore, interrupted);
    }
    Ending ending =
        interrupted && !(result instanceof CallResult.Applied)
            // What this call came to says nothing of the one before it.
            ? Ending.abandoned(verdict, INTERRUPTED + ", and then: " + said(result))
            : Ending.of(verdict, result);
    return end(execution, calling.ending(ending).under(prior), holds);
  }

  private static String said(CallResult result) {
    return switch (result) {
      case CallResult.Failed(String error) -> error;
      case CallResult.Refused(String reason) -> reason;
      case CallResult.Unknown(String why, boolean _) -> why;
      case CallResult.Applied _, CallResult.Paced _ -> "";
    };
  }

  /** A store that does not answer takes the intent back: nothing was called under it. */
  private Reservation reserveOrTakeBack(
      Calling calling, Guardrail guardrail, boolean interrupted, @Nullable Holder prior) {
    try {
      return reserve(calling, guardrail, prior);
    } catch (StoreUnavailable e) {
      putOff(calling, holds(calling), interrupted);
      throw e;
    }
  }

  private Reservation reserve(Calling calling, Guardrail guardrail, @Nullable Holder prior) {
    Action action = calling.action();
    Action.Terms terms = action.terms();
    Set<Limit> tolerated = new HashSet<>(tolerated(terms, guardrail));
    if (prior != null) {
      tolerated.addAll(sharedWith(prior, calling, guardrail));
    }
    return budgets.reserve(
        action.partition(),
        terms.operatorId(),
        action.id(),
        guardrail,
        calling.counted(),
        tolerated);
  }

  /**
   * The limits that count the action already under whose unknown key this one calls again: both
   * stand for one effect, and one of the two reservations is given back in the end.
   */
  private Set<Limit> sharedWith(Holder prior, Calling calling, Guardrail guardrail) {
    Set<String> held =
        store
            .get(Actions.key(calling.action().partition(), prior.action()))
            .map(Actions::read)
            .map(Action::disposal)
            .map(disposal -> Set.copyOf(disposal.holds()))
            .orElse(Set.of());
    List<String> own = holds(calling);
    Set<Limit> shared = new HashSet<>();
    for (int at = 0; at < own.size(); at++) {
      if (held.contains(own.get(at))) {
        shared.add(guardrail.limits().get(at));
      }
    }
    return shared;
  }

  /** The limits that were known to be exceeded when somebody asked for the action all the same. */
  private static Collection<Limit> tolerated(Action.Terms terms, Guardrail guardrail) {
    if (terms.undoing() != null) {
      return guardrail.limits();
    }
    boolean sameRule = guardrail.name().equals(terms.verdict().rule());
    return sameRule ? terms.limitedBy() : List.of();
  }

  /**
   * Ends an action that is not to be called now. An earlier invocation may have called it, when it
   * still was to be: then what is known of that call decides, never the refusal.
   */
  private Done endUncalled(Loaded loaded, Ending ending) {
    Execution execution = loaded.execution();
    Action action = execution.action();
    Optional<EffectClaim> found =
        claims.find(action).filter(own -> own.owner().equals(action.id()));
    if (found.isEmpty()) {
      return end(execution, ending, List.of());
    }
    EffectClaim claim = found.get();
    if (claim.state() == State.PACED) {
      return end(execution, ending.afterPacing().under(claim.prior()), claim.holds());
    }
    if (claim.state() != State.INTENT) {
      return end(execution, ending, List.of());
    }
    boolean callMayGoOn = clock.instant().isBefore(claim.leaseUntil());
    // What it was called under is what counts, whatever the guardrails have come to say since.
    Verdict called = action.terms().verdict();
    if (claim.result() == null && !callMayGoOn) {
      Ending abandoned = loaded.ending(Ending.abandoned(called, INTERRUPTED));
      return end(execution, abandoned.under(claim.prior()), claim.holds());
    }
    return own(loaded, called, claim);
  }

  /** This action's own claim, under which a call was made or may be under way. */
  private Done own(Loaded loaded, Verdict verdict, EffectClaim claim) {
    CallResult result = claim.result();
    if (claim.state() == State.INTENT && result != null) {
      Ending ending = loaded.ending(Ending.of(verdict, result));
      return end(loaded.execution(), ending.under(claim.prior()), claim.holds());
    }
    // Not left to come again by itself: hidden anew, the message would come long after the lease.
    Duration leased = Duration.between(clock.instant(), claim.leaseUntil());
    return claim.state() == State.INTENT && leased.isPositive()
        ? park(loaded.execution(), leased)
        : Done.LEAVE;
  }

  /** Another action's claim on the same idempotency key, for the same effect. */
  private Done taken(Calling calling, EffectClaim claim) {
    Execution execution = calling.execution();
    return switch (claim.state()) {
      case APPLIED ->
          end(execution, Ending.deduplicated(calling.verdict(), claim.holder()), List.of());
      case UNKNOWN ->
          end(execution, Ending.unknownElsewhere(calling.verdict(), claim.holder()), List.of());
      case INTENT, PACED, FREE -> park(execution, KernelTimes.PAUSE);
    };
  }

  private ToolCall toolCall(Calling calling, StartPermit permit) {
    Action.Terms terms = calling.action().terms();
    return new ToolCall(
        calling.connector(),
        calling.tool(),
        terms.args(),
        terms.idempotencyKey(),
        terms.workspaceId(),
        terms.correlationId(),
        clock.instant().plus(KernelTimes.CALL),
        permit);
  }

  /**
   * Takes back an intent under which nothing was called, and what its limits reserved: what waits
   * may come to be judged by other guardrails, and may wait for longer than their windows. An
   * intent that stands for an interrupted call is left to run out.
   */
  private void putOff(Calling calling, List<String> holds, boolean interrupted) {
    if (!interrupted) {
      budgets.settle(calling.action().id(), holds, false);
      claims.putOff(calling.action());
    }
  }

  /** A call that was not made, for the sake of the pace. */
  private Done paced(Execution execution, Instant notBefore, boolean interrupted) {
    Duration pause = Duration.between(clock.instant(), notBefore);
    if (interrupted) {
      return park(execution, KernelTimes.LEASE.compareTo(pause) > 0 ? KernelTimes.LEASE : pause);
    }
    return park(execution, pause.isNegative() ? Duration.ZERO : pause);
  }

  private Done park(Execution execution, Duration pause) {
    dispatcher.dispatchLater(Dispatch.of(execution.action()), pause);
    return Done.YES;
  }

  private Done end(Execution execution, Ending ending, List<String> holds) {
    if (!disposeAction.dispose(execution, ending, holds)) {
      return Done.LEAVE;
    }
    finish(execution);
    return Done.YES;
  }

  /** Nobody waits for the end of a plan that is not held: who waits for its lock comes first. */
  private void finish(Execution execution) {
    Plan plan = execution.plan();
    Action action = execution.action();
    boolean alone = execution.hasLockOfItsOwn();
    if (plan != null && alone && plan.terms().held()) {
      finishPlan.end(plan);
    }
    if (alone || (plan != null && finishPlan.after(plan, action))) {
      runPlan.runNext(action.partition(), action.terms().entityKey());
    }
    if (plan != null && alone && !plan.terms().held()) {
      finishPlan.end(plan);
    }
  }

  /**
   * Disposes of an action whose message failed too often: unknown if its intent was written, failed
   * if not (architecture, "Nothing stays stuck"). A call that may be under way is waited for, and
   * what is not its turn yet is dispatched again when it is.
   */
  public Done giveUp(Dispatch dispatch) {
    Optional<Loaded> found = load(dispatch);
    if (found.isEmpty() || !itsTurn(found.get().execution())) {
      return Done.YES;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      return settleAgain(execution);
    }
    Verdict verdict = execution.action().terms().verdict();
    return endUncalled(
        found.get(), Ending.failed(verdict, "The executor failed too often to call."));
  }

  private boolean itsTurn(Execution execution) {
    Plan plan = execution.plan();
    return plan == null
        || execution.refusedAtClaim()
        || finishPlan.isNext(plan, execution.action());
  }

  private Done settleAgain(Execution execution) {
    disposeAction.settle(execution);
    finish(execution);
    return Done.YES;
  }
}
