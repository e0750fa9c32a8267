package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Waits;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.kernel.RetrieveOnceDisposed;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/actions/{action_id}}: from the proposal on. */
@Operation(summary = "Retrieve an action", tag = Tag.ACTIONS, answer = ActionView.class)
public final class RetrieveActionHandler implements RouteHandler<RetrieveActionHandler.Input> {
  private final RetrieveOnceDisposed retrieve;

  RetrieveActionHandler(RetrieveOnceDisposed retrieve) {
    this.retrieve = retrieve;
  }

  record Input(
      ActionId actionId,
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
        retrieve.action(call.caller(), input.actionId(), Waits.of(input.seconds(), 0)),
        read -> ActionView.of(read.action(), read.verdict()));
  }
}
