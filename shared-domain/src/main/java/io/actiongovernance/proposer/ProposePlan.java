package io.actiongovernance.proposer;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.kernel.ClaimPlan.TenantState;
import io.actiongovernance.kernel.StartPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.DraftedBy;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.ProposerKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a proposal into a plan: validates it, evaluates every action, and stores the plan. The plan
 * is held if an action's verdict is ALERT; otherwise it goes to the kernel at once (specification,
 * States; contract, sections 2 and 4). Thread-safe.
 */
public final class ProposePlan {
  private static final Refusal REFUSED_BEFORE =
      new Refusal.Conflict("An earlier attempt to propose this plan was refused.");

  private final Connectors connectors;
  private final EvaluateProposal evaluateProposal;
  private final RefusedProposals refusedProposals;
  private final StartPlan startPlan;
  private final ApprovalDefaults approvalDefaults;
  private final Ids ids;

  public ProposePlan(
      Connectors connectors,
      EvaluateProposal evaluateProposal,
      RefusedProposals refusedProposals,
      StartPlan startPlan,
      ApprovalDefaults approvalDefaults,
      Ids ids) {
    this.connectors = connectors;
    this.evaluateProposal = evaluateProposal;
    this.refusedProposals = refusedProposals;
    this.startPlan = startPlan;
    this.approvalDefaults = approvalDefaults;
    this.ids = ids;
  }

  /**
   * Origin of a proposal.
   *
   * @param planId identifier of the future plan; equal for the same proposal made again
   * @param once key that at most one plan may have, within the event if there is one; null if every
   *     proposal is a new plan
   * @param requestId the request that led to it; null for schedules
   * @param proposer the party that states the fields that no argument binds
   * @param retriedAs the caller and its {@code Idempotency-Key} header, for retries; null if none
   * @param call whether the plan is only a tool's call, so that its action's key names the plan
   * @param said position in the requester's trace, or null if it states none
   * @param amends the open plan that it replaces and whose deadline it inherits; null if none
   */
  public record Origin(
      Operator operator,
      @Nullable Event event,
      CorrelationId correlationId,
      @Nullable RequestId requestId,
      ProposedBy proposedBy,
      PlanId planId,
      @Nullable String once,
      ProposerKind proposer,
      @Nullable String retriedAs,
      boolean call,
      @Nullable TraceParent said,
      @Nullable Plan amends) {
    /**
     * Creates the origin of a proposal that is more than a tool's call and states no trace of its
     * own.
     */
    public Origin(
        Operator operator,
        @Nullable Event event,
        CorrelationId correlationId,
        @Nullable RequestId requestId,
        ProposedBy proposedBy,
        PlanId planId,
        @Nullable String once,
        ProposerKind proposer,
        @Nullable String retriedAs) {
      this(
          operator,
          event,
          correlationId,
          requestId,
          proposedBy,
          planId,
          once,
          proposer,
          retriedAs,
          false,
          null,
          null);
    }

    /**
     * Returns the trace position that it belongs to: the proposer's own, or its event's if the
     * proposer states none.
     */
    @Nullable TraceParent trace() {
      return said != null || event == null ? said : event.trace();
    }

    public Partition partition() {
      return operator.partition();
    }

    /**
     * Returns the workspace of the proposal: the event's, or the operator's if there is no event.
     */
    @Nullable String workspaceId() {
      return event != null && event.workspaceId() != null
          ? event.workspaceId()
          : operator.workspaceId();
    }

    /** Returns the source of the idempotency keys that are left out. */
    KeySource keys() {
      if (call) {
        return KeySource.call(planId);
      }
      if (retriedAs != null) {
        return KeySource.header(retriedAs);
      }
      if (event != null) {
        return KeySource.event(event);
      }
      return once == null ? KeySource.plan(planId) : KeySource.schedule(once);
    }
  }

  /**
   * Returns whether this origin has already had its one plan or its refusal. Finishes the steps of
   * that plan that a crash left undone.
   */
  public boolean finishedBefore(Origin origin) {
    return startPlan.startedBefore(origin.partition(), origin.event(), origin.once());
  }

  /** Reads the state that the plan of a proposal depends on besides its operator. */
  public TenantState tenantState(Partition partition) {
    return startPlan.tenantState(partition);
  }

  /**
   * Reads a proposal's operator, if the caller may see it, and the other state that its plan
   * depends on.
   */
  public Optional<ClaimPlan.Basics> begin(Caller caller, OperatorId operator) {
    return startPlan
        .begin(caller.partition(), operator)
        .filter(begun -> caller.sees(begun.operator().workspaceId(), operator));
  }

  /**
   * Turns an outside agent's proposal into a plan, or finds the plan that was already made of it.
   * An invalid proposal is refused with a receipt.
   *
   * @param tenantState just read
   */
  public Outcome<Plan> propose(Origin origin, Proposal.Proposed proposal, TenantState tenantState) {
    Optional<Plan> made = startPlan.goOn(origin.partition(), origin.planId(), origin.event());
    if (made.isPresent()) {
      return Outcome.done(made.get());
    }
    return propose(
        origin,
        proposal,
        connectors.usable(origin.partition(), origin.operator().workspaceId()),
        DraftedBy.agent(),
        tenantState);
  }

  /**
   * Turns a tool's call into a plan, or finds the plan that was made of it under the same
   * identifier. An invalid call is refused with a receipt.
   *
   * @param origin the origin of a call
   * @param usable the connectors that its operator may use, just read
   * @param tenantState just read
   */
  public Outcome<Plan> proposeCall(
      Origin origin, ProposedAction action, List<Connector> usable, TenantState tenantState) {
    return propose(
        origin,
        new Proposal.Proposed(null, List.of(action)),
        usable,
        DraftedBy.agent(),
        tenantState);
  }

  /**
   * Turns a proposal that was requested once, and has no known plan, into a plan.
   *
   * @param usable the connectors that its operator may use
   * @param tenantState null unless just read, with everything that the proposal depends on
   */
  Outcome<Plan> propose(
      Origin origin,
      Proposal.Proposed proposal,
      List<Connector> usable,
      DraftedBy draftedBy,
      @Nullable TenantState tenantState) {
    return switch (ProposalRules.check(
        origin.operator(), origin.event(), proposal, usable, origin.keys(), origin.proposer())) {
      case Refused(Refusal refusal) -> {
        refuse(origin, refusal.sentence(), draftedBy);
        yield Outcome.refused(refusal);
      }
      case Done(List<PlannedDraft> drafts) ->
          plan(
              origin,
              draftedBy,
              draft(origin, draftedBy, proposal.reasoning(), drafts),
              tenantState);
    };
  }

  /** Writes the receipt of a proposal that does not become a plan. */
  void refuse(Origin origin, String why, DraftedBy draftedBy) {
    refusedProposals.record(origin, why, draftedBy.digest());
  }

  /**
   * Stores a plan. If it must be held and its operator already has too many held plans, it is
   * refused.
   */
  private Outcome<Plan> plan(
      Origin origin, DraftedBy draftedBy, NewPlan made, @Nullable TenantState tenantState) {
    if (made.plan().terms().held() && startPlan.heldUp(origin.operator())) {
      return startPlan
          .goOn(origin.partition(), made.plan().id(), origin.event())
          .map(Outcome::done)
          .orElseGet(() -> heldUp(origin, draftedBy));
    }
    return startPlan
        .start(made, origin.event(), origin.operator(), tenantState)
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(REFUSED_BEFORE));
  }

  /**
   * Refuses a plan that must be held because its operator already has too many held plans. A
   * requester gets the refusal and may ask again. Without a requester, a receipt records the
   * refusal, once for each {@code once} key.
   */
  private Outcome<Plan> heldUp(Origin origin, DraftedBy draftedBy) {
    Refusal refusal =
        new Refusal.QuotaExceeded(
            "The operator already has "
                + Plans.MOST_HELD
                + " plans waiting for approval, the maximum."
                + " Propose again when some are decided.");
    if (origin.once() != null) {
      refuse(origin, refusal.sentence(), draftedBy);
    }
    return Outcome.refused(refusal);
  }

  /** Drafts the plan of checked actions, evaluated but not stored. */
  NewPlan draft(
      Origin origin, DraftedBy draftedBy, @Nullable String reasoning, List<PlannedDraft> drafts) {
    Operator operator = origin.operator();
    List<Evaluation> evaluations =
        evaluateProposal.evaluate(
            origin.partition(),
            operator.id(),
            operator.guardrails(),
            drafts,
            origin.planId().madeAt());
    List<@Nullable ApprovalPolicy> approvals =
        approvalDefaults.fill(origin.partition(), evaluations);
    List<Action> actions = new ArrayList<>();
    for (int position = 0; position < drafts.size(); position++) {
      actions.add(
          action(
              origin,
              position,
              drafts.get(position),
              evaluations.get(position),
              approvals.get(position)));
    }
    boolean held = evaluations.stream().anyMatch(one -> one.verdict().decision() == Decision.ALERT);
    Plan plan = plan(origin, draftedBy.provider(), reasoning, actions, held);
    return new NewPlan(plan, actions, origin.once(), draftedBy.exchange());
  }

  private static Plan plan(
      Origin origin,
      String provider,
      @Nullable String reasoning,
      List<Action> actions,
      boolean held) {
    Instant proposedAt = origin.planId().madeAt();
    Plan amends = origin.amends();
    List<ApprovalPolicy> approvals =
        actions.stream()
            .flatMap(action -> Optional.ofNullable(action.terms().approval()).stream())
            .distinct()
            .toList();
    Plan.Terms terms =
        new Plan.Terms(
            origin.operator().id(),
            origin.event() == null ? null : origin.event().id(),
            origin.workspaceId(),
            origin.correlationId(),
            origin.requestId(),
            origin.operator().guardrailsVersion(),
            provider,
            origin.proposedBy(),
            reasoning,
            actions.stream().map(Action::id).toList(),
            actions.stream().map(action -> action.terms().connector()).collect(Collectors.toSet()),
            Plan.Outline.of(actions),
            held,
            proposedAt,
            Plan.endOf(proposedAt, latestEnd(origin, proposedAt), approvals),
            amends == null ? null : amends.id(),
            approvals);
    return new Plan(
        origin.planId(),
        origin.partition(),
        terms,
        Plan.State.PROPOSED,
        held ? WaitingOn.APPROVAL : WaitingOn.EXECUTION,
        null,
        null,
        null);
  }

  /** Returns when the plan expires, unless an approval policy requires an earlier end. */
  private static Instant latestEnd(Origin origin, Instant proposedAt) {
    Plan amends = origin.amends();
    return amends == null
        ? proposedAt.plusSeconds(origin.operator().planTtlSeconds())
        : amends.expiresAt();
  }

  private Action action(
      Origin origin,
      int position,
      PlannedDraft draft,
      Evaluation evaluation,
      @Nullable ApprovalPolicy approval) {
    Operator operator = origin.operator();
    String toolDigest = ToolDigest.of(draft.connector(), draft.tool());
    Action.Terms terms =
        new Action.Terms(
            origin.planId(),
            position,
            operator.id(),
            origin.event() == null ? null : origin.event().id(),
            origin.correlationId(),
            origin.workspaceId(),
            draft.connector().id(),
            draft.tool().name(),
            toolDigest,
            draft.connector().isRead(draft.tool()),
            draft.args(),
            Summary.of(draft.tool(), draft.args()),
            draft.facts(),
            draft.idempotencyKey(),
            evaluation.verdict(),
            evaluation.limitedBy(),
            ActionDigest.of(
                origin.partition().tenant(),
                operator.id(),
                draft.connector().id(),
                draft.tool().name(),
                toolDigest,
                draft.args(),
                draft.facts(),
                draft.idempotencyKey()),
            null,
            origin.trace(),
            approval,
            operator.guardrails().isTimed());
    return new Action(ActionId.next(ids), origin.partition(), terms);
  }
}
