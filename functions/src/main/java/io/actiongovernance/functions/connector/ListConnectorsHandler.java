package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/connectors}. */
@Operation(
    summary = "List connectors",
    tag = Tag.CONNECTORS,
    answer = ConnectorView.class,
    list = true)
public final class ListConnectorsHandler implements RouteHandler<ListConnectorsHandler.Input> {
  private final Connectors connectors;

  public ListConnectorsHandler(Connectors connectors) {
    this.connectors = connectors;
  }

  record Input(
      @Field(doc = "Only connectors in this state.") @Nullable ConnectorStatus status,
      @Field(doc = "Only connectors of this listing, by its slug.", example = "cn-sandbox")
          @Nullable String listingId,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(
        connectors.list(call.caller(), input.status(), input.listingId(), page), ConnectorView::of);
  }
}
