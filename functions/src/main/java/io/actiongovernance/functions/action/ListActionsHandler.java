package io.actiongovernance.functions.action;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.TimeRange;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/actions}. */
@Operation(
    summary = "List disposed actions",
    tag = Tag.ACTIONS,
    answer = ActionView.Item.class,
    list = true)
public final class ListActionsHandler implements RouteHandler<ListActionsHandler.Input> {
  private final ListActions listActions;

  ListActionsHandler(ListActions listActions) {
    this.listActions = listActions;
  }

  record Input(
      @Field(
              doc = "Only actions of this plan.",
              published = "^pl_[A-Za-z0-9._:-]{1,100}$",
              example = "pl_01m80m2s108mp3w5mfpsdxkmtn")
          @Nullable PlanId planId,
      @Field(doc = "Only actions on this entity: an exact `entity_key`.", example = "order:1042")
          @Nullable String entity,
      @Field(doc = "Only actions with this disposition.") @Nullable Disposition disposition,
      @Field(
              doc =
                  "`true`: only actions whose outcome is unknown and not yet resolved. Actions"
                      + " that are unknown because of another action that holds their key are left out.",
              choices = {"true", "false"},
              rule = "true or false")
          @Nullable String unresolved,
      @Field(
              doc = "Only actions of this operator.",
              published = "^op_[A-Za-z0-9._:-]{1,100}$",
              example = "op_01m80m2r2v3bwk9w41e6q809dq")
          @Nullable OperatorId operatorId,
      @JsonUnwrapped TimeRange time,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    ListActions.Filter filter =
        new ListActions.Filter(
            input.planId(),
            input.entity(),
            input.disposition(),
            input.operatorId(),
            input.time().since(),
            input.time().until(),
            call.caller().reach(),
            "true".equals(input.unresolved()));
    PageRequest page = call.page(input.page());
    return call.list(
        listActions.list(call.caller().partition(), filter, page), ActionView.Item::of);
  }
}
