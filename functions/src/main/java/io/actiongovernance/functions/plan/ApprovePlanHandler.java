package io.actiongovernance.functions.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.ApprovePlan.Result;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/approve}. */
public final class ApprovePlanHandler implements FieldsHandler {
  private final ApprovePlan approvePlan;
  private final InstantSource clock;

  public ApprovePlanHandler(Wiring wiring) {
    this.approvePlan = wiring.loop().approvePlan();
    this.clock = wiring.clock();
  }

  /** The approve result. */
  record View(
      String id,
      String object,
      PlanStatus status,
      String approvalId,
      String approver,
      @Nullable String note,
      List<Disposed> results,
      List<Skipped> skipped,
      Instant disposedAt) {

    record Disposed(String actionId, Disposition disposition, boolean ok, String receiptId) {
      static Disposed of(Action action) {
        Action.Disposal disposal = Objects.requireNonNull(action.disposal());
        return new Disposed(
            action.id().value(),
            disposal.disposition(),
            disposal.ok(),
            disposal.receiptId().value());
      }
    }

    record Skipped(String actionId, String receiptId) {}

    static View of(Plan plan, List<Action> disposed) {
      Plan.Claim claim = Objects.requireNonNull(plan.claim());
      Plan.Approval approval = Objects.requireNonNull(claim.approval());
      List<Skipped> skipped =
          plan.terms().actionIds().stream()
              .filter(claim.skipped()::containsKey)
              .map(id -> new Skipped(id.value(), String.valueOf(claim.skipped().get(id))))
              .toList();
      return new View(
          plan.id().value(),
          "execution_plan",
          PlanStatus.EXECUTED,
          approval.id().value(),
          approval.approver(),
          approval.note(),
          disposed.stream().map(Disposed::of).toList(),
          skipped,
          Objects.requireNonNull(plan.disposedAt()));
    }
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    String approver = body.nameOrNull("approver", 1, 200);
    List<ActionId> actionIds = actionIds(body);
    String note = body.textOrNull("note", 0, 2_000);
    body.done();
    PlanId id = call.id("plan_id", PlanId::parse);
    ApprovePlan.Request request =
        new ApprovePlan.Request(
            id, call.mintedId(), actionIds, approver, note, Settings.LONGEST_WAIT);
    return reply(approvePlan.approve(call.caller(), request));
  }

  private Reply reply(Result result) {
    return switch (result) {
      case Result.Approved(Plan plan, List<Action> disposed) -> Reply.ok(View.of(plan, disposed));
      case Result.AllRefused(Plan plan, List<Action> refused) ->
          PlanReplies.policyBlocked(plan, refused, clock.instant());
      case Result.StillExecuting _ -> PlanReplies.stillExecuting();
      case Result.NotFound _ -> Reply.notFound("plan");
      case Result.UnknownAction(int position) -> throw notInPlan(position);
      case Result.NotEligible(var obstacle) -> PlanReplies.notEligible(obstacle);
      case Result.NotOpen(Plan plan) -> PlanReplies.notOpen(plan, clock.instant());
      case Result.Locked(var lock) -> PlanReplies.locked(lock, clock.instant());
      case Result.NoAllowance _ -> PlanReplies.noAllowance();
      case Result.Halted(var stop) -> PlanReplies.halted(stop);
    };
  }

  private static @Nullable List<ActionId> actionIds(Fields body) {
    // Duplicates collapse, so there may be more of them than a plan has actions.
    List<String> texts = body.textsOrNull("action_ids", 1, 1_000, 200);
    if (texts == null) {
      return null;
    }
    List<ActionId> ids = new ArrayList<>();
    for (String text : texts) {
      int position = ids.size();
      ids.add(ActionId.parse(text).orElseThrow(() -> notInPlan(position)));
    }
    return ids;
  }

  private static Problem notInPlan(int position) {
    String param = "action_ids[" + position + "]";
    return Problem.invalid(param, param + " is not the id of an action of this plan.");
  }
}
