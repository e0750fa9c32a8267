package io.actiongovernance.functions.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Traces;
import io.actiongovernance.functions.route.Waits;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposeForAgent;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/plans}: an outside agent proposes. */
@Operation(
    summary = "Propose a plan",
    description = "Never runs a held action.",
    tag = Tag.PLANS,
    status = 201,
    answer = PlanView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.POLICY_BLOCKED, ErrorCode.QUOTA_EXCEEDED})
public final class ProposePlanHandler implements RouteHandler<ProposePlanHandler.Input> {
  private final ProposeForAgent proposeForAgent;
  private final InstantSource clock;

  ProposePlanHandler(ProposeForAgent proposeForAgent, InstantSource clock) {
    this.proposeForAgent = proposeForAgent;
    this.clock = clock;
  }

  /** The operator that gets the plan, and the proposed actions. */
  @Whole(doc = "A proposal by an outside agent.")
  record Input(
      OperatorId operatorId,
      @Field(
              in = Field.In.HEADER,
              name = TraceParent.NAME,
              doc = Traces.DOC,
              example = Traces.EXAMPLE)
          @Nullable String traceparent,
      @Field(
              name = Waits.NAME,
              doc =
                  "Seconds to wait for the outcome, 0 to 25; 25 if left out. The answer is the"
                      + " plan as it stands at the end of that time, or when too many requests wait.",
              min = 0,
              max = Waits.LONGEST,
              in = Field.In.QUERY,
              rule = "a whole number from 0 to 25",
              example = "20")
          @Nullable Integer seconds,
      @Field(doc = "Reason for the proposal, for the approver; kept verbatim.", max = 100_000)
          @Nullable String reasoning,
      @Field(doc = "The event that the proposal is for; null or left out for none.")
          @Nullable EventId eventId,
      @Field(
              doc = "Actions to propose, in order: 1 to 50 actions and 256 KB.",
              min = 1,
              max = Action.MOST_OF_A_PLAN,
              checked = false,
              example =
                  "[{\"connector\":\"cn_01m7yt2y5r3hwtgj4hkx4w0t6m\",\"tool\":\"sandbox.payment.refund\",\"args\":{\"order\":\"1\",\"amount\":\"5\"},\"value\":\"5\",\"entity_key\":\"order:1\"}]")
          List<ProposedActionForm> actions) {
    Proposal.Proposed proposal() {
      return new Proposal.Proposed(
          reasoning, actions.stream().map(ProposedActionForm::proposed).toList());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ProposeForAgent.Request request =
        new ProposeForAgent.Request(
            input.operatorId(),
            input.eventId(),
            input.proposal(),
            call.mintedId(),
            call.idempotencyKey(),
            Waits.of(input.seconds(), Waits.LONGEST),
            TraceParent.of(input.traceparent()));
    return switch (proposeForAgent.propose(call.caller(), request)) {
      case Done(RetrievePlan.Read read) -> Reply.created(PlanView.of(read, clock.instant()));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
