package io.actiongovernance.functions.mcp;

import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Needs.PROPOSE;
import static io.actiongovernance.functions.rights.Right.READ_RESULTS;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.store.Table.RESULTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.AccessTokens;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of the MCP gateway. */
public final class McpRoutes {
  public static final Route SEND_MESSAGE =
      Route.post("send-mcp-message", "/v1/operators/{operator_id}/mcp")
          .key(Scope.PLANS_PROPOSE, RateClass.MCP)
          .orToken()
          .taking(Route.Body.JSON_RPC)
          .refusingAs(Route.Errors.JSON_RPC)
          .writing(McpHandler.CALL)
          .needs(PROPOSE.and(reading(RESULTS)).and(to(READ_RESULTS)).and(opening(Purpose.RESULT)).and(sealing(Purpose.REQUEST_STATE)))
          .handledBy(() -> McpHandler.class, wiring -> new McpHandler(wiring));

  public static final Route RETRIEVE_METADATA =
      Route.get("retrieve-mcp-metadata", AccessTokens.METADATA + SEND_MESSAGE.path())
          .needs(reading(STATE))
          .handledBy(() -> RetrieveMcpMetadataHandler.class, RetrieveMcpMetadataHandler::new);

  private McpRoutes() {}

  /** All of them, as they are published. */
  public static List<Route> all() {
    return List.of(SEND_MESSAGE, RETRIEVE_METADATA);
  }
}
