package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.functions.access.DecidedByView;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.access.ProposedByView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.upstream.ShownRequest;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.ValueSum;
import io.actiongovernance.plan.WaitingOn;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plan object (specification, Plan object; contract, section 2). */
@Doc("An execution plan.")
public record PlanView(
    PlanId id,
    @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
    OperatorId operatorId,
    @Field(doc = "Identifier of the event; null for a scheduled run.") @Nullable EventId eventId,
    CorrelationId correlationId,
    @Field(
            doc =
                "`proposed` while it is open, executing included; `executed`, `vetoed` and `expired` are final.",
            example = "proposed")
        PlanStatus status,
    @Field(
            doc =
                "Reason why an open plan waits: a person's `approval`, its `execution`, another"
                    + " plan's `lock`, or room in the `allowance`; null if it is not open.",
            example = "approval")
        @Nullable WaitingOn waitingOn,
    @Field(doc = OutcomesView.DOC, as = OutcomesView.class, example = OutcomesView.EXAMPLE)
        @Nullable ObjectNode outcomes,
    @Field(doc = "The proposer's stated reasoning, verbatim; null if it gave none.")
        @Nullable String reasoning,
    @Field(
            doc = "Proposed actions in order, each with the verdict that binds as of now.",
            example =
                "[{\"id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"connector\":\"cn_01m80m2qj85nayp37vs674gsax\",\"tool\":\"sandbox.payment.refund\",\"args\":{\"order\":\"1042\",\"amount\":\"42.00\"},\"value\":42.0,\"currency\":null,\"entity_key\":\"order:1042\",\"idempotency_key\":\"auto_69998d7e670e798366fe13eef08c52d4\",\"summary\":\"Refund 42.00 of order 1042\",\"claimed\":[],\"verdict\":{\"decision\":\"ALERT\",\"tier\":2,\"rule\":\"large\",\"reason\":null,\"limit\":null},\"action_digest\":\"216e9ef16bbb9c5cf24f02a8dad3ed2eeb3552fb15a31a99d1ff19221522ae61\",\"call\":{\"method\":\"POST\",\"url\":\"sandbox:/refunds\",\"body\":\"{\\\"order\\\":\\\"1042\\\",\\\"amount\\\":\\\"42.00\\\"}\"},\"tool_digest\":\"5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f\",\"undo_of\":null}]")
        List<PlannedAction> actions,
    @Field(
            doc =
                ValueSumView.DOC
                    + " By the verdicts of `actions`; once the plan has ended, over the actions that"
                    + " were neither refused nor skipped.",
            as = ValueSumView.class,
            example = ValueSumView.EXAMPLE)
        List<ValueSum> values,
    @Field(doc = ValueSumView.MORE_DOC, min = 0, example = "0") int summariesMore,
    @Field(doc = "Version of the guardrails under which the plan was proposed.", example = "2")
        long guardrailsVersion,
    @Field(
            doc = "The proposer: the operator, for its script or model, or the key that called.",
            example =
                "{\"type\":\"operator\",\"id\":\"op_01m80m2r2v3bwk9w41e6q809dq\",\"name\":\"refund-desk\",\"triggered_by\":{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"shop\"}}",
            as = ProposedByView.class)
        ObjectNode proposedBy,
    @Field(
            doc = "The principal that amended the plan last; null if nobody has.",
            example =
                "{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"console\"}",
            as = PrincipalView.class)
        @Nullable ObjectNode amendedBy,
    @Field(
            doc =
                "Identifier of the plan that this one amends and replaces; null if there is"
                    + " none.")
        @Nullable PlanId amends,
    @Field(doc = "Identifier of the amended plan that replaces this one; null if there is none.")
        @Nullable PlanId supersededBy,
    @Field(
            doc =
                "Principals that approved or vetoed, as the service knows them; null until"
                    + " somebody has.",
            as = DecidedByView.class)
        @Nullable List<ObjectNode> decidedBy,
    @Field(doc = "Identifier of the approval; null unless it was approved.")
        @Nullable ApprovalId approvalId,
    @Field(doc = "Name of the approver, as given in the approval; null until then.")
        @Nullable String approver,
    @Field(doc = "The approver's note; null if there is none.") @Nullable String note,
    @Field(
            doc =
                "Name of the person or system that vetoed, as given in the veto; null unless"
                    + " the plan was vetoed.")
        @Nullable String vetoedBy,
    @Field(
            doc =
                "The principal that vetoed, as the service knows it; null unless the plan was"
                    + " vetoed.",
            as = PrincipalView.class)
        @Nullable ObjectNode vetoedByPrincipal,
    @Field(doc = "The reason of the veto as sent, verbatim; null unless it was vetoed.")
        @Nullable String vetoReason,
    @Field(doc = "True if the proposer vetoed the plan by withdrawing it.") boolean withdrawn,
    @Field(
            doc = "Time at which the operator proposed it: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:32.416Z")
        Instant proposedAt,
    @Field(
            doc =
                "Time at which the executor had disposed it, or it was vetoed or expired, RFC"
                    + " 3339; null while proposed.")
        @Nullable Instant disposedAt,
    @Field(
            doc =
                "Time at which it expires, or would have expired: RFC 3339 in UTC, to the"
                    + " millisecond. By default 72 hours after the proposal; the time of halts is"
                    + " given back.",
            example = "2026-11-25T03:16:32.416Z")
        Instant expiresAt) {

  /** An element of {@code actions}; {@code value} is omitted if none was proposed. */
  @Doc("An action of a plan.")
  public record PlannedAction(
      ActionId id,
      @JsonUnwrapped ActionFields fields,
      @Field(
              doc = "The policy's verdict on an action.",
              example =
                  "{\"decision\":\"ALERT\",\"tier\":2,\"rule\":\"large\",\"reason\":null,\"limit\":null}")
          VerdictView verdict,
      @Field(
              doc =
                  "SHA-256 (hex) of what an approval is bound to: tenant, operator, connector, tool, arguments, value, entity and idempotency key.",
              pattern = "[0-9a-f]{64}",
              example = "216e9ef16bbb9c5cf24f02a8dad3ed2eeb3552fb15a31a99d1ff19221522ae61")
          String actionDigest,
      @Field(
              doc = "SHA-256 (hex) of the tool as it was judged: an approval is bound to it.",
              pattern = "[0-9a-f]{64}",
              example = "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f")
          String toolDigest,
      @Field(doc = "Identifier of the action that this one undoes; null for any other.")
          @Nullable ActionId undoOf,
      @Field(
              doc =
                  "The request as it would be made now, without credentials and headers: what"
                      + " will happen, not only its name. Null once the plan is no longer open, if the"
                      + " connector or its tool is gone, or if no request can be made from the"
                      + " arguments.",
              example =
                  "{\"method\":\"POST\",\"url\":\"sandbox:/refunds\",\"body\":\"{\\\"order\\\":\\\"1042\\\",\\\"amount\\\":\\\"42.00\\\"}\"}")
          @Nullable Call call) {
    public record Call(
        @Field(
                doc = "The HTTP method; `tools/call` for a Model Context Protocol server.",
                example = "POST")
            String method,
        @Field(
                doc =
                    "Target URL, query included; `sandbox:` and a path for a call that never leaves"
                        + " the service.",
                example = "https://api.acme.example/charges/ch_1042/refunds")
            String url,
        @Field(
                doc =
                    "Body of the request, cut after 4,096 characters; null if nothing is sent, as"
                        + " for GET and DELETE. For a Model Context Protocol server, the tool's own name"
                        + " and its arguments.",
                example = "{\"amount\":\"42.00\"}")
            @Nullable String body) {
      static @Nullable Call of(@Nullable ShownRequest shown) {
        return shown == null ? null : new Call(shown.method(), shown.url(), shown.body());
      }
    }

    /**
     * @param open whether the action's plan is open; if so, an unsettled action shows its request
     *     as it would be made now
     */
    static PlannedAction of(RetrievePlan.ActionWithVerdict shown, boolean open) {
      Action.Terms terms = shown.action().terms();
      Connector connector = open && !shown.action().settled() ? shown.connector() : null;
      return new PlannedAction(
          shown.action().id(),
          ActionFields.of(terms),
          VerdictView.of(shown.verdict()),
          terms.digest(),
          terms.toolDigest(),
          terms.undoing() == null ? null : terms.undoing().original(),
          connector == null
              ? null
              : Call.of(ShownRequest.of(connector, terms.tool(), terms.args())));
    }
  }

  public static PlanView of(RetrievePlan.Read read, Instant now) {
    Plan plan = read.plan();
    Plan.Terms terms = plan.terms();
    Plan.Approval approval = plan.approval();
    Plan.Ending ending = plan.ending();
    PlanStatus status = plan.status(now);
    List<ObjectNode> deciders = plan.decidedBy().stream().map(Decider::wire).toList();
    return new PlanView(
        plan.id(),
        "execution_plan",
        terms.operatorId(),
        terms.eventId(),
        terms.correlationId(),
        status,
        status == PlanStatus.PROPOSED ? plan.waitingOn() : null,
        OutcomesView.of(plan.outcomes()),
        terms.reasoning(),
        read.actions().stream()
            .map(shown -> PlannedAction.of(shown, status == PlanStatus.PROPOSED))
            .toList(),
        read.values(),
        read.more(),
        terms.guardrailsVersion(),
        terms.proposedBy().wire(),
        terms.proposedBy().amendedByWire(),
        terms.amends(),
        ending == null ? null : ending.supersededBy(),
        deciders.isEmpty() ? null : deciders,
        approval == null ? null : approval.id(),
        approval == null ? null : approval.approver(),
        approval == null ? null : approval.note(),
        ending == null ? null : ending.vetoedBy(),
        vetoer(ending),
        ending == null || ending.vetoedBy() == null ? null : ending.reason(),
        ending != null && ending.withdrawn(),
        terms.proposedAt(),
        plan.disposedAt(),
        plan.expiresAt());
  }

  /** The principal that vetoed the plan; null if none did. */
  static @Nullable ObjectNode vetoer(Plan.@Nullable Ending ending) {
    return ending == null || ending.vetoer() == null ? null : ending.vetoer().principal().wire();
  }

  @Doc("A plan in a list.")
  record Item(
      PlanId id,
      @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
      OperatorId operatorId,
      @Field(doc = "Identifier of the event; null for a scheduled run.") @Nullable EventId eventId,
      @Field(
              doc =
                  "`proposed` while it is open, executing included; `executed`, `vetoed` and `expired` are final.",
              example = "proposed")
          PlanStatus status,
      @Field(
              doc =
                  "Reason why an open plan waits: a person's `approval`, its `execution`, another"
                      + " plan's `lock`, or room in the `allowance`; null if it is not open.",
              example = "approval")
          @Nullable WaitingOn waitingOn,
      @Field(doc = OutcomesView.DOC, as = OutcomesView.class, example = OutcomesView.EXAMPLE)
          @Nullable ObjectNode outcomes,
      @Field(doc = "Number of actions, 1 to 50.", example = "1") int actionCount,
      @Field(
              doc =
                  "The highest tier of its actions that may run, by the verdicts of the proposal;"
                      + " of all actions if none may run. 0 is read-only, 3 is irreversible or of high"
                      + " impact.",
              min = 0,
              max = 3,
              example = "2")
          int maxTier,
      @Field(
              doc = "Summary of its first action, made by the service from the arguments.",
              max = 200,
              example = "sandbox.payment.refund order=1042 amount=42.00")
          String summary,
      @Field(
              doc =
                  "The value of its first action, exact to the last digit; null if there is none.",
              example = "42.0")
          @Nullable BigDecimal value,
      @Field(doc = "The currency of that value; null if there is none.") @Nullable String currency,
      @Field(
              doc = ValueSumView.DOC + " By the verdicts of the proposal.",
              as = ValueSumView.class,
              example = ValueSumView.EXAMPLE)
          List<ValueSum> values,
      @Field(
              doc = ValueSumView.MORE_DOC + " By the verdicts of the proposal.",
              min = 0,
              example = "0")
          int summariesMore,
      @Field(
              doc = "The proposer: the operator, for its script or model, or the key that called.",
              example =
                  "{\"type\":\"operator\",\"id\":\"op_01m80m2r2v3bwk9w41e6q809dq\",\"name\":\"refund-desk\",\"triggered_by\":{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"shop\"}}",
              as = ProposedByView.class)
          ObjectNode proposedBy,
      @Field(
              doc = "Time at which the operator proposed it: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:32.416Z")
          Instant proposedAt,
      @Field(
              doc =
                  "Time at which it expires, or would have expired: RFC 3339 in UTC, to the"
                      + " millisecond.",
              example = "2026-11-25T03:16:32.416Z")
          Instant expiresAt,
      @Field(
              doc =
                  "Progress of its approval, by the policies under which it was proposed; null if"
                      + " it needs none.",
              example =
                  "{\"state\":\"open\",\"given\":0,\"needed\":1,\"you\":{\"eligible\":true,\"reason\":null}}")
          PlanApprovalView.@Nullable SummaryView approval) {
    static Item of(Plan plan, Instant now, PlanApprovals.@Nullable Summary approval) {
      Plan.Terms terms = plan.terms();
      PlanStatus status = plan.status(now);
      return new Item(
          plan.id(),
          "execution_plan",
          terms.operatorId(),
          terms.eventId(),
          status,
          status == PlanStatus.PROPOSED ? plan.waitingOn() : null,
          OutcomesView.of(plan.outcomes()),
          terms.actionIds().size(),
          terms.outline().maxTier(),
          terms.outline().summary(),
          terms.outline().value(),
          terms.outline().currency(),
          terms.outline().values(),
          terms.outline().more(),
          terms.proposedBy().wire(),
          terms.proposedAt(),
          plan.expiresAt(),
          approval == null ? null : PlanApprovalView.SummaryView.of(approval));
    }
  }
}
