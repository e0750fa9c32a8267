package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.localstack.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls over the MCP gateway that all wait at once, for a source system that answers nobody until
 * they do: how many waited for longer than without a slot, and what they were answered.
 */
final class WaitingCalls {
  private static final int CALLS = 200;

  /** Without a slot nobody waits for longer than a second, and some. */
  private static final Duration WITHOUT_SLOT = Duration.ofSeconds(3);

  /** After which the source system answers. */
  private static final Duration HELD = Duration.ofSeconds(6);

  private WaitingCalls() {}

  static Figures run() throws Exception {
    try (GatewaySource source = new GatewaySource();
        OwnStack stack =
            new OwnStack(
                Service.governance(), Map.of("GOVERNANCE_WAIT_SLOTS", String.valueOf(CALLS)))) {
      GatewaySource.Desk desk = source.desk(stack.newTenant("bench"));
      // As many keys as a tenant may have, its first two among them.
      List<Tenant> agents = new ArrayList<>(desk.agents(ApiKeys.QUOTA - 2));
      agents.add(desk.admin());
      desk.read(agents.getFirst(), 0);
      source.hold(HELD);
      Latencies latencies = new Latencies();
      AtomicInteger waited = new AtomicInteger();
      Map<String, Integer> answers = new TreeMap<>();
      Parallel.run(
          CALLS,
          CALLS,
          number -> {
            long began = System.nanoTime();
            JsonNode answer = desk.read(agents.get(number % agents.size()), 1 + number);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            latencies.add(took);
            if (took.compareTo(WITHOUT_SLOT) >= 0) {
              waited.incrementAndGet();
            }
            synchronized (answers) {
              answers.merge(told(answer), 1, Integer::sum);
            }
          });
      Figures figures =
          new Figures(
                  "calls over the MCP gateway that wait at once",
                  "calls",
                  "number",
                  "p50 ms",
                  "p99 ms")
              .row("made at once", CALLS, latencies.at(50), latencies.at(99))
              .row("that waited", waited.get(), "", "");
      answers.forEach((told, number) -> figures.row("answered: " + told, number, "", ""));
      return figures.note(
          "The source system answers nobody for the first %d seconds; of each of %d keys %d may wait."
              .formatted(HELD.toSeconds(), agents.size(), WaitSlots.OF_A_CALLER));
    }
  }

  private static String told(JsonNode answer) {
    JsonNode status = answer.at("/result/structuredContent/status");
    return status.isMissingNode() && answer.has("result") ? "its content" : status.asText("error");
  }
}
