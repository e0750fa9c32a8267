package io.actiongovernance.functions;

import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.billing.AllowanceRoutes;
import io.actiongovernance.functions.channel.ChannelRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.docs.DocsRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.identity.IdentityRoutes;
import io.actiongovernance.functions.mcp.McpRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.passkey.PasskeyRoutes;
import io.actiongovernance.functions.people.PeopleRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.receipt.ReceiptRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.session.SessionRoutes;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.webhook.WebhookRoutes;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All routes: the tables of all resources, in the order of publication. */
public final class Routes {
  private static final List<Route> ALL =
      Stream.of(
              KeyRoutes.all(),
              PeopleRoutes.all(),
              IdentityRoutes.all(),
              PasskeyRoutes.all(),
              SessionRoutes.all(),
              DocsRoutes.all(),
              EventRoutes.all(),
              OperatorRoutes.all(),
              ConnectorRoutes.all(),
              PlanRoutes.all(),
              McpRoutes.all(),
              ActionRoutes.all(),
              ReceiptRoutes.all(),
              HaltRoutes.all(),
              WebhookRoutes.all(),
              ChannelRoutes.all(),
              AllowanceRoutes.all())
          .flatMap(List::stream)
          .toList();

  /** The functions whose requests may wait until a plan or an action is disposed. */
  private static final Set<String> WAITING =
      Stream.of(
              PlanRoutes.APPROVE_PLAN,
              PlanRoutes.PROPOSE_PLAN,
              PlanRoutes.RETRIEVE_PLAN,
              ActionRoutes.RETRIEVE_ACTION,
              McpRoutes.SEND_MESSAGE)
          .map(Route::operation)
          .collect(Collectors.toUnmodifiableSet());

  private Routes() {}

  public static List<Route> all() {
    return ALL;
  }

  /**
   * Returns the memory of a route's function. A function that may wait has less, because memory is
   * billed while it waits.
   */
  public static Memory memory(String operation) {
    return WAITING.contains(operation) ? Memory.SMALL : Memory.WHOLE_PROCESSOR;
  }
}
