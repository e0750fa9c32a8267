package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.operator.OperatorFilter;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/operators}. */
@Operation(
    summary = "List operators",
    tag = Tag.OPERATORS,
    answer = OperatorView.class,
    list = true)
public final class ListOperatorsHandler implements RouteHandler<ListOperatorsHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;

  public ListOperatorsHandler(Operators operators, OperatorViews views) {
    this.operators = operators;
    this.views = views;
  }

  record Input(
      @Field(
              doc =
                  "Only operators with this status. Archived operators are listed only if you ask"
                      + " for `archived`.")
          @Nullable OperatorStatus status,
      @Field(doc = "Only what belongs to this workspace.", example = "emea")
          @Nullable String workspaceId,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    OperatorFilter filter = new OperatorFilter(input.status(), input.workspaceId());
    return call.list(operators.list(call.caller(), filter, page), views::view);
  }
}
