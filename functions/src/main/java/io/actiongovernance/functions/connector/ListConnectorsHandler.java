package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/connectors}. */
public final class ListConnectorsHandler implements FieldsHandler {
  private final Connectors connectors;

  public ListConnectorsHandler(Connectors connectors) {
    this.connectors = connectors;
  }

  @Override
  public Reply handle(Call call) {
    ConnectorStatus status =
        call.query("status", ConnectorStatus::parse, "connected, degraded, error or pending_auth");
    String listingId = call.query("listing_id");
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(connectors.list(call.caller(), status, listingId, page), ConnectorView::of);
  }
}
