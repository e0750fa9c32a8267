package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Result;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the analysis of 1,000 guardrails takes, each shape once in a cold JVM's order: run by
 * hand. Two seconds are what it may take (issue 4).
 */
final class GuardrailAnalysisBench {
  private static final ConnectorId CONNECTOR = new ConnectorId("cn_01jd0000000000000000000000");

  private GuardrailAnalysisBench() {}

  public static void main(String[] arguments) {
    for (int round = 0; round < 2; round++) {
      tell(
          "spread over 200 tools, one changed",
          ManyGuardrails.over(200, false),
          ManyGuardrails.over(200, false),
          7,
          200);
      tell(
          "spread over 200 tools, all changed",
          ManyGuardrails.over(200, false),
          ManyGuardrails.over(200, true),
          0,
          200);
      tell(
          "all on one tool, one changed",
          ManyGuardrails.over(1, false),
          ManyGuardrails.over(1, false),
          7,
          1);
      tell(
          "all on one tool, all changed",
          ManyGuardrails.over(1, false),
          ManyGuardrails.over(1, true),
          0,
          1);
      tell(
          "all globs over 1,000 tools, all changed",
          ManyGuardrails.over(0, false),
          ManyGuardrails.over(0, true),
          0,
          1_000);
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
          new Target(
              CONNECTOR,
              "pay.tool" + tool,
              1 + tool % 3,
              1 + tool % 3 == 0,
              Binds.NONE,
              Json.object(),
              action -> true));
    }
    // Of this thread, so that others on the machine do not count.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long began = threads.getCurrentThreadCpuTime();
    Result result = GuardrailAnalysis.analyse(before, after, targets, Instant.EPOCH);
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
}
