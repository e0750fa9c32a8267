package io.actiongovernance.functions.samples;

import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.route.Route;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The bodies of sample requests. Not thread-safe. */
public final class SampleBodies {
  /** What connectors are installed from. */
  static final String LISTING = "cn-http";

  private static final String CONNECTOR =
      """
      {"listing_id":"%s","name":"%s","config":{"base_url":"%s","settle_seconds":1,"tools":[
       {"name":"shop.refund.create","capability":"payments.refund","tier":2,
        "description":"Refunds an order.",
        "input_schema":{"type":"object","required":["order","amount"],
         "properties":{"order":{"type":"string"},"amount":{"type":"string"}}},
        "binds":{"entity":"order:{{args.order}}","value":"/amount"},
        "summary":"Refund {{args.amount}} of order {{args.order}}",
        "retry_safe":true,"reference":"/id","request":{"method":"POST","path":"/refunds"},
        "inverse":{"tool":"shop.refund.cancel",
         "args":{"order":"{{args.order}}","refund":"{{result.id}}"}}},
       {"name":"shop.refund.cancel","capability":"payments.refund","tier":2,
        "description":"Cancels a refund.",
        "input_schema":{"type":"object","required":["order","refund"],
         "properties":{"order":{"type":"string"},"refund":{"type":"string"}}},
        "binds":{"entity":"order:{{args.order}}"},
        "retry_safe":true,"request":{"method":"POST","path":"/refunds/{{args.refund}}/cancel"}},
       {"name":"shop.letter.send","capability":"letters","tier":1,
        "description":"Sends a letter about an order.",
        "input_schema":{"type":"object","required":["order"],
         "properties":{"order":{"type":"string"}}},
        "binds":{"entity":"order:{{args.order}}"},
        "request":{"method":"POST","path":"%s"}}]}}""";

  private static final String UNAUTHORIZED =
      """
      {"listing_id":"cn-asana","name":"%2$s",
       "config":{"base_url":"%1$s","oauth2":{"token_url":"%1$s/token"}},
       "credentials":{"type":"oauth2","client_id":"shop-tasks"}}""";

  private static final String GUARDRAILS =
      """
      [{"name":"small","decision":"ALLOW","tool":"shop.refund.create","conditions":{"max_value":50},
        "limits":[{"per":"operator","window_seconds":60,"max_value":"5000.00"}]},
       {"name":"large","decision":"ALERT","tool":"shop.refund.create","conditions":{"min_value":51}},
       {"name":"cancellations","decision":"ALLOW","tool":"shop.refund.cancel"},
       {"name":"letters","decision":"ALLOW","tool":"shop.letter.send"}]""";

  private static final String FOR_TWO =
      """
      "conditions":{"min_value":51},
        "approval":{"all_of":[{"count":2}],"method":"passkey","not_policy_editor_seconds":0}""";

  private static final String OPERATOR =
      """
      {"name":"%4$s","status":"%1$s","triggers":{"event_types":["order.*"]},"guardrails":%2$s,
       "model":{"provider":"scripted","plans":[{"event_type":"order.complained",
        "reasoning":"The order came late.",
        "actions":[{"connector":"%3$s","tool":"shop.refund.create",
         "args":{"order":"{{payload.id}}","amount":"{{payload.total}}"}}]},
        {"event_type":"order.lost","reasoning":"The order did not come.",
        "actions":[{"connector":"%3$s","tool":"shop.letter.send",
         "args":{"order":"{{payload.id}}"}}]}]}}""";

  private static final String SMALL = "42.00";
  private static final String LARGE = "420.00";
  private static final String HALF = "210.00";

  private final UnaryOperator<String> ids;
  private final Outside outside;
  private final Map<String, Integer> names = new HashMap<>();
  private int orders = 1041;
  private int agencies;

  /** What connectors and webhooks speak to. */
  @FunctionalInterface
  public interface Outside {
    /** Where it is to be found by this scheme. */
    URI url(String scheme);
  }

  /**
   * @param ids the identifiers of what the bodies name, by the names of parameters
   * @param outside the only place that they name
   */
  public SampleBodies(UnaryOperator<String> ids, Outside outside) {
    this.ids = ids;
    this.outside = outside;
  }

  /** The body of a sample request to the route; an empty object if the route needs no fields. */
  public String of(Route route) {
    return switch (route.operation()) {
      case "create-key" -> "{\"name\":\"" + name("refund-agent") + "\",\"role\":\"agent\"}";
      case "update-key" -> "{\"owner\":\"dana@acme.example\"}";
      case "create-person" ->
          "{\"name\":\"Dana Reyes\",\"bindings\":[{\"role\":\"operate\",\"workspace_id\":null}],"
              + "\"groups\":[\"support-leads\"]}";
      case "update-person" -> "{\"name\":\"Dana R. Reyes\",\"groups\":[\"support\"]}";
      case "inspect-ticket", "redeem-ticket" -> ticket("shownOnceAndNeverAgain");
      case "ingest-event" ->
          """
          {"source":"shop","event_type":"order.complained","payload":{"id":"%s","total":"%s"}}"""
              .formatted(order(), SMALL);
      case "install-connector" ->
          CONNECTOR.formatted(LISTING, name("shop"), outside.url("http"), SourceSystem.LOST);
      case "update-connector" -> "{\"name\":\"web-shop\"}";
      case "create-operator" -> operator("active");
      case "update-operator" -> "{\"display_name\":\"Refund desk\"}";
      case "put-guardrails" -> "{\"expected_version\":1,\"guardrails\":" + GUARDRAILS + "}";
      case "simulate-guardrails", "propose-plan" -> refund(SMALL);
      case "send-mcp-message" ->
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s_refund_create",
           "arguments":{"order":"%s","amount":"%s"}}}"""
              .formatted(agency(), order(), SMALL);
      case "repropose" -> "{\"event_id\":\"" + ids.apply("event_id") + "\"}";
      case "approve-plan" ->
          "{\"approver\":\"dana@acme.example\",\"note\":\"The parcel was lost.\"}";
      case "amend-plan" -> amended(ids.apply("action_id"));
      case "create-halt" -> halt(ids.apply("operator_id"));
      case "lift-halt" -> reason("The prices are right again.");
      case "resolve-action" -> "{\"outcome\":\"applied\",\"reason\":\"The letter has arrived.\"}";
      case "veto-plan", "withdraw-plan", "undo-action" -> reason("The order had come in time.");
      case "create-export" -> "{\"format\":\"csv\"}";
      case "create-webhook-endpoint" ->
          "{\"url\":\""
              + outside.url("https")
              + "/"
              + name("hooks")
              + "\",\"types\":[\"plan.proposed\",\"receipt.written\"]}";
      case "update-webhook-endpoint" -> "{\"rotate_secret\":true}";
      case "test-webhook-endpoint" -> "{\"type\":\"plan.proposed\"}";
      case "recover-webhook-endpoint" -> "{\"since\":\"2026-01-01T00:00:00.000Z\"}";
      case "create-identity-provider" ->
          """
          {"issuer":"%s","client_id":"governance","client_secret":"a-secret-of-ours",
           "role_bindings":[{"group":"support-leads","role":"operate","workspace_id":null}]}"""
              .formatted(outside.url("http"));
      case "update-identity-provider" ->
          """
          {"role_bindings":[{"group":"support-leads","role":"operate","workspace_id":null},
           {"group":"admins","role":"admin","workspace_id":null}]}""";
      case "create-channel" ->
          "{\"type\":\"slack\",\"url\":\""
              + outside.url("https")
              + "/services/T0/B0/shownOnceAndNeverAgain\",\"types\":[\"approval.requested\",\"halt\"]}";
      case "update-channel" -> "{\"types\":[\"approval.requested\",\"plan.disposed\"]}";
      case "enrol-passkey" ->
          """
          {"challenge_id":"00000000000000000000000000","name":"phone",
           "attestation":{"response":{"clientDataJSON":"e30","attestationObject":"oA"}}}""";
      case "sign-in-by-passkey" ->
          """
          {"challenge_id":"00000000000000000000000000",
           "assertion":{"id":"AA","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}}""";
      case "update-approval-defaults" -> "{\"tiers\":{\"3\":{\"method\":\"passkey\"}}}";
      case "update-allowance" -> "{\"hard_cap\":100000}";
      default -> "{}";
    };
  }

  /** What redeems this ticket. */
  String ticket(String ticket) {
    return "{\"ticket\":\"" + ticket + "\"}";
  }

  /** The connector whose tools the next operator of an agent has, and no other connector. */
  String ofAgent() {
    agencies++;
    return CONNECTOR
        .formatted(LISTING, name("agency"), outside.url("http"), SourceSystem.LOST)
        .replace("\"shop.", "\"" + agency() + ".");
  }

  /** The operator of an agent over this connector. */
  String agentsOperator(String connector) {
    return OPERATOR
        .formatted("active", GUARDRAILS, connector, name("agency-desk"))
        .replace("\"shop.", "\"" + agency() + ".");
  }

  private String agency() {
    return "agency" + agencies;
  }

  /** An operator that is not published. */
  String draft() {
    return operator("draft");
  }

  private String operator(String status) {
    return OPERATOR.formatted(status, GUARDRAILS, ids.apply("connector_id"), name("refund-desk"));
  }

  /** An operator whose larger refunds two people have to sign. */
  String ofTwo() {
    String guardrails = GUARDRAILS.replace("\"conditions\":{\"min_value\":51}", FOR_TWO);
    return OPERATOR.formatted("active", guardrails, ids.apply("connector_id"), name("big-desk"));
  }

  /** A proposal that is to be approved. */
  String held() {
    return refund(LARGE);
  }

  /** What has this refund be of another amount, which is to be approved too. */
  String amended(String action) {
    return """
        {"actions":[{"action_id":"%s","args":{"order":"%s","amount":"%s"}}],
         "note":"Half of it was returned."}"""
        .formatted(action, order(), HALF);
  }

  private String refund(String amount) {
    String order = order();
    return action(
        "shop.refund.create",
        "{\"order\":\"%s\",\"amount\":\"%s\"}".formatted(order, amount),
        "refund-" + order);
  }

  /** A proposal of what is not answered, so that nobody knows what came of it. */
  String unanswered() {
    String order = order();
    return action("shop.letter.send", "{\"order\":\"" + order + "\"}", "letter-" + order);
  }

  private String action(String tool, String args, String idempotencyKey) {
    return """
        {"actions":[{"connector":"%s","tool":"%s","args":%s,"idempotency_key":"%s"}]}"""
        .formatted(ids.apply("connector_id"), tool, args, idempotencyKey);
  }

  /** A halt of an operator: one of the tenant would stop every later sample. */
  String halt(String operator) {
    return """
        {"scope":"operator","id":"%s","reason":"The prices are wrong."}"""
        .formatted(operator);
  }

  /** A connector that its owner has to authorise. */
  String unauthorized() {
    return UNAUTHORIZED.formatted(outside.url("http"), name("tasks"));
  }

  private static String reason(String reason) {
    return "{\"reason\":\"" + reason + "\"}";
  }

  /** A name that no other has. */
  private String name(String name) {
    int number = names.merge(name, 1, Integer::sum);
    return number == 1 ? name : name + "-" + number;
  }

  /** Another order with each request, so that none waits for what another has done. */
  private String order() {
    return Integer.toString(++orders);
  }
}
