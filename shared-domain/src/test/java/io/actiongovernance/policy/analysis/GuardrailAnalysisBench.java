package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Result;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * How long the analysis of 1,000 guardrails takes, each shape once in a cold JVM's order: run by
 * hand. Two seconds are what it may take (issue 4).
 */
final class GuardrailAnalysisBench {
  private static final int GUARDRAILS = 1_000;
  private static final ConnectorId CONNECTOR = new ConnectorId("cn_01jd0000000000000000000000");

  private GuardrailAnalysisBench() {}

  public static void main(String[] arguments) {
    for (int round = 0; round < 2; round++) {
      tell("spread over 200 tools, one changed", sets(200, false), sets(200, false), 7, 200);
      tell("spread over 200 tools, all changed", sets(200, false), sets(200, true), 0, 200);
      tell("all on one tool, one changed", sets(1, false), sets(1, false), 7, 1);
      tell("all on one tool, all changed", sets(1, false), sets(1, true), 0, 1);
      tell("all globs over 1,000 tools, all changed", sets(0, false), sets(0, true), 0, 1_000);
    }
  }

  private static void tell(
      String what, ArrayNode present, ArrayNode proposed, int changed, int tools) {
    if (changed > 0) {
      ((ObjectNode) proposed.get(changed)).putNull("conditions");
    }
    Guardrails before = Guardrails.of(present);
    Guardrails after = Guardrails.of(proposed);
    List<Target> targets = new ArrayList<>();
    for (int tool = 0; tool < tools; tool++) {
      targets.add(
          new Target(CONNECTOR, "pay.tool" + tool, 1 + tool % 3, Json.object(), action -> true));
    }
    // Of this thread, so that others on the machine do not count.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long began = threads.getCurrentThreadCpuTime();
    Result result = GuardrailAnalysis.analyse(before, after, targets);
    System.out.printf(
        "%-45s %,6d ms: %d uncovered, %d unreachable, %d conflicts, %d permitted, complete: %s%n",
        what,
        (threads.getCurrentThreadCpuTime() - began) / 1_000_000,
        result.uncoveredTools().size(),
        result.unreachable().size(),
        result.conflicts().size(),
        result.permitsMore().size(),
        result.complete());
  }

  /** Stricter in each, if tightened, so that there is nothing to be found quickly. */
  private static ArrayNode sets(int tools, boolean tightened) {
    Random random = new Random(42);
    ArrayNode array = Json.object().arrayNode();
    for (int number = 0; number < GUARDRAILS; number++) {
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
