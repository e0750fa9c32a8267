package io.actiongovernance.functions.mcp;

import static io.actiongovernance.functions.rights.Needs.PROPOSE;
import static io.actiongovernance.functions.rights.Right.READ_RESULTS;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.store.Table.RESULTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.route.AccessTokens;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.gateway.CancelledCalls;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.plan.VetoPlan;
import java.time.InstantSource;
import java.util.List;

public final class McpRoutes {
  public static final Route SEND_MESSAGE =
      Route.post("send-mcp-message", "/v1/operators/{operator_id}/mcp")
          .key(Scope.PLANS_PROPOSE, RateClass.MCP)
          .orToken()
          .taking(Route.Body.JSON_RPC)
          .refusingAs(Route.Errors.JSON_RPC)
          .writing(McpHandler.CALL)
          .needs(
              PROPOSE
                  .and(reading(RESULTS))
                  .and(to(READ_RESULTS))
                  .and(opening(Purpose.RESULT))
                  .and(sealing(Purpose.REQUEST_STATE)))
          .handledBy(() -> McpHandler.class, McpRoutes::mcpHandler);

  public static final Route RETRIEVE_METADATA =
      Route.get("retrieve-mcp-metadata", AccessTokens.METADATA + SEND_MESSAGE.path())
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveMcpMetadataHandler.class,
              wiring ->
                  new RetrieveMcpMetadataHandler(
                      wiring.agentIssuers(), wiring.settings().baseUrl()));

  private McpRoutes() {}

  private static McpHandler mcpHandler(Wiring wiring) {
    Connectors connectors = wiring.connectorWiring().connectors();
    GovernedCalls calls = wiring.loop().proposing().governedCalls();
    VetoPlan vetoPlan = wiring.loop().executing().vetoPlan();
    InstantSource clock = wiring.clock();
    CallAnswers answers =
        new CallAnswers(
            wiring.loop().reading().retrieveResult(), new CallContent(connectors), clock);
    Tasks tasks = new Tasks(calls, vetoPlan, answers, wiring.settings().resultLife(), clock);
    PlanPages pages =
        new PlanPages(
            calls, vetoPlan, answers, wiring.sealer(), wiring.settings().baseUrl(), clock);
    return new McpHandler(
        wiring.operators(),
        connectors,
        new ToolCalls(
            calls, connectors, vetoPlan, new ToolCalls.Answering(answers, tasks, pages), clock),
        tasks,
        new CancelledCalls(wiring.store(), clock),
        clock);
  }

  /** All routes, as published. */
  public static List<Route> all() {
    return List.of(SEND_MESSAGE, RETRIEVE_METADATA);
  }
}
