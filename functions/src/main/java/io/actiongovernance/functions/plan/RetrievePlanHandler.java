package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Waits;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.RetrieveOnceDisposed;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/plans/{plan_id}}. */
@Operation(summary = "Retrieve a plan", tag = Tag.PLANS, answer = PlanView.class)
public final class RetrievePlanHandler implements RouteHandler<RetrievePlanHandler.Input> {
  private final RetrieveOnceDisposed retrieve;
  private final InstantSource clock;

  RetrievePlanHandler(RetrieveOnceDisposed retrieve, InstantSource clock) {
    this.retrieve = retrieve;
    this.clock = clock;
  }

  record Input(
      PlanId planId,
      @Field(
              name = Waits.NAME,
              doc = Waits.ONCE_DISPOSED,
              min = 1,
              max = Waits.LONGEST,
              rule = Waits.RULE,
              example = "20")
          @Nullable Integer seconds) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        retrieve.plan(call.caller(), input.planId(), Waits.of(input.seconds(), 0)),
        read -> PlanView.of(read, clock.instant()));
  }
}
