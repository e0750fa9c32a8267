package io.actiongovernance.functions.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Traces;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.ApprovePlan;
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
        "A request to run, never a bypass: every action is vetted again. Nobody approves what they proposed themselves with `POST /v1/operators/{operator_id}/plans`: the same key, or a key of the same owner, is `approver_not_eligible`, with `reason` `self_approval` in `details`, whatever its role.",
    tag = Tag.PLANS,
    answer = ApprovePlanHandler.PlanApproved.class,
    errors = {
      ErrorCode.STATE_CONFLICT,
      ErrorCode.ENTITY_LOCKED,
      ErrorCode.HALTED,
      ErrorCode.POLICY_BLOCKED,
      ErrorCode.QUOTA_EXCEEDED,
      ErrorCode.APPROVER_NOT_ELIGIBLE
    })
public final class ApprovePlanHandler implements RouteHandler<ApprovePlanHandler.Input> {
  private final ApprovePlan approvePlan;

  public ApprovePlanHandler(Wiring wiring) {
    this.approvePlan = wiring.loop().approvePlan();
  }

  /** Which one, which of its actions, and who says so. */
  record Input(
      PlanId planId,
      @Field(
              in = Field.In.HEADER,
              name = TraceParent.NAME,
              doc = Traces.DOC,
              example = Traces.EXAMPLE)
          @Nullable String traceparent,
      @Field(
              doc = "Who approves, 1 to 200 characters; left out, the key's name.",
              text = Field.Text.LINE,
              min = 1,
              max = 200,
              example = "dana@acme.example")
          @Nullable String approver,
      @Field(
              doc =
                  "The actions of the plan that are to run, duplicates collapsed; the rest is skipped. Left out: all.",
              min = 1,
              max = 1_000)
          @Nullable List<ActionId> actionIds,
      @Field(
              doc = "Kept with the approval and on its receipts, up to 2,000 characters.",
              max = 2_000)
          @Nullable String note) {}

  /** The approve result. */
  @Doc("What an approval came to.")
  record PlanApproved(
      PlanId id,
      @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
      @Field(doc = "Always `executed`: every selected action is disposed.", constant = "executed")
          String status,
      ApprovalId approvalId,
      @Field(
              doc = "Who approved: as named in the request, else the key's name.",
              example = "dana@acme.example")
          String approver,
      @Field(doc = "The note of the request; null when there was none.") @Nullable String note,
      @Field(
              doc = "The selected actions in the plan's order.",
              example =
                  "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"disposition\":\"ALERT\",\"ok\":true,\"receipt_id\":\"rc_01m80m2szydpekezfhg0s1832t\"}]")
          List<DisposedAction> results,
      @Field(
              doc =
                  "The actions that were not selected, each receipted with outcome `skipped`; empty when all were.",
              example = "[]")
          List<SkippedActionView> skipped,
      @Field(
              doc = "When the last of them was disposed: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:33.455Z")
          Instant disposedAt) {
    static PlanApproved of(ApprovePlan.Approved approved) {
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

  /** An element of {@code results}. */
  @Doc("A selected action.")
  record DisposedAction(
      ActionId actionId,
      @Field(
              doc =
                  "How the executor disposed it: `ALLOW` and `ALERT` (after an approval) ran it, `BLOCK` refused it, `DEDUP` did not run it because its idempotency_key had been applied before.")
          Disposition disposition,
      @Field(doc = "Whether it was disposed without error; the action has the `error`.") boolean ok,
      @Field(doc = "Identifier of its receipt.") ReceiptId receiptId) {
    static DisposedAction of(Action action) {
      Action.Disposal disposal = Objects.requireNonNull(action.disposal());
      return new DisposedAction(
          action.id(), disposal.disposition(), disposal.ok(), disposal.receiptId());
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
            Settings.LONGEST_WAIT,
            TraceParent.of(input.traceparent()));
    return Reply.of(approvePlan.approve(call.caller(), request), PlanApproved::of);
  }
}
