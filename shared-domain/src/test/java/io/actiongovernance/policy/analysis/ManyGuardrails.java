package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Guardrails;
import java.util.List;
import java.util.Random;

/** Large sets of guardrails for benches, the same at every call. Stateless. */
public final class ManyGuardrails {
  private ManyGuardrails() {}

  /**
   * As many as a set may have.
   *
   * @param tools how many tools they are spread over; 0 for globs over all
   * @param tightened stricter in each, so that there is nothing to be found quickly
   */
  public static ArrayNode over(int tools, boolean tightened) {
    Random random = new Random(42);
    ArrayNode array = Json.object().arrayNode();
    for (int number = 0; number < Guardrails.MAX_GUARDRAILS; number++) {
      int low = random.nextInt(1_000);
      ObjectNode guardrail =
          array
              .addObject()
              .put("name", "g" + number)
              .put("decision", List.of("ALLOW", "ALERT", "BLOCK").get(random.nextInt(3)))
              .put("priority", random.nextInt(50))
              .put("tool", tools == 0 ? "pay.*" : "pay.tool" + random.nextInt(tools));
      boolean allows = guardrail.path("decision").asText().equals("ALLOW");
      ObjectNode conditions = guardrail.putObject("conditions");
      conditions.put("min_value", low);
      conditions.put("max_value", low + 200 - (tightened && allows ? 1 : 0));
      conditions.put("entity_key", "order:" + random.nextInt(50) + "*");
      conditions
          .putArray("args")
          .addObject()
          .put("path", "/region")
          .put("op", "prefix")
          .put("value", "r" + random.nextInt(20));
    }
    return array;
  }
}
