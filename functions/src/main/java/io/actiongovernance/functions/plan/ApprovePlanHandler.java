package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.passkey.AssertionForm;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Traces;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/approve}. */
@Operation(
    summary = "Approve a plan",
    description =
        "A request to run, never a bypass: every action is vetted again. A person's"
            + " approval is a vote. If an approval policy asks for more, the answer is 202"
            + " with `status` `proposed` and the plan's `approval`. The vote that satisfies"
            + " the policy is answered like an approval by a key. A person may replace their"
            + " vote with another under a new `Idempotency-Key`. Nobody approves what they"
            + " proposed themselves with `POST /v1/operators/{operator_id}/plans`. The same"
            + " key, or a key of the same owner, is `approver_not_eligible`, with `reason`"
            + " `self_approval` in `details`, whatever its role.",
    tag = Tag.PLANS,
    answer = ApprovePlanHandler.PlanApproved.class,
    accepted = ApprovePlanHandler.PlanVoted.class,
    errors = {
      ErrorCode.STATE_CONFLICT,
      ErrorCode.ENTITY_LOCKED,
      ErrorCode.HALTED,
      ErrorCode.OUTSIDE_WINDOW,
      ErrorCode.POLICY_BLOCKED,
      ErrorCode.QUOTA_EXCEEDED,
      ErrorCode.APPROVER_NOT_ELIGIBLE,
      ErrorCode.SIGNATURE_REQUIRED,
      ErrorCode.SIGNATURE_INVALID,
      ErrorCode.APPROVAL_STALE,
      ErrorCode.CHALLENGE_USED
    })
public final class ApprovePlanHandler implements RouteHandler<ApprovePlanHandler.Input> {
  private final ApprovePlan approvePlan;

  ApprovePlanHandler(ApprovePlan approvePlan) {
    this.approvePlan = approvePlan;
  }

  record Input(
      PlanId planId,
      @Field(
              in = Field.In.HEADER,
              name = TraceParent.NAME,
              doc = Traces.DOC,
              example = Traces.EXAMPLE)
          @Nullable String traceparent,
      @Field(
              doc =
                  "Name of the approver, 1 to 200 characters; the key's name if left out. A"
                      + " person approves only under their own name.",
              text = Field.Text.LINE,
              min = 1,
              max = 200,
              example = "dana@acme.example")
          @Nullable String approver,
      @Field(
              doc =
                  "Actions of the plan to run, duplicates collapsed; the rest is skipped. All"
                      + " actions if left out.",
              min = 1,
              max = 1_000)
          @Nullable List<ActionId> actionIds,
      @Field(
              doc = "Note kept with the approval and on its receipts, up to 2,000 characters.",
              max = 2_000)
          @Nullable String note,
      @Field(
              doc =
                  "The challenge that a person signed. `action_ids` and `note` are those that it"
                      + " was fetched for, and may be left out.",
              max = 100,
              example = "01m80m2m0rvz8mtfbjg9wyx3ea")
          @Nullable String challengeId,
      @Field(doc = AssertionForm.DOC, as = ObjectNode.class, example = AssertionForm.EXAMPLE)
          @Nullable ObjectNode assertion) {
    Input {
      if ((challengeId == null) != (assertion == null)) {
        throw Problem.missing(challengeId == null ? "challenge_id" : "assertion");
      }
    }

    ApprovePlan.@Nullable Signed signed() {
      return challengeId == null || assertion == null
          ? null
          : new ApprovePlan.Signed(challengeId, AssertionForm.read(assertion, "assertion"));
    }
  }

  /** The approve result. */
  @Doc("The result of an approval.")
  record PlanApproved(
      PlanId id,
      @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
      @Field(doc = "Always `executed`: every selected action is disposed.", constant = "executed")
          String status,
      ApprovalId approvalId,
      @Field(
              doc = "Name of the approver, as given in the request, else the key's name.",
              example = "dana@acme.example")
          String approver,
      @Field(doc = "The note of the request; null if there was none.") @Nullable String note,
      @Field(
              doc = "Selected actions, in the plan's order.",
              example =
                  "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"disposition\":\"ALERT\",\"ok\":true,\"receipt_id\":\"rc_01m80m2szydpekezfhg0s1832t\",\"verdict\":{\"decision\":\"ALERT\",\"tier\":2,\"rule\":\"large\",\"reason\":null,\"limit\":null}}]")
          List<DisposedAction> results,
      @Field(
              doc =
                  "Actions that were not selected; each has a receipt with outcome `skipped`."
                      + " Empty if all were selected.",
              example = "[]")
          List<SkippedActionView> skipped,
      @Field(
              doc =
                  "Time at which the last of them was disposed: RFC 3339 in UTC, to the"
                      + " millisecond.",
              example = "2026-11-22T03:16:33.455Z")
          Instant disposedAt) {
    static PlanApproved of(RunApproved.Approved approved) {
      Plan plan = approved.plan();
      Plan.Claim claim = Objects.requireNonNull(plan.claim());
      Plan.Approval approval = Objects.requireNonNull(claim.approval());
      return new PlanApproved(
          plan.id(),
          "execution_plan",
          PlanStatus.EXECUTED.wire(),
          approval.id(),
          approval.approver(),
          approval.note(),
          approved.actions().stream().map(DisposedAction::of).toList(),
          plan.terms().actionIds().stream()
              .filter(claim.skipped()::containsKey)
              .map(id -> new SkippedActionView(id, Objects.requireNonNull(claim.skipped().get(id))))
              .toList(),
          Objects.requireNonNull(plan.disposedAt()));
    }
  }

  @Doc("A selected action.")
  record DisposedAction(
      ActionId actionId,
      @Field(
              doc =
                  "The executor's disposition. `ALLOW` and `ALERT` (after an approval) ran the"
                      + " action, `BLOCK` refused it. `DEDUP` did not run it because its"
                      + " idempotency_key had been applied before.")
          Disposition disposition,
      @Field(
              doc =
                  "True if the action was disposed without error; the action itself has the"
                      + " `error`.")
          boolean ok,
      @Field(doc = "Identifier of its receipt.") ReceiptId receiptId,
      @Field(
              doc =
                  "The verdict that bound; for a refused action, it has the rule and the limit"
                      + " that refused it.")
          VerdictView verdict) {
    static DisposedAction of(Action action) {
      Action.Disposal disposal = Objects.requireNonNull(action.disposal());
      return new DisposedAction(
          action.id(),
          disposal.disposition(),
          disposal.ok(),
          disposal.receiptId(),
          VerdictView.of(disposal.verdict()));
    }
  }

  /** The response to a vote after which more votes are needed. */
  @Doc("A recorded vote; more votes are needed.")
  record PlanVoted(
      PlanId id,
      @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
      @Field(doc = "Always `proposed`: nothing has run.", constant = "proposed") String status,
      @Field(doc = "State of the plan's approval, for the actions that were voted for.")
          PlanApprovalView approval) {
    static PlanVoted of(ApprovePlan.Answer.Voted voted) {
      return new PlanVoted(
          voted.progress().plan().id(),
          "execution_plan",
          PlanStatus.PROPOSED.wire(),
          PlanApprovalView.of(voted.progress()));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ApprovePlan.Request request =
        new ApprovePlan.Request(
            input.planId(),
            call.mintedId(),
            input.actionIds(),
            input.approver(),
            input.note(),
            input.signed(),
            Settings.LONGEST_WAIT,
            TraceParent.of(input.traceparent()));
    return switch (approvePlan.approve(call.caller(), request)) {
      case Done(ApprovePlan.Answer.Executed(RunApproved.Approved approved)) ->
          Reply.ok(PlanApproved.of(approved));
      case Done(ApprovePlan.Answer.Voted voted) -> Reply.accepted(PlanVoted.of(voted));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
