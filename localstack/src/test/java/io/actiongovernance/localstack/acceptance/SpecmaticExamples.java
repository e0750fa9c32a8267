package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One example, in Specmatic's form, of each operation that names what must be there: with objects
 * of its own for what can be done once, an idempotency key that nothing else has, and the
 * document's own example as the body.
 */
final class SpecmaticExamples {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  private static final String KEY = "#/components/parameters/Idempotency-Key";

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Api api;
  private final Api proposer;
  private final ObjectNode document;
  private final Map<String, ObjectNode> examples = new TreeMap<>();

  SpecmaticExamples(Given given, ObjectNode document) {
    this.api = given.api();
    this.proposer = given.proposer();
    this.document = document;
  }

  Map<String, ObjectNode> all() {
    keys();
    connectors();
    String connector = sandbox("used");
    String operator = operators(connector);
    loop(operator, connector);
    halts();
    webhooks();
    return new LinkedHashMap<>(examples);
  }

  private void keys() {
    String key = create("/v1/keys", "{'name':'retrieved','role':'ingest'}");
    example("retrieve-key", Map.of("key_id", key));
    example("update-key", Map.of("key_id", key));
    example(
        "revoke-key", Map.of("key_id", create("/v1/keys", "{'name':'revoked','role':'ingest'}")));
    example("create-key", Map.of());
  }

  private void connectors() {
    example("retrieve-listing", Map.of("listing_id", "cn-sandbox"));
    example("install-connector", Map.of());
    String connector = sandbox("tested");
    example("retrieve-connector", Map.of("connector_id", connector));
    example("update-connector", Map.of("connector_id", connector));
    example("test-connector", Map.of("connector_id", connector));
    example("uninstall-connector", Map.of("connector_id", sandbox("uninstalled")));
    String pending =
        create(
            "/v1/connectors",
            "{'listing_id':'cn-asana','name':'tasks','config':{'oauth2':{'token_url':"
                + "'http://127.0.0.1:9/token'}},'credentials':{'type':'oauth2','client_id':'c'}}");
    example("authorize-connector", Map.of("connector_id", pending));
  }

  private String sandbox(String name) {
    return create("/v1/connectors", "{'listing_id':'cn-sandbox','name':'" + name + "'}");
  }

  private String operators(String connector) {
    example("create-operator", Map.of());
    String operator =
        create(
            "/v1/operators",
            """
            {'name':'watching','triggers':{'event_types':['contract.tested']},'guardrails':[
              {'name':'small','decision':'ALLOW','tool':'sandbox.payment.*','conditions':{'max_value':10}},
              {'name':'large','decision':'ALERT','tool':'sandbox.payment.*','conditions':{'min_value':11}}]}
            """);
    for (String operation :
        new String[] {
          "retrieve-operator", "update-operator", "retrieve-guardrails", "list-guardrails-versions"
        }) {
      example(operation, Map.of("operator_id", operator));
    }
    example("retrieve-guardrails-version", Map.of("operator_id", operator, "version", "1"));
    String changed = operator("changed", "active");
    example("put-guardrails", Map.of("operator_id", changed));
    example("analyze-guardrails", Map.of("operator_id", changed));
    example("archive-operator", Map.of("operator_id", operator("archived", "active")));
    example("publish-operator", Map.of("operator_id", operator("published", "draft")));
    example("pause-operator", Map.of("operator_id", operator("paused", "active")));
    String resumed = operator("resumed", "active");
    api.post("/v1/operators/" + resumed + "/pause").is(200);
    example("resume-operator", Map.of("operator_id", resumed));
    for (String operation : new String[] {"simulate-guardrails", "propose-plan"}) {
      ObjectNode told = example(operation, Map.of("operator_id", operator));
      ((ObjectNode) told.at("/http-request/body/actions/0")).put("connector", connector);
    }
    return operator;
  }

  private String operator(String name, String status) {
    return create("/v1/operators", "{'name':'" + name + "','status':'" + status + "'}");
  }

  private void loop(String operator, String connector) {
    String event =
        create(
            "/v1/events", "{'source':'shop','event_type':'contract.tested','payload':{'id':'1'}}");
    example("retrieve-event", Map.of("event_id", event));
    ObjectNode reproposed = example("repropose", Map.of("operator_id", operator));
    ((ObjectNode) reproposed.at("/http-request/body")).put("event_id", event);
    String ran = propose(operator, connector, "1", "5");
    String held = propose(operator, connector, "2", "50");
    example("retrieve-plan", Map.of("plan_id", held));
    example("retrieve-proposal", Map.of("plan_id", held));
    example("approve-plan", Map.of("plan_id", propose(operator, connector, "3", "50")));
    String approved = "/v1/plans/" + propose(operator, connector, "5", "50") + "/approve";
    String approval = api.post(approved).is(200).path("approval_id").asText();
    example("retrieve-approval", Map.of("approval_id", approval));
    example("veto-plan", Map.of("plan_id", propose(operator, connector, "4", "50")));
    String action = api.get("/v1/plans/" + ran).is(200).at("/actions/0/id").asText();
    example("retrieve-action", Map.of("action_id", action));
    example("undo-action", Map.of("action_id", action));
    JsonNode receipts = api.get("/v1/receipts?plan_id=" + ran).is(200);
    example("retrieve-receipt", Map.of("receipt_id", receipts.at("/data/0/id").asText()));
    String export = create("/v1/receipts/exports", "{'format':'csv'}");
    Await.until(
        LONGEST,
        () -> api.get("/v1/receipts/exports/" + export).is(200).path("status").asText(),
        "complete"::equals);
    example("retrieve-export", Map.of("export_id", export));
    example("create-export", Map.of());
  }

  private String propose(String operator, String connector, String order, String amount) {
    String path = "/v1/operators/" + operator + "/plans";
    String body =
        ("{'actions':[{'connector':'%1$s','tool':'sandbox.payment.refund',"
                + "'args':{'order':'%2$s','amount':'%3$s'},'value':'%3$s','entity_key':'order:%2$s',"
                + "'idempotency_key':'%4$s'}]}")
            .formatted(connector, order, amount, Given.unique("refund"));
    return create(proposer, path, body);
  }

  /** Of an operator that does nothing: a halt of the tenant would stop the other tests. */
  private void halts() {
    String halted = operator("halted", "active");
    String body = "{'scope':'operator','id':'" + halted + "','reason':'stop'}";
    example("lift-halt", Map.of("halt_id", create("/v1/halts", body)));
    ObjectNode made = example("create-halt", Map.of());
    ((ObjectNode) made.at("/http-request/body"))
        .put("scope", "operator")
        .put("id", operator("halting", "active"));
  }

  private void webhooks() {
    example("create-webhook-endpoint", Map.of());
    String endpoint = endpoint("tested");
    Map<String, String> named = Map.of("endpoint_id", endpoint);
    for (String operation :
        new String[] {
          "retrieve-webhook-endpoint",
          "update-webhook-endpoint",
          "test-webhook-endpoint",
          "list-deliveries"
        }) {
      example(operation, named);
    }
    // What failed is delivered again, and may not be asked for meanwhile.
    example("recover-webhook-endpoint", Map.of("endpoint_id", endpoint("recovered")));
    example("delete-webhook-endpoint", Map.of("endpoint_id", endpoint("deleted")));
    String deliveries = "/v1/webhook_endpoints/" + endpoint + "/deliveries/";
    String delivery =
        create("/v1/webhook_endpoints/" + endpoint + "/test", "{'type':'plan.proposed'}");
    Await.until(
        LONGEST,
        () -> api.get(deliveries + delivery).is(200).path("status").asText(),
        "failed"::equals);
    Map<String, String> ended = new HashMap<>(named);
    ended.put("delivery_id", delivery);
    example("retrieve-delivery", ended);
    example("redeliver", ended);
  }

  /** Where nobody answers. */
  private String endpoint(String name) {
    return create(
        "/v1/webhook_endpoints",
        "{'url':'https://127.0.0.1:9/" + name + "','types':['plan.proposed']}");
  }

  private String create(String path, String body) {
    return create(api, path, body);
  }

  private static String create(Api by, String path, String body) {
    return by.post(path, Json.read(body.replace('\'', '"'))).is(201).path("id").asText();
  }

  private ObjectNode example(String operationId, Map<String, String> named) {
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (operation.getValue().path("operationId").asText().equals(operationId)) {
          return example(operationId, path.getKey(), operation, named);
        }
      }
    }
    throw new IllegalArgumentException(operationId);
  }

  private ObjectNode example(
      String operationId,
      String path,
      Map.Entry<String, JsonNode> operation,
      Map<String, String> named) {
    ObjectNode example = Json.object();
    ObjectNode request = example.putObject("http-request");
    request.put("method", operation.getKey().toUpperCase(Locale.ROOT));
    request.put(
        "path",
        PARAMETER
            .matcher(path)
            .replaceAll(found -> named.getOrDefault(found.group(1), found.group())));
    if (operation.getValue().path("parameters").findValuesAsText("$ref").contains(KEY)) {
      request.putObject("headers").put("Idempotency-Key", Given.unique("specmatic"));
    }
    JsonNode body = body(operation.getValue());
    if (body != null) {
      request.set("body", body);
    }
    String status = operation.getValue().path("responses").fieldNames().next();
    example
        .putObject("http-response")
        .put("status", Integer.parseInt(status))
        .set(
            "body",
            operation
                .getValue()
                .path("responses")
                .path(status)
                .at("/content/application~1json/example"));
    examples.put(operationId, example);
    return example;
  }

  private static @Nullable JsonNode body(JsonNode operation) {
    JsonNode example = operation.at("/requestBody/content/application~1json/example");
    return example.isMissingNode() ? null : example.deepCopy();
  }
}
