package io.actiongovernance.localstack.bench;

import static io.actiongovernance.store.Condition.always;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.OperatorBody;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Write;

/**
 * Gives the tenant of a {@link Loop} all that a tenant may have: 25 active operators of about 20 KB
 * each, of which one watches its events, 25 connectors, a limit of each kind on whatever runs, and
 * a cap; bounds are far above what is used.
 */
final class AtQuota {
  /** As short as has the slots of a window in use while a bench runs. */
  private static final int WINDOW_SECONDS = 60;

  private static final long FAR_ABOVE = Limit.MAX_ACTIONS;

  private final Loop loop;
  private final Tenant tenant;

  AtQuota(Loop loop) {
    this.loop = loop;
    this.tenant = loop.tenant();
  }

  /**
   * @param spread over how many items what is counted for the tenant is spread
   */
  void fill(int spread) throws Exception {
    Change spreading = Change.set("spread", spread);
    loop.store().write(Write.update(Allowance.termsKey(tenant.partition()), always(), spreading));
    tenant.send("PATCH", "/v1/allowance", Json.write(Json.object().put("hard_cap", FAR_ABOVE)));
    for (int number = 1; number < Connectors.QUOTA; number++) {
      tenant.post("/v1/connectors", connector(number));
    }
    operators();
  }

  private void operators() throws Exception {
    JsonNode watching = tenant.get("/v1/operators").path("data").path(0);
    ObjectNode full =
        Json.object().put("instructions", "x".repeat(OperatorBody.LONGEST_INSTRUCTIONS));
    full.set("guardrails", limited(watching.path("guardrails")));
    tenant.send("PATCH", "/v1/operators/" + Tenant.id(watching), Json.write(full));
    for (int number = 1; number < Operators.ACTIVE_QUOTA; number++) {
      ObjectNode another = full.deepCopy().put("name", "operator-" + number);
      another.putObject("triggers").putArray("event_types").add("nobody.watches");
      tenant.post("/v1/operators", Json.write(another));
    }
  }

  /** The guardrails with a limit for each thing that can be counted apart. */
  private static JsonNode limited(JsonNode guardrails) {
    for (JsonNode guardrail : guardrails) {
      ArrayNode limits = ((ObjectNode) guardrail).putArray("limits");
      for (Per per : Per.values()) {
        limits
            .addObject()
            .put("per", per.wire())
            .put("window_seconds", WINDOW_SECONDS)
            .put("max_actions", FAR_ABOVE)
            .put("max_value", FAR_ABOVE);
      }
    }
    return guardrails;
  }

  private static String connector(int number) {
    return """
        {"listing_id":"cn-http","name":"spare-%1$d","config":{"base_url":"http://127.0.0.1:9",
         "tools":[{"name":"spare%1$d.act","capability":"spare","tier":1,"description":"Acts.",
          "input_schema":{"type":"object"},"request":{"method":"POST","path":"/"}}]}}
        """
        .formatted(number);
  }
}
