package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.OwnName;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.VetoPlan;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/veto}. */
@Operation(
    summary = "Veto a plan",
    tag = Tag.PLANS,
    answer = VetoPlanHandler.PlanVetoed.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class VetoPlanHandler implements RouteHandler<VetoPlanHandler.Input> {
  private final VetoPlan vetoPlan;

  VetoPlanHandler(VetoPlan vetoPlan) {
    this.vetoPlan = vetoPlan;
  }

  record Input(
      PlanId planId,
      @Field(
              doc =
                  "Reason for the veto, kept verbatim and shown to proposers: 1 to 2,000"
                      + " characters.",
              min = 1,
              max = 2_000,
              example = "Not this customer.")
          String reason,
      @Field(
              doc =
                  "Name of the person or system that vetoes, 1 to 200 characters; the key's name"
                      + " if left out.",
              text = Field.Text.LINE,
              min = 1,
              max = 200)
          @Nullable String vetoedBy) {}

  /** The result of a veto. */
  @Doc("A vetoed plan.")
  record PlanVetoed(
      PlanId id,
      @Field(doc = "Always `execution_plan`.", constant = "execution_plan") String object,
      @Field(doc = "Always `vetoed`: none of its actions ran or will run.", constant = "vetoed")
          String status,
      @Field(
              doc =
                  "Name of the person or system that vetoed, as given in the request, else the"
                      + " key's name.",
              example = "dana@acme.example")
          String vetoedBy,
      @Field(
              doc = "The principal that vetoed, as the service knows it.",
              example =
                  "{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"console\"}",
              as = PrincipalView.class)
          ObjectNode vetoedByPrincipal,
      @Field(doc = "The reason as sent, verbatim.", example = "Not this customer.")
          String vetoReason,
      @Field(
              doc = "Time of the veto: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:36.623Z")
          Instant disposedAt,
      @Field(doc = "True if the proposer withdrew the plan.") boolean withdrawn) {
    static PlanVetoed of(Plan plan) {
      Plan.Ending ending = Objects.requireNonNull(plan.ending());
      return new PlanVetoed(
          plan.id(),
          "execution_plan",
          PlanStatus.VETOED.wire(),
          Objects.requireNonNull(ending.vetoedBy()),
          Objects.requireNonNull(ending.vetoer()).principal().wire(),
          Objects.requireNonNull(ending.reason()),
          Objects.requireNonNull(plan.disposedAt()),
          ending.withdrawn());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    OwnName.require(call.caller(), "vetoed_by", input.vetoedBy());
    return Reply.of(
        vetoPlan.veto(
            call.caller(), input.planId(), call.mintedId(), input.reason(), input.vetoedBy()),
        PlanVetoed::of);
  }
}
