package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a test starts from: a tenant (its own, where tenants can be made), an upstream of its own,
 * and short ways to connectors, operators and plans. Names are unique, so that tests can share a
 * tenant; what was installed is removed at the end where they do. Thread-safe.
 */
final class Given implements AutoCloseable {
  /**
   * Tier 2, has an inverse, its effect is not to be repeated; binds the charge, the amount and the
   * currency. Its path is {@code /refunds}.
   */
  static final String REFUND = "pay.refund.create";

  /** Tier 2: the inverse of {@link #REFUND}. Its path is {@code /cancellations}. */
  static final String CANCEL = "pay.refund.cancel";

  /** Tier 0. Its path is {@code /charges}. */
  static final String READ = "pay.charge.read";

  /** Tier 1, may be called again under the same key. Its path is {@code /notes}. */
  static final String NOTE = "desk.note.add";

  /** Tier 3, has no inverse. Its path is {@code /deletions}. */
  static final String DELETE = "data.record.delete";

  private static final String TOOLS =
      """
      [{"name":"pay.refund.create","capability":"pay.refund","tier":2,"description":"Refunds.",
        "input_schema":{"type":"object","required":["charge"],"additionalProperties":false,
          "properties":{"charge":{"type":"string"},"amount":{"type":["string","number"]},
            "currency":{"type":"string"},"memo":{"type":"string"}}},
        "binds":{"entity":"charge:{{args.charge}}","value":"/amount","currency":"/currency"},
        "summary":"Refund {{args.amount}} of charge {{args.charge}}",
        "retry_safe":false,"reference":"/id",
        "inverse":{"tool":"pay.refund.cancel",
          "args":{"refund":"{{result.id}}","charge":"{{args.charge}}"}},
        "request":{"method":"POST","path":"/refunds/{{args.charge}}"}},
       {"name":"pay.refund.cancel","capability":"pay.refund","tier":2,"description":"Cancels.",
        "input_schema":{"type":"object","required":["refund"]},
        "retry_safe":true,"reference":"/id",
        "request":{"method":"POST","path":"/cancellations/{{args.refund}}"}},
       {"name":"pay.charge.read","capability":"pay.read","tier":0,"description":"Reads.",
        "input_schema":{"type":"object","required":["charge"]},
        "retry_safe":true,
        "request":{"method":"GET","path":"/charges/{{args.charge}}"}},
       {"name":"desk.note.add","capability":"desk.note","tier":1,"description":"Notes.",
        "input_schema":{"type":"object"},
        "retry_safe":true,"reference":"/id",
        "request":{"method":"POST","path":"/notes"}},
       {"name":"data.record.delete","capability":"data","tier":3,"description":"Deletes.",
        "input_schema":{"type":"object","required":["record"]},
        "retry_safe":false,
        "request":{"method":"POST","path":"/deletions/{{args.record}}"}}]
      """;

  private final Stack stack;
  private final Stack.Keys keys;
  private final Api api;
  private final Upstream upstream;
  private final Deque<String> removals = new ConcurrentLinkedDeque<>();
  private @Nullable String connector;
  private @Nullable Api proposer;
  private @Nullable Receiver receiver;

  Given(Stack stack, Stack.Keys keys) {
    this(stack, keys, stack.api(keys.live()));
  }

  /** Starts from a tenant that is reached elsewhere. */
  Given(Stack stack, Stack.Keys keys, Api api) {
    this.stack = stack;
    this.keys = keys;
    this.api = api;
    this.upstream = new Upstream(stack.thisMachine());
  }

  /** The API with an admin key of mode live. */
  Api api() {
    return api;
  }

  /** The same API with a key that proposes, made when it is first wanted. */
  synchronized Api proposer() {
    if (proposer == null) {
      proposer = apiOfScopes("plans:propose");
    }
    return Objects.requireNonNull(proposer);
  }

  /** The same API with an admin key of mode test. */
  Api testApi() {
    String known = keys.test();
    return api.as(
        known == null ? newKey(Json.object().put("role", "admin").put("mode", "test")) : known);
  }

  /** The API with a new key; {@code key} says all but its name. */
  Api apiWith(ObjectNode key) {
    return api.as(newKey(key));
  }

  /** The API with a new key of a role. */
  Api apiOfRole(String role) {
    return apiWith(Json.object().put("role", role));
  }

  /** The API with a new key of exactly these scopes. */
  Api apiOfScopes(String... scopes) {
    ObjectNode key = Json.object();
    for (String scope : scopes) {
      key.withArray("scopes").add(scope);
    }
    return apiWith(key);
  }

  /** The API of another tenant; the test is skipped where none can be made. */
  Api anotherTenant() {
    return stack.api(stack.anotherTenant().live());
  }

  private String newKey(ObjectNode key) {
    JsonNode created = api.post("/v1/keys", key.deepCopy().put("name", unique("key"))).is(201);
    removals.push("/v1/keys/" + created.path("id").asText());
    return created.path("secret").asText();
  }

  Upstream upstream() {
    return upstream;
  }

  /** A receiver of webhooks, started when it is first wanted. */
  synchronized Receiver receiver() {
    stack.requireTrust();
    if (receiver == null) {
      receiver = new Receiver();
    }
    return Objects.requireNonNull(receiver);
  }

  /** A slug that nobody else uses. */
  static String unique(String prefix) {
    return prefix + "-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
  }

  /** The connector to the upstream, with all tools, installed when it is first wanted. */
  synchronized String connector() {
    if (connector == null) {
      connector = install(api, null);
    }
    return Objects.requireNonNull(connector);
  }

  /** Installs one more connector to the upstream, after whose lost replies nothing settles. */
  String install(Api by, @Nullable String workspaceId) {
    return install(by, workspaceId, 0);
  }

  /**
   * The same where entities settle.
   *
   * @param settleSeconds how long no call starts on an entity after a reply was lost
   */
  String install(Api by, @Nullable String workspaceId, int settleSeconds) {
    return install(by, workspaceId, settleSeconds, Json.read(TOOLS));
  }

  /** The same with other tools. */
  String install(Api by, @Nullable String workspaceId, int settleSeconds, JsonNode tools) {
    ObjectNode body =
        Json.object()
            .put("listing_id", "cn-http")
            .put("name", unique("shop"))
            .put("workspace_id", workspaceId);
    body.putObject("config")
        .put("base_url", upstream.url())
        .put("requests_per_minute", 60_000)
        .put("settle_seconds", settleSeconds)
        .set("tools", tools);
    String id = by.post("/v1/connectors", body).is(201).path("id").asText();
    removals.push("/v1/connectors/" + id);
    return id;
  }

  /** An active operator with these guardrails. */
  Operator operator(ObjectNode... guardrails) {
    return operatorWith(Json.object(), guardrails);
  }

  /** The same with more fields. */
  Operator operatorWith(ObjectNode fields, ObjectNode... guardrails) {
    return operatorOf(api, connector(), fields, guardrails);
  }

  /**
   * An operator that another key creates. Where only the test proposes for it, it watches what the
   * shop tells, so that proposals may name events.
   */
  Operator operatorOf(Api by, String connectorId, ObjectNode fields, ObjectNode... guardrails) {
    ObjectNode body = fields.deepCopy();
    if (!body.has("name")) {
      body.put("name", unique("desk"));
    }
    if (!body.has("triggers") && !body.has("model")) {
      body.putObject("triggers").putArray("sources").add("shop");
    }
    ArrayNode list = body.putArray("guardrails");
    for (ObjectNode guardrail : guardrails) {
      list.add(guardrail);
    }
    String id = by.post("/v1/operators", body).is(201).path("id").asText();
    removals.push("/v1/operators/" + id);
    return new Operator(by, by.equals(api) ? proposer() : by, id, connectorId);
  }

  /** A guardrail that permits the tool. */
  static ObjectNode allow(String tool) {
    return guardrail("ALLOW", tool);
  }

  /** A guardrail that holds the tool for a human. */
  static ObjectNode alert(String tool) {
    return guardrail("ALERT", tool);
  }

  /** A guardrail that refuses the tool. */
  static ObjectNode block(String tool) {
    return guardrail("BLOCK", tool);
  }

  /** Named after what it does: {@code allow-pay-refund-create}, {@code alert-pay-any-any}. */
  private static ObjectNode guardrail(String decision, String tool) {
    String name =
        decision.toLowerCase(java.util.Locale.ROOT)
            + "-"
            + tool.replace("*", "any").replace('.', '-');
    return Json.object().put("name", name).put("decision", decision).put("tool", tool);
  }

  /** Ingests an event and answers with it. */
  JsonNode event(String type, ObjectNode payload) {
    ObjectNode body = Json.object().put("source", "shop").put("event_type", type);
    body.set("payload", payload);
    return api.post("/v1/events", body).is(201);
  }

  /** Stops what the test used; where the tenant is shared, what it made goes too. */
  @Override
  public void close() {
    if (!stack.makesTenants()) {
      removals.forEach(api::delete);
    }
    upstream.close();
    Receiver started = receiver;
    if (started != null) {
      started.close();
    }
  }
}
