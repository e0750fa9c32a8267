package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.docs.DocsRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What tests that go through all routes need to know of each. A route whose path or body is not
 * told of here fails them, so that no new one is forgotten.
 */
final class EveryRoute {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
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

  /** Those that read a body. */
  static List<Route> writes() {
    return all().stream().filter(route -> !route.method().reads()).toList();
  }

  /** Those whose path has an identifier of the tenant's in it. */
  static List<Route> ofOneObject() {
    return all().stream()
        .filter(route -> PARAMETER.matcher(route.path()).find())
        .filter(route -> !route.path().contains("{listing_id}"))
        .toList();
  }

  /** Those that answer with pages, of all that there is of a kind. */
  static List<Route> lists() {
    return all().stream()
        .filter(
            route -> route.name().startsWith("LIST_") && !route.equals(DocsRoutes.LIST_REVISIONS))
        .filter(route -> !PARAMETER.matcher(route.path()).find())
        .toList();
  }

  /** The path with identifiers of the right form that name nothing. */
  static String path(Route route) {
    return path(route, EveryRoute::unknown);
  }

  /** The path with these identifiers for its parameters. */
  static String path(Route route, UnaryOperator<String> ids) {
    return PARAMETER
        .matcher(route.path())
        .replaceAll(found -> Matcher.quoteReplacement(ids.apply(found.group(1))));
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
      case "plan_id" -> "pl_" + NOTHING;
      case "receipt_id" -> "rc_" + NOTHING;
      case "version" -> "1";
      default -> throw new AssertionError("Say what the form of " + parameter + " is.");
    };
  }

  /** A body with nothing wrong in it, as small as can be. */
  static ObjectNode body(Route route) {
    ObjectNode body = Json.object();
    switch (route.operation()) {
      case "create-key" -> body.put("name", Given.unique("key")).put("role", "read_only");
      case "ingest-event" -> {
        body.put("source", "shop").put("event_type", "order.created");
        body.putObject("payload");
      }
      case "create-operator" -> body.put("name", Given.unique("desk"));
      case "put-guardrails" -> body.put("expected_version", 1).putArray("guardrails");
      case "simulate-guardrails", "propose-plan" ->
          body.putArray("actions")
              .addObject()
              .put("connector", unknown("connector_id"))
              .put("tool", "pay.refund.create")
              .put("entity_key", "order:1")
              .putObject("args");
      case "install-connector" ->
          body.put("listing_id", "cn-sandbox").put("name", Given.unique("sandbox"));
      case "repropose" -> body.put("event_id", unknown("event_id"));
      case "veto-plan", "withdraw-plan" -> body.put("reason", "Not now.");
      case "resolve-action" -> body.put("outcome", "applied").put("reason", "It is there.");
      // Of an operator that is not there: halting the tenant would stop all that its tests do.
      case "create-halt" ->
          body.put("scope", "operator").put("id", unknown("operator_id")).put("reason", "Stop.");
      case "create-webhook-endpoint" ->
          body.put("url", "https://hooks.example/" + Given.unique("hook"))
              .putArray("types")
              .add("plan.proposed");
      case "test-webhook-endpoint" -> body.put("type", "plan.proposed");
      case "recover-webhook-endpoint" -> body.put("since", "2026-01-01T00:00:00Z");
      case "lift-halt" -> body.put("reason", "Go on.");
      case "update-allowance" -> body.putNull("hard_cap");
      case "update-key",
          "update-operator",
          "publish-operator",
          "pause-operator",
          "resume-operator",
          "update-connector",
          "update-webhook-endpoint",
          "redeliver",
          "test-connector",
          "authorize-connector",
          "create-export",
          "analyze-guardrails",
          "approve-plan",
          "undo-action" -> {}
      default -> {
        if (route.takesIdempotencyKey()) {
          throw new AssertionError("Say what the body of " + route + " needs.");
        }
      }
    }
    return body;
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
