package io.actiongovernance.functions.halt;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/halts}. */
@Operation(summary = "List halts", tag = Tag.HALTS, answer = HaltView.class, list = true)
public final class ListHaltsHandler implements RouteHandler<ListHaltsHandler.Input> {
  private final Halts halts;

  ListHaltsHandler(Halts halts) {
    this.halts = halts;
  }

  record Input(
      @Field(doc = "`true`: only halts in force; `false`: only lifted ones.")
          @Nullable Boolean active,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(halts.list(call.caller(), input.active(), page), HaltView::of);
  }
}
