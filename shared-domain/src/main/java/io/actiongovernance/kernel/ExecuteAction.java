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
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.kernel.ExecutionPolicy.Ruling;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Reservation;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      Execution execution, Optional<Operator> operator, Optional<Connector> connector) {}

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
    Map<Key, Item> items = store.getByKey(List.of(actionKey, planKey, operatorKey, connectorKey));
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
                    Optional.ofNullable(items.get(connectorKey)).map(connectors::read)));
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
      return endUncalled(execution, Ending.refused(verdict, "approval_mismatch"));
    }
    if (ruling.refuses() || execution.refusedAtClaim()) {
      return endUncalled(execution, Ending.refused(verdict, ruling.reason()));
    }
    Optional<Tool> tool = loaded.connector().flatMap(found -> found.tool(action.terms().tool()));
    if (tool.isEmpty()) {
      return endUncalled(
          execution, Ending.failed(verdict, "The connector or its tool is no longer there."));
    }
    return claim(execution, ruling, loaded.connector().orElseThrow(), tool.get());
  }

  private Done claim(Execution execution, Ruling ruling, Connector connector, Tool tool) {
    Action action = execution.action();
    Verdict verdict = ruling.verdict();
    Instant now = clock.instant();
    return switch (claims.claim(action, holds(action, ruling), now, now.plus(KernelTimes.LEASE))) {
      case Claimed.Fresh _ -> reserveAndCall(execution, ruling, connector, tool, null);
      case Claimed.Interrupted(EffectClaim claim) ->
          tool.retrySafe()
              ? reserveAndCall(execution, ruling, connector, tool, claim)
              : end(execution, Ending.abandoned(verdict, INTERRUPTED), claim.holds());
      case Claimed.Settled _ -> execute(Dispatch.of(action));
      case Claimed.Taken(EffectClaim claim) when claim.owner().equals(action.id()) ->
          own(execution, verdict, Optional.of(tool), claim);
      case Claimed.Taken(EffectClaim claim) -> taken(execution, verdict, claim);
    };
  }

  private List<String> holds(Action action, Ruling ruling) {
    Guardrail guardrail = ruling.decidedBy();
    Action.Terms terms = action.terms();
    return guardrail == null
        ? List.of()
        : budgets.holds(action.partition(), terms.operatorId(), guardrail, terms.candidate());
  }

  /**
   * Reserves the limits of the guardrail that decided, then calls. Only the owner of the intent
   * comes here, so that nobody counts an action that another invocation has settled.
   */
  private Done reserveAndCall(
      Execution execution,
      Ruling ruling,
      Connector connector,
      Tool tool,
      @Nullable EffectClaim interrupted) {
    Verdict verdict = ruling.verdict();
    Guardrail guardrail = ruling.decidedBy();
    List<String> holds = interrupted == null ? List.of() : interrupted.holds();
    if (guardrail != null && !guardrail.limits().isEmpty()) {
      switch (reserve(execution.action(), guardrail)) {
        case Reservation.Exceeded _ -> {
          // The interrupted call may have applied, so it must not read as refused.
          return interrupted == null
              ? end(execution, Ending.limited(verdict), List.of())
              : end(execution, Ending.abandoned(verdict, INTERRUPTED), holds);
        }
        case Reservation.Reserved(List<String> reserved) ->
            holds = Stream.concat(holds.stream(), reserved.stream()).distinct().toList();
      }
    }
    StartPermit permit = new StartPermit(halts, execution.action(), clock);
    if (!permit.getAsBoolean()) {
      return halted(execution, holds, interrupted != null);
    }
    CallResult result = toolCaller.call(toolCall(execution.action(), connector, tool, permit));
    return switch (result) {
      case CallResult.Paced(Instant notBefore) -> paced(execution, notBefore, interrupted != null);
      // That this call failed says nothing of the one before it.
      case CallResult.Failed(String error) when interrupted != null ->
          end(execution, Ending.abandoned(verdict, INTERRUPTED + ", and then: " + error), holds);
      case CallResult.Refused(String reason) when interrupted != null ->
          end(execution, Ending.abandoned(verdict, INTERRUPTED + ", and then: " + reason), holds);
      default ->
          end(execution, Ending.of(verdict, Optional.of(tool), execution.action(), result), holds);
    };
  }

  private Reservation reserve(Action action, Guardrail guardrail) {
    Action.Terms terms = action.terms();
    return budgets.reserve(
        action.partition(),
        terms.operatorId(),
        action.id(),
        guardrail,
        terms.candidate(),
        tolerated(terms, guardrail));
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
  private Done endUncalled(Execution execution, Ending ending) {
    Action action = execution.action();
    Optional<EffectClaim> claim =
        claims.find(action).filter(own -> own.owner().equals(action.id()));
    if (claim.isPresent() && claim.get().state() == State.PACED) {
      return end(execution, ending.afterPacing(), claim.get().holds());
    }
    if (claim.isEmpty() || claim.get().state() != State.INTENT) {
      return end(execution, ending, List.of());
    }
    boolean callMayGoOn = clock.instant().isBefore(claim.get().leaseUntil());
    // What it was called under is what counts, whatever the guardrails have come to say since.
    Verdict called = action.terms().verdict();
    if (claim.get().result() == null && !callMayGoOn) {
      return end(execution, Ending.abandoned(called, INTERRUPTED), claim.get().holds());
    }
    return own(execution, called, Optional.empty(), claim.get());
  }

  /** This action's own claim, under which a call was made or may be under way. */
  private Done own(Execution execution, Verdict verdict, Optional<Tool> tool, EffectClaim claim) {
    CallResult result = claim.result();
    if (claim.state() == State.INTENT && result != null) {
      return end(execution, Ending.of(verdict, tool, execution.action(), result), claim.holds());
    }
    // Not left to come again by itself: hidden anew, the message would come long after the lease.
    Duration leased = Duration.between(clock.instant(), claim.leaseUntil());
    return claim.state() == State.INTENT && leased.isPositive()
        ? park(execution, leased)
        : Done.LEAVE;
  }

  /** Another action's claim on the same idempotency key. */
  private Done taken(Execution execution, Verdict verdict, EffectClaim claim) {
    return switch (claim.state()) {
      case APPLIED -> end(execution, Ending.deduplicated(verdict), List.of());
      case UNKNOWN ->
          end(
              execution,
              Ending.unknownElsewhere(
                  verdict,
                  "the outcome of "
                      + claim.owner()
                      + " under the same idempotency key is not known"),
              List.of());
      case INTENT, PACED, FREE -> park(execution, KernelTimes.PAUSE);
    };
  }

  private ToolCall toolCall(Action action, Connector connector, Tool tool, StartPermit permit) {
    Action.Terms terms = action.terms();
    return new ToolCall(
        connector,
        tool,
        terms.args(),
        terms.idempotencyKey(),
        terms.workspaceId(),
        terms.correlationId(),
        clock.instant().plus(KernelTimes.CALL),
        permit);
  }

  /**
   * A call that was not made, for the sake of the pace. If an earlier one was interrupted, the
   * intent stands for that, and is left to run out.
   */
  private Done paced(Execution execution, Instant notBefore, boolean interrupted) {
    Duration pause = Duration.between(clock.instant(), notBefore);
    if (interrupted) {
      return park(execution, KernelTimes.LEASE.compareTo(pause) > 0 ? KernelTimes.LEASE : pause);
    }
    claims.putOff(execution.action());
    return park(execution, pause.isNegative() ? Duration.ZERO : pause);
  }

  /**
   * A call that was not made because a halt covers it. What its limits reserved is given back,
   * since a halt may outlast their windows; its plan keeps its locks. The lift has it dispatched
   * again, or the sweeper. An intent that stands for an interrupted call is left to run out.
   */
  private Done halted(Execution execution, List<String> holds, boolean interrupted) {
    Action action = execution.action();
    if (!interrupted) {
      budgets.settle(action.id(), holds, false);
      claims.putOff(action);
    }
    return execution.plan() == null ? park(execution, KernelTimes.HALT_PAUSE) : Done.YES;
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
    return endUncalled(execution, Ending.failed(verdict, "The executor failed too often to call."));
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
