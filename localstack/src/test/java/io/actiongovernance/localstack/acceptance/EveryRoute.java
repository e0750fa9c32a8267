package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.day.Bodies;
import io.actiongovernance.functions.docs.DocsRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What tests that go through all routes need to know of each. A route whose path is not told of
 * here fails them, and one whose body is not told of in {@link Bodies}, so that no new one is
 * forgotten.
 */
final class EveryRoute {
  private static final String NOTHING = "0".repeat(26);

  private EveryRoute() {}

  /** Those that the stack under test has. */
  static List<Route> all() {
    return Routes.all().stream().filter(route -> !route.streams() || Stack.streams()).toList();
  }

  /** Those that need a key. */
  static List<Route> governed() {
    return all().stream().filter(route -> route.rateClass() != null).toList();
  }

  /**
   * Those of keys that read a body; what a message is refused with is for {@link GatewaySpec}, and
   * what a ticket is for {@link SessionsSpec}.
   */
  static List<Route> writes() {
    return resources().stream()
        .filter(route -> !route.method().reads() && route.rateClass() != null)
        .toList();
  }

  /** Those whose refusals are the contract's, whatever they are sent. */
  static List<Route> resources() {
    return all().stream().filter(route -> !route.form().ofMessages()).toList();
  }

  /**
   * Those whose path has an identifier of the tenant's in it, for whoever shows a key; where people
   * sign in is for {@link SignInSpec}.
   */
  static List<Route> ofOneObject() {
    return governed().stream()
        .filter(route -> !route.pathParameters().isEmpty())
        .filter(route -> !route.path().contains("{listing_id}"))
        .toList();
  }

  /** Those that answer with pages, of all that there is of a kind. */
  static List<Route> lists() {
    return all().stream()
        .filter(
            route -> route.name().startsWith("LIST_") && !route.equals(DocsRoutes.LIST_REVISIONS))
        .filter(route -> route.pathParameters().isEmpty())
        .toList();
  }

  /** The path with identifiers of the right form that name nothing. */
  static String path(Route route) {
    return path(route, EveryRoute::unknown);
  }

  /** The path with these identifiers for its parameters. */
  static String path(Route route, UnaryOperator<String> ids) {
    return route.path(ids);
  }

  /** Whether a path has an identifier in it that names nothing. */
  static boolean ofNothing(String path) {
    return path.contains(NOTHING);
  }

  /** An identifier that has the form of those in this place and names nothing. */
  static String unknown(String parameter) {
    return switch (parameter) {
      case "action_id" -> "act_" + NOTHING;
      case "approval_id" -> "apr_" + NOTHING;
      case "connector_id" -> "cn_" + NOTHING;
      case "delivery_id" -> "dlv_" + NOTHING;
      case "endpoint_id" -> "whk_" + NOTHING;
      case "event_id" -> "ev_" + NOTHING;
      case "export_id" -> "exp_" + NOTHING;
      case "halt_id" -> "hlt_" + NOTHING;
      case "key_id" -> "key_" + NOTHING;
      case "listing_id" -> "cn-nothing";
      case "operator_id" -> "op_" + NOTHING;
      case "passkey_id" -> "psk_" + NOTHING;
      case "idp_id" -> "idp_" + NOTHING;
      case "person_id" -> "per_" + NOTHING;
      case "plan_id" -> "pl_" + NOTHING;
      case "receipt_id" -> "rc_" + NOTHING;
      case "session_id" -> "ses_" + NOTHING;
      case "version" -> "1";
      default -> throw new AssertionError("Say what the form of " + parameter + " is.");
    };
  }

  /** A body of no more than must be said, which disturbs no other test of its tenant. */
  static ObjectNode body(Route route) {
    return switch (route.operation()) {
      case "create-key" -> Json.object().put("name", Given.unique("key")).put("role", "read_only");
      // It watches for nothing: the other tests send events.
      case "create-operator" -> Json.object().put("name", Given.unique("desk"));
      case "install-connector" ->
          Json.object().put("listing_id", "cn-sandbox").put("name", Given.unique("sandbox"));
      case "create-person" -> Json.object().put("name", "Dana Reyes");
      // Where there is one, nobody is made without: so of this one nothing comes.
      case "create-identity-provider" ->
          Json.object().put("issuer", "https://issuer.example?x").put("client_id", "governance");
      case "update-key",
          "update-person",
          "update-operator",
          "update-connector",
          "update-webhook-endpoint",
          "update-identity-provider",
          "create-export",
          "approve-plan",
          "undo-action" ->
          Json.object();
      case "update-allowance" -> Json.object().putNull("hard_cap");
      case "amend-plan" -> good(route).without("note");
      default -> good(route);
    };
  }

  private static ObjectNode good(Route route) {
    return (ObjectNode) Json.read(new Bodies(EveryRoute::unknown, EveryRoute::somewhere).of(route));
  }

  private static URI somewhere(String scheme) {
    return URI.create(scheme + "://" + Given.unique("shop") + ".example");
  }

  /** Sends a request with nothing wrong in it but that its path names nothing. */
  static Answer send(Api api, Route route, String... headers) {
    return sendTo(path(route), api, route, headers);
  }

  /** Sends a request to this path of the route. */
  static Answer sendTo(String path, Api api, Route route, String... headers) {
    String body = route.takesIdempotencyKey() ? Json.write(body(route)) : null;
    return api.send(route.method().name(), path, body, headers);
  }

  /** The items of all lists of a tenant, as one text to compare. */
  static String everything(Api api) {
    return String.join(
        "\n",
        lists().stream()
            .filter(route -> !route.equals(ConnectorRoutes.LIST_LISTINGS))
            .map(route -> withoutCursors(api.get(route.path() + "?limit=100").is(200)))
            .toList());
  }

  /** An answer as text, but for what differs each time it is read. */
  static String withoutCursors(JsonNode answer) {
    return answer
        .toString()
        .replaceAll(
            "\"(last_used_at|cursor|next_cursor|download_url|url_expires_at)\":(\"[^\"]*\"|null)",
            "$1");
  }
}
