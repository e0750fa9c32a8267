package io.actiongovernance.functions.rehearsal;

import io.actiongovernance.functions.route.Route;
import io.actiongovernance.time.Timestamps;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/** What the requests of a day say. */
final class Bodies {
  /** What connectors are installed from. */
  static final String LISTING = "cn-http";

  private static final String CONNECTOR =
      """
      {"listing_id":"%s","name":"desk","config":{"base_url":"%s","tools":[
       {"name":"desk.note.add","capability":"desk","tier":1,"description":"Adds a note.",
        "input_schema":{"type":"object",
         "properties":{"text":{"type":"string"},"weight":{"type":"integer"}}},
        "binds":{"entity":"note:{{args.weight}}","value":"/weight"},
        "retry_safe":true,"reference":"/id","request":{"method":"POST","path":"/notes"},
        "inverse":{"tool":"desk.note.add",
         "args":{"text":"{{args.text}}","weight":"{{args.weight}}"}}},
       {"name":"desk.letter.send","capability":"desk","tier":1,"description":"Sends a letter.",
        "input_schema":{"type":"object",
         "properties":{"text":{"type":"string"},"weight":{"type":"integer"}}},
        "binds":{"entity":"letter:{{args.weight}}"},
        "request":{"method":"POST","path":"%s"}}]}}
      """;

  private static final String UNAUTHORIZED =
      """
      {"listing_id":"cn-asana","name":"tasks",
       "config":{"base_url":"%1$s","oauth2":{"token_url":"%1$s/token"}},
       "credentials":{"type":"oauth2","client_id":"rehearsal"}}
      """;

  private static final String GUARDRAILS =
      """
      [{"name":"notes","decision":"ALLOW","tool":"desk.note.add","conditions":{"max_value":10},
        "limits":[{"per":"operator","window_seconds":60,"max_value":"1000.00"}]},
       {"name":"large","decision":"ALERT","tool":"desk.note.add","conditions":{"min_value":11}},
       {"name":"letters","decision":"ALLOW","tool":"desk.letter.send"}]""";

  private static final String OPERATOR =
      """
      {"name":"%s","status":"%s","triggers":{"event_types":["note.*"]},"guardrails":%s,
       "model":{"provider":"scripted","plans":[{"event_type":"note.wanted","actions":[%s]}]}}
      """;

  private static final String ACTION =
      """
      {"connector":"%s","tool":"desk.note.add","args":{"text":"rehearsal","weight":%s},
       "value":"%s","entity_key":"note:%s"}""";

  private static final String UNANSWERED =
      """
      {"actions":[{"connector":"%s","tool":"desk.letter.send",
       "args":{"text":"rehearsal","weight":1}}]}""";

  private final UnaryOperator<String> ids;
  private final SourceSystem sourceSystem;
  private final InstantSource clock;

  /**
   * @param ids the identifiers of what the bodies name
   * @param sourceSystem the only place outside that they name
   */
  Bodies(UnaryOperator<String> ids, SourceSystem sourceSystem, InstantSource clock) {
    this.ids = ids;
    this.sourceSystem = sourceSystem;
    this.clock = clock;
  }

  /** The body of a good request to the route; those that need nothing said get nothing. */
  String of(Route route) {
    return switch (route.operation()) {
      case "create-key" -> "{\"name\":\"second\",\"role\":\"admin\"}";
      case "update-key" -> "{\"owner\":\"dana\"}";
      case "ingest-event" ->
          """
          {"source":"rehearsal","event_type":"note.wanted","payload":{"text":"rehearsal"}}""";
      case "install-connector" ->
          CONNECTOR.formatted(LISTING, sourceSystem.url("http"), SourceSystem.LOST);
      case "update-connector" -> "{\"name\":\"table\"}";
      case "create-operator" -> operator("desk", "active");
      case "update-operator" -> "{\"display_name\":\"Desk\"}";
      case "put-guardrails" -> "{\"expected_version\":1,\"guardrails\":" + GUARDRAILS + "}";
      case "simulate-guardrails", "propose-plan" -> proposal(1);
      case "repropose" -> "{\"event_id\":\"" + ids.apply("event_id") + "\"}";
      case "create-halt" -> "{\"scope\":\"tenant\",\"reason\":\"rehearsal\"}";
      case "resolve-action" -> "{\"outcome\":\"applied\",\"reason\":\"rehearsal\"}";
      case "veto-plan", "withdraw-plan", "lift-halt", "undo-action" -> "{\"reason\":\"rehearsal\"}";
      case "create-export" -> "{\"format\":\"csv\"}";
      case "create-webhook-endpoint" ->
          "{\"url\":\""
              + sourceSystem.url("https")
              + "/\",\"types\":[\"plan.proposed\",\"receipt.written\"]}";
      case "update-webhook-endpoint" -> "{\"rotate_secret\":true}";
      case "test-webhook-endpoint" -> "{\"type\":\"plan.proposed\"}";
      case "recover-webhook-endpoint" ->
          "{\"since\":\"" + Timestamps.format(clock.instant()) + "\"}";
      case "update-allowance" -> "{\"hard_cap\":100000}";
      default -> "{}";
    };
  }

  /** An operator that is not published. */
  String draft() {
    return operator("draft", "draft");
  }

  private String operator(String name, String status) {
    return OPERATOR.formatted(name, status, GUARDRAILS, action(1));
  }

  /** A proposal that is to be approved. */
  String held() {
    return proposal(20);
  }

  /** A proposal of what is not answered, so that nobody knows what came of it. */
  String unanswered() {
    return UNANSWERED.formatted(ids.apply("connector_id"));
  }

  private String proposal(int value) {
    return "{\"actions\":[" + action(value) + "]}";
  }

  private String action(int value) {
    return ACTION.formatted(ids.apply("connector_id"), value, value, value);
  }

  /** A connector that its owner has to authorise. */
  String unauthorized() {
    return UNAUTHORIZED.formatted(sourceSystem.url("http"));
  }
}
