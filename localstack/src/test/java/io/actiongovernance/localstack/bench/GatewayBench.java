package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.mcp.McpRoutes;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a governed read over the MCP gateway takes beside the same read made straight at the source
 * system; how many requests to tables and queues there are from the call to its answer, and how
 * long these would take on AWS; and how calls fare that all wait at once.
 */
final class GatewayBench {
  private static final int WARM = 60;
  private static final int TIMES = 100;

  /** Who take turns: a bucket that an agent has charged within half a second is charged in two. */
  private static final int AGENTS = 12;

  private static final int MOST_REQUESTS = 20;
  private static final double MOST_ON_AWS = 200;
  private static final String GATEWAY = McpRoutes.SEND_MESSAGE.operation();
  private static final Set<String> IN_THE_WAY =
      Set.of(GATEWAY, Trigger.EXECUTE_ACTION.binding().function());

  private final List<Double> governed = new ArrayList<>();
  private final List<Double> straight = new ArrayList<>();
  private final List<Double> overhead = new ArrayList<>();
  private final List<Double> requests = new ArrayList<>();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final List<OnAws> onAws = new ArrayList<>();

  private GatewayBench() {}

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    GatewayBench bench = new GatewayBench();
    try (GatewaySource source = new GatewaySource();
        OwnStack stack = new OwnStack(PerFunction.service(meter), Map.of())) {
      bench.measure(source, source.desk(stack.newTenant("bench")), meter);
    }
    return List.of(bench.times(), bench.counted(), bench.assumed(), WaitingCalls.run());
  }

  private void measure(GatewaySource source, GatewaySource.Desk desk, Meter meter)
      throws Exception {
    AssumedDurations durations = new AssumedDurations();
    List<Tenant> agents = desk.agents(AGENTS);
    for (int at = 0; at < WARM + TIMES; at++) {
      Tenant agent = agents.get(at % AGENTS);
      long straightBegan = System.nanoTime();
      source.readStraight(agent, at);
      long alone = System.nanoTime() - straightBegan;
      meter.reset();
      long began = System.nanoTime();
      JsonNode answer = desk.read(agent, at);
      long ended = System.nanoTime();
      List<Use> uses =
          meter.uses().stream()
              .filter(use -> IN_THE_WAY.contains(use.function()) && use.ended() <= ended)
              .toList();
      if (!answer.at("/result/structuredContent/total").asText().equals("42.00")) {
        throw new IllegalStateException("The read was answered " + answer);
      }
      if (at >= WARM) {
        straight.add(alone / 1e6);
        governed.add((ended - began) / 1e6);
        overhead.add((ended - began - alone) / 1e6);
        requests.add((double) uses.size());
        uses.forEach(use -> kinds.merge(kind(use), 1, Integer::sum));
        onAws.add(OnAws.of(durations, GATEWAY, uses, began, ended, alone));
      }
    }
  }

  private static String kind(Use use) {
    String keys =
        use.units().stream()
            .map(units -> KeyPattern.of(units).text())
            .filter(text -> !text.contains("/"))
            .distinct()
            .collect(Collectors.joining(", "));
    return use.function() + " " + use.operation() + (keys.isEmpty() ? "" : " of " + keys);
  }

  private Figures times() {
    Figures figures = new Figures("read over the MCP gateway", "milliseconds", "p50", "p99");
    row(figures, "governed", governed);
    row(figures, "straight at the source system", straight);
    row(figures, "overhead", overhead);
    return figures;
  }

  private static void row(Figures figures, String name, List<Double> of) {
    Percentiles all = new Percentiles(of);
    figures.row(name, all.at(50), all.at(99));
  }

  private Figures counted() {
    Figures figures =
        new Figures("requests to tables and queues of a governed read", "requests", "p50", "p99");
    row(figures, "from the call to its answer", requests);
    figures.row("at most", (double) MOST_REQUESTS, "");
    figures.note(
        "Of agents that call no oftener than every half second; else the bucket of rates takes one more.");
    kinds.forEach(
        (kind, times) -> figures.note("%s: %.2f".formatted(kind, times / (double) TIMES)));
    return figures;
  }

  private Figures assumed() {
    Figures figures =
        new Figures("a governed read on AWS by assumed durations", "milliseconds", "p50", "p99");
    part(figures, "until its action is sent", OnAws::sent);
    part(figures, "in the queue", OnAws::queue);
    part(figures, "executed, until it is disposed", OnAws::executed);
    part(figures, "until that is seen", OnAws::seen);
    part(figures, "until the answer", OnAws::answered);
    part(figures, "from the call to its answer", OnAws::all);
    return figures
        .row("at most", MOST_ON_AWS, "")
        .note(new AssumedDurations().title())
        .note("What the functions do besides is as long as it took here; no source system's time.");
  }

  private void part(Figures figures, String name, ToDoubleFunction<OnAws> of) {
    row(figures, name, onAws.stream().mapToDouble(of).boxed().toList());
  }
}
