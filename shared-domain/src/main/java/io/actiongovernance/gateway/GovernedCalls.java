package io.actiongovernance.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.gateway.RememberedCalls.Call;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a plan of one action for a call of a tool, or finds the plan that an equal earlier call
 * made (contract for agents, section 4). Then it waits for the plan's result. A row names the plan
 * before the plan is made. After a crash, the same call made again continues under that name.
 * Thread-safe.
 */
public final class GovernedCalls {
  /**
   * Time after which no process that named a plan can still be about to make it, because no
   * function runs longer. A plan that is made later has that much less time left.
   */
  private static final Duration AT_WORK = Duration.ofMinutes(15);

  /**
   * Time for which a call is remembered after its plan's lifetime. Until then, the same call finds
   * its plan instead of making another. It is this long because an unknown outcome may take long to
   * be resolved.
   */
  private static final Duration REMEMBERED = Duration.ofDays(120);

  private static final Refusal BUSY =
      new Refusal.Busy("Too many identical calls are being made at once.", Duration.ofSeconds(1));

  private static final int TRIES = 10;

  private final Collaborators parts;
  private final RememberedCalls remembered;
  private final InstantSource clock;

  public record Collaborators(
      ProposePlan proposePlan,
      AwaitPlan awaitPlan,
      ExpirePlan expirePlan,
      Plans plans,
      Actions actions,
      HaltRegister halts) {}

  public GovernedCalls(Collaborators parts, RememberedCalls remembered, InstantSource clock) {
    this.parts = parts;
    this.remembered = remembered;
    this.clock = clock;
  }

  /**
   * A call.
   *
   * @param begun its operator, and the other state that a plan depends on, read just now
   * @param usable the connectors that the operator may use, read just now
   * @param saidKey the caller's idempotency key for the action, or null
   * @param minted the ULID of the future plan; identical if the same request is sent again
   * @param sentAgain whether the same request may have been sent before, under an {@code
   *     Idempotency-Key}
   * @param patience how long to wait for the result
   * @param trace position of the caller's trace, or null
   */
  public record Request(
      ClaimPlan.Basics begun,
      List<Connector> usable,
      OfferedTool tool,
      ObjectNode args,
      @Nullable String saidKey,
      String minted,
      boolean sentAgain,
      Duration patience,
      @Nullable TraceParent trace) {
    public Request {
      usable = List.copyOf(usable);
    }

    Operator operator() {
      return begun.operator();
    }
  }

  /** Reads the operator whose tool will be called, and the other state that its plan depends on. */
  public Optional<ClaimPlan.Basics> begin(Caller caller, OperatorId operator) {
    return parts.proposePlan().begin(caller, operator);
  }

  /**
   * Makes the call. Returns when the call is done, waits for a person, or has taken longer than the
   * patience.
   */
  public Outcome<GovernedCall> call(Caller caller, Request request) {
    if (request.operator().status() != OperatorStatus.ACTIVE) {
      return Outcome.refused(
          new Refusal.Conflict("The operator is " + request.operator().status().wire() + "."));
    }
    PlanId mine = request.begun().tenantState().allowance().spread().plan(request.minted());
    if (request.sentAgain()) {
      Optional<Plan> made = parts.plans().find(caller.partition(), mine);
      if (made.isPresent()) {
        return Outcome.done(awaited(caller, request, made.get(), false));
      }
    }
    Call call =
        new Call(
            caller.partition(),
            caller.principal(),
            request.operator().id(),
            request.tool().connector().id(),
            request.tool().tool().name(),
            request.args(),
            request.saidKey());
    for (int at = 0; at < TRIES; at++) {
      Optional<PlanId> other = remembered.begin(call, mine, until(request.operator()));
      if (other.isEmpty()) {
        return proposed(caller, request, mine, false);
      }
      Optional<Plan> there =
          parts.plans().find(caller.partition(), other.get()).map(parts.expirePlan()::seen);
      if (there.isPresent() && stands(there.get(), request, call, mine.madeAt())) {
        return Outcome.done(awaited(caller, request, there.get(), true));
      }
      if (there.isEmpty() && isAtWork(other.get(), request.operator())) {
        return proposed(caller, request, other.get(), true);
      }
      if (remembered.replace(call, other.get(), mine, until(request.operator()))) {
        return proposed(caller, request, mine, false);
      }
    }
    return Outcome.refused(BUSY);
  }

  /** Returns when the row of a call expires. */
  private Instant until(Operator operator) {
    return clock.instant().plusSeconds(operator.planTtlSeconds()).plus(REMEMBERED);
  }

  private boolean isAtWork(PlanId named, Operator operator) {
    Duration age = Duration.between(named.madeAt(), clock.instant());
    Duration life = Duration.ofSeconds(operator.planTtlSeconds());
    return age.compareTo(AT_WORK) < 0 && age.compareTo(life) < 0;
  }

  /**
   * Returns whether a repeated call gets this plan. It does while the plan is open, for some time
   * afterwards, and while the plan's outcome is unknown. A read-only call with an unknown outcome
   * is made again.
   *
   * @param called when the repeated call was made; later delays of the service must not count
   *     against its caller
   */
  private boolean stands(Plan plan, Request request, Call call, Instant called) {
    Instant disposedAt = plan.disposedAt();
    if (disposedAt == null) {
      return true;
    }
    OfferedTool tool = request.tool();
    if (called.isBefore(disposedAt.plus(tool.connector().repeat(tool.tool())))) {
      return true;
    }
    boolean unresolved =
        tool.tool().hasSideEffects() && actions(plan).stream().anyMatch(Action::unresolved);
    if (unresolved) {
      remembered.keep(call, plan.id(), until(request.operator()));
    }
    return unresolved;
  }

  private Outcome<GovernedCall> proposed(
      Caller caller, Request request, PlanId planId, boolean earlier) {
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            request.operator(),
            null,
            // Derived from the plan's id, so that the same call made again creates the same plan.
            new CorrelationId(
                CorrelationId.PREFIX + planId.value().substring(PlanId.PREFIX.length())),
            caller.requestId(),
            ProposedBy.caller(caller),
            planId,
            null,
            ProposerKind.AGENT,
            null,
            true,
            request.trace(),
            null);
    ProposedAction action =
        new ProposedAction(
            request.tool().connector().id().value(),
            request.tool().tool().name(),
            request.args(),
            null,
            null,
            null,
            request.saidKey());
    return parts
        .proposePlan()
        .proposeCall(origin, action, request.usable(), request.begun().tenantState())
        .then(plan -> Outcome.done(awaited(caller, request, plan, earlier)));
  }

  private GovernedCall awaited(Caller caller, Request request, Plan plan, boolean earlier) {
    Plans.WithActions rested =
        plan.disposedAt() == null
            ? parts.awaitPlan().atRestWithActions(caller, plan, request.patience())
            : new Plans.WithActions(plan, actions(plan));
    return shown(rested, earlier, request.tool().connector());
  }

  /** Returns a held call once its plan is disposed or the patience has run out. */
  public GovernedCall decided(Caller caller, GovernedCall call, Duration patience) {
    Plan plan = parts.awaitPlan().disposed(caller, call.plan(), patience);
    return shown(new Plans.WithActions(plan, actions(plan)), false, null);
  }

  private GovernedCall shown(
      Plans.WithActions whole, boolean earlier, @Nullable Connector connector) {
    Plan plan = whole.plan();
    boolean halted = plan.disposedAt() == null && plan.freeze().standing();
    return new GovernedCall(
        plan,
        whole.actions(),
        connector,
        earlier,
        halted,
        halted
            ? parts
                .halts()
                .covering(plan.partition(), plan.terms().operatorId(), plan.terms().connectors())
                .map(HaltRegister.Stop::halt)
                .orElse(null)
            : null);
  }

  private List<Action> actions(Plan plan) {
    return parts.actions().findAll(plan.partition(), plan.terms().actionIds());
  }

  /**
   * Returns a plan of the operator in its present state, if the caller may know its result ({@link
   * GovernedCall#isFor}).
   */
  public Optional<GovernedCall> find(Caller caller, OperatorId operator, PlanId id) {
    return parts
        .plans()
        .find(caller.partition(), id)
        .filter(plan -> plan.terms().operatorId().equals(operator))
        .filter(plan -> GovernedCall.isFor(caller, plan))
        .map(parts.expirePlan()::seen)
        .map(plan -> shown(new Plans.WithActions(plan, actions(plan)), false, null));
  }
}
