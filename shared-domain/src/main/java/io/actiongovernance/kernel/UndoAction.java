package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.Binding;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Judged;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the declared inverse of an applied action, as an action of its own: under the same lock, by
 * its own idempotency key, vetted by the guardrails, with its own receipt (specification, Actions;
 * contract, section 2). Thread-safe.
 */
public final class UndoAction {
  private final Actions actions;
  private final Plans plans;
  private final Operators operators;
  private final Connectors connectors;
  private final Allowance allowance;
  private final ReserveAllowance reserveAllowance;
  private final Budgets budgets;
  private final HaltRegister halts;
  private final Transactions transactions;
  private final ExecuteAction executeAction;
  private final Dispatcher dispatcher;
  private final AwaitDisposal awaitDisposal;
  private final Ids ids;
  private final InstantSource clock;

  public UndoAction(
      Actions actions,
      Plans plans,
      Operators operators,
      Connectors connectors,
      Allowance allowance,
      ReserveAllowance reserveAllowance,
      Budgets budgets,
      HaltRegister halts,
      Transactions transactions,
      ExecuteAction executeAction,
      Dispatcher dispatcher,
      AwaitDisposal awaitDisposal,
      Ids ids,
      InstantSource clock) {
    this.actions = actions;
    this.plans = plans;
    this.operators = operators;
    this.connectors = connectors;
    this.allowance = allowance;
    this.reserveAllowance = reserveAllowance;
    this.budgets = budgets;
    this.halts = halts;
    this.transactions = transactions;
    this.executeAction = executeAction;
    this.dispatcher = dispatcher;
    this.awaitDisposal = awaitDisposal;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * A request to undo.
   *
   * @param undoId the identifier of the undo action; the same for the same request sent again
   * @param undoneBy who asks, as the request says; null if it does not, which is its key then
   * @param patience how long to wait for the outcome
   */
  public record Request(
      ActionId actionId,
      ActionId undoId,
      @Nullable String undoneBy,
      @Nullable String reason,
      Duration patience) {}

  /** The action whose inverse was applied, and the action that did. */
  public record Undone(Action original, Action undo) {}

  /** Undoes, and waits for the outcome. */
  public Outcome<Undone> undo(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    Partition partition = caller.partition();
    Optional<Action> found =
        actions
            .find(partition, request.actionId())
            .filter(
                action -> caller.sees(action.terms().workspaceId(), action.terms().operatorId()));
    Optional<Plan> plan = found.flatMap(action -> plans.find(partition, action.terms().planId()));
    if (found.isEmpty() || plan.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("action"));
    }
    Action original = found.get();
    Optional<Action> begun = actions.find(partition, request.undoId());
    if (begun.isPresent()) {
      return await(original, begun.get(), deadline);
    }
    Optional<String> obstacle = obstacle(original);
    if (obstacle.isPresent()) {
      return notUndoable(obstacle.get());
    }
    Optional<HaltRegister.Stop> stop =
        halts.covering(
            partition, original.terms().operatorId(), Set.of(original.terms().connector()));
    if (stop.isPresent()) {
      return Outcome.refused(new Refusal.Halted(stop.get().halt()));
    }
    Action.Inverse inverse =
        Objects.requireNonNull(Objects.requireNonNull(original.disposal()).inverse());
    Optional<Connector> connector = connectors.find(partition, original.terms().connector());
    Optional<Tool> tool = connector.flatMap(one -> one.tool(inverse.tool()));
    if (tool.isEmpty()) {
      return notUndoable("The connector, or its inverse tool, is no longer there.");
    }
    ObjectNode args = inverse.args();
    if (args == null) {
      return notUndoable("The source system's answer to the action lacks what its inverse needs.");
    }
    Optional<Facts> facts = Binding.bindInverse(tool.get(), args, original.terms().facts());
    if (facts.isEmpty()) {
      return notUndoable("The inverse names another entity than the action's.");
    }
    Inverse bound = new Inverse(connector.get(), tool.get(), args, facts.get());
    ProposedBy proposedBy = plan.get().terms().proposedBy();
    return claim(original, undoAction(caller, request, original, proposedBy, bound), deadline);
  }

  /** The call that takes an action back, as its connector has it now. */
  private record Inverse(Connector connector, Tool tool, ObjectNode args, Facts facts) {
    String toolDigest() {
      return ToolDigest.of(connector, tool);
    }

    Candidate candidate() {
      return new Candidate(
          connector.id(), tool.name(), tool.tier(), connector.isRead(tool), args, facts);
    }
  }

  private static Optional<String> obstacle(Action original) {
    if (original.terms().undoing() != null) {
      return Optional.of("An undo cannot be undone.");
    }
    if (original.undone()) {
      return Optional.of("The action is already undone.");
    }
    return original.undoable()
        ? Optional.empty()
        : Optional.of("The action did not apply, or its tool declares no inverse.");
  }

  private Action undoAction(
      Caller caller, Request request, Action original, ProposedBy proposedBy, Inverse inverse) {
    Action.Terms terms = original.terms();
    Action.Disposal disposal = Objects.requireNonNull(original.disposal());
    // Its guardrail counts for the inverse that was declared when the action was disposed, alone.
    boolean declared =
        inverse.toolDigest().equals(Objects.requireNonNull(disposal.inverse()).toolDigest());
    String originalRule = declared ? disposal.verdict().rule() : null;
    Optional<Operator> operator = operators.find(original.partition(), terms.operatorId());
    Judged judged =
        operator
            .map(owner -> judge(owner, inverse.candidate(), originalRule))
            .orElseGet(
                () ->
                    new Judged(
                        new Verdict(Decision.BLOCK, inverse.tool().tier(), null), List.of()));
    String undoneBy = request.undoneBy();
    Action.Undoing undoing =
        new Action.Undoing(
            original.id(),
            undoneBy == null ? caller.keyName() : undoneBy,
            Decider.byKey(caller.principal(), undoneBy, clock.instant()),
            proposedBy,
            request.reason(),
            caller.requestId(),
            originalRule,
            operator.map(Operator::guardrailsVersion).orElse(0L),
            blocked(judged.verdict())
                ? null
                : allowance.part(allowance.terms(original.partition()), ids.next()));
    return new Action(
        request.undoId(), original.partition(), terms(original, inverse, judged, undoing));
  }

  private Judged judge(Operator operator, Candidate candidate, @Nullable String originalRule) {
    return budgets.judge(
        operator.partition(),
        operator.id(),
        ExecutionPolicy.evaluateUndo(operator, candidate, originalRule),
        candidate,
        List.of());
  }

  private static Action.Terms terms(
      Action original, Inverse inverse, Judged judged, Action.Undoing undoing) {
    Action.Terms terms = original.terms();
    String key = UndoKey.of(original);
    String tool = inverse.tool().name();
    String toolDigest = inverse.toolDigest();
    return new Action.Terms(
        terms.planId(),
        terms.position(),
        terms.operatorId(),
        terms.eventId(),
        terms.correlationId(),
        terms.workspaceId(),
        terms.connector(),
        tool,
        toolDigest,
        inverse.candidate().read(),
        inverse.args(),
        Summary.of(inverse.tool(), inverse.args()),
        inverse.facts(),
        key,
        judged.verdict(),
        judged.limitedBy(),
        ActionDigest.of(
            original.partition().tenant(),
            terms.operatorId(),
            terms.connector(),
            tool,
            toolDigest,
            inverse.args(),
            inverse.facts(),
            key),
        undoing);
  }

  private static boolean blocked(Verdict verdict) {
    return verdict.decision() == Decision.BLOCK;
  }

  /** A refused undo takes no lock and none of the allowance: it never runs. */
  private Outcome<Undone> claim(Action original, Action undo, Instant deadline) {
    Partition partition = original.partition();
    Allowance.Part part = Objects.requireNonNull(undo.terms().undoing()).part();
    if (part != null && !reserveAllowance.reserve(partition, part, List.of(undo.id()))) {
      return Outcome.refused(ReserveAllowance.NO_ROOM);
    }
    Instant now = clock.instant();
    String entity = undo.terms().entityKey();
    List<Write> writes = new ArrayList<>();
    writes.add(Actions.beginUndo(original, undo.id()));
    writes.add(Actions.insertUndo(undo, now.plus(KernelTimes.LOOK)));
    if (part != null) {
      writes.add(
          EntityLocks.take(partition, entity, undo.id().value(), undo.terms().planId(), now));
    }
    Store.Transacted written = transactions.run(writes);
    if (written instanceof Store.Transacted.Refused refused) {
      if (part != null) {
        allowance.release(partition, part, undo.id());
      }
      return refusal(original, undo.id(), refused, deadline);
    }
    if (part == null) {
      executeAction.execute(Dispatch.of(undo));
    } else {
      dispatcher.dispatch(Dispatch.of(undo), 0);
    }
    return await(original, undo, deadline);
  }

  private Outcome<Undone> refusal(
      Action original, ActionId undo, Store.Transacted.Refused refused, Instant deadline) {
    Optional<Action> begun = actions.find(original.partition(), undo);
    if (begun.isPresent()) {
      // The same request, made twice at once.
      return await(original, begun.get(), deadline);
    }
    Action now = actions.find(original.partition(), original.id()).orElseThrow();
    ActionId inFlight = now.undo().inFlight();
    if (inFlight != null
        && actions.find(original.partition(), inFlight).filter(Action::unresolved).isPresent()) {
      return Outcome.refused(new Refusal.UndoUnknown(inFlight));
    }
    Optional<EntityLock> lock = refused.of(2).flatMap(Store.Refusal::found).map(EntityLocks::read);
    if (lock.isPresent()) {
      return Outcome.refused(lock.get().refusal(clock.instant()));
    }
    return now.undone()
        ? notUndoable("The action is already undone.")
        : Outcome.refused(
            new EntityLock(
                    original.terms().entityKey(),
                    (inFlight == null ? original.id() : inFlight).value(),
                    original.terms().planId())
                .refusal(clock.instant()));
  }

  private Outcome<Undone> await(Action original, Action undo, Instant deadline) {
    Optional<Action> disposed =
        awaitDisposal.until(
            deadline,
            () ->
                actions
                    .find(undo.partition(), undo.id())
                    .filter(action -> action.disposal() != null));
    if (disposed.isEmpty()) {
      return Outcome.refused(new Refusal.Unfinished());
    }
    Action ended = disposed.get();
    if (ended.isBlocked()) {
      Plan plan = plans.find(ended.partition(), ended.terms().planId()).orElseThrow();
      return Outcome.refused(PlanRefusals.policyBlocked(plan, List.of(ended), clock.instant()));
    }
    Action.Disposal disposal = Objects.requireNonNull(ended.disposal());
    return switch (disposal.outcome()) {
      case APPLIED -> Outcome.done(new Undone(original, ended));
      case DEDUPLICATED -> notUndoable("Another action has the idempotency key of the undo.");
      case UNKNOWN -> failed("Nobody knows whether the inverse applied: " + disposal.error());
      default -> failed("The inverse did not apply: " + disposal.error());
    };
  }

  private static Outcome<Undone> notUndoable(String why) {
    return Outcome.refused(new Refusal.NotUndoable(why));
  }

  private static Outcome<Undone> failed(String why) {
    return Outcome.refused(new Refusal.UpstreamFailed(why));
  }
}
