package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.VetoPlan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/veto}. */
public final class VetoPlanHandler implements FieldsHandler {
  private final VetoPlan vetoPlan;
  private final InstantSource clock;

  public VetoPlanHandler(Wiring wiring) {
    this.vetoPlan = wiring.loop().vetoPlan();
    this.clock = wiring.clock();
  }

  /** The veto result. */
  record View(
      String id,
      String object,
      PlanStatus status,
      @Nullable String vetoedBy,
      @Nullable JsonNode vetoedByPrincipal,
      @Nullable String vetoReason,
      Instant disposedAt) {
    static View of(Plan plan) {
      Plan.Ending ending = Objects.requireNonNull(plan.ending());
      return new View(
          plan.id().value(),
          "execution_plan",
          PlanStatus.VETOED,
          ending.vetoedBy(),
          PlanView.vetoer(ending),
          ending.reason(),
          Objects.requireNonNull(plan.disposedAt()));
    }
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    String reason = body.text("reason", 1, 2_000);
    String vetoedBy = body.nameOrNull("vetoed_by", 1, 200);
    body.done();
    PlanId id = call.id("plan_id", PlanId::parse);
    return switch (vetoPlan.veto(call.caller(), id, call.mintedId(), reason, vetoedBy)) {
      case VetoPlan.Result.Vetoed(Plan plan) -> Reply.ok(View.of(plan));
      case VetoPlan.Result.NotFound _ -> Reply.notFound("plan");
      case VetoPlan.Result.NotOpen(Plan plan) -> PlanReplies.notOpen(plan, clock.instant());
    };
  }
}
