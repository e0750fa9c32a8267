package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What a governed action costs in requests, counted at the SDK: from ingest to receipt for one
 * unheld action, and for a held one its approval too. Left out is what is done for many at once,
 * the relay of changes and the sweeps, and the reads by which this bench looks on.
 */
final class RequestsBench {
  private static final int TIMES = 5;
  private static final Set<String> LEFT_OUT =
      Set.of(
          "relay-state",
          "relay-events",
          "relay-receipts",
          "run-due-operators",
          "sweep",
          "sweep-deliveries",
          "list-plans");

  private final Meter meter;
  private final Loop loop;

  private RequestsBench(Meter meter, Loop loop) {
    this.meter = meter;
    this.loop = loop;
  }

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    try (Loop loop = new Loop(PerFunction.service(meter))) {
      RequestsBench bench = new RequestsBench(meter, loop);
      bench.unheld("warm");
      bench.held("warm");
      return List.of(
          bench.figures("requests of an unheld action", bench::unheld),
          bench.figures("requests of a held action", bench::held));
    }
  }

  private interface Governed {
    void act(String entity) throws Exception;
  }

  private void unheld(String entity) throws Exception {
    loop.awaitPlan(loop.ingestAllowed(entity, entity), "executed");
    awaitQuiet();
  }

  private void held(String entity) throws Exception {
    String plan = loop.awaitPlan(loop.ingestHeld(entity, entity), "proposed");
    loop.post("/v1/plans/" + plan + "/approve", "{}");
    awaitQuiet();
  }

  /** Nothing more is asked once nothing was for a while. */
  private void awaitQuiet() throws InterruptedException {
    int before = -1;
    while (before != counted().size()) {
      before = counted().size();
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private List<Use> counted() {
    return meter.uses().stream().filter(use -> !LEFT_OUT.contains(use.function())).toList();
  }

  private Figures figures(String name, Governed governed) throws Exception {
    meter.reset();
    for (int at = 0; at < TIMES; at++) {
      governed.act(name.replace(' ', '-') + at);
    }
    Figures figures =
        new Figures(name, "function", "DynamoDB", "read units", "write units", "SQS", "which");
    TreeMap<String, List<Use>> byFunction =
        counted().stream()
            .collect(Collectors.groupingBy(Use::function, TreeMap::new, Collectors.toList()));
    byFunction.forEach((function, uses) -> row(figures, function, uses));
    row(figures, "all", counted());
    return figures;
  }

  private static void row(Figures figures, String function, List<Use> uses) {
    List<Use> dynamo = uses.stream().filter(use -> use.service().equals("dynamodb")).toList();
    TreeMap<String, Long> which =
        uses.stream()
            .collect(Collectors.groupingBy(Use::operation, TreeMap::new, Collectors.counting()));
    figures.row(
        function,
        (double) dynamo.size() / TIMES,
        dynamo.stream().mapToDouble(Use::reads).sum() / TIMES,
        dynamo.stream().mapToDouble(Use::writes).sum() / TIMES,
        (double) uses.stream().filter(use -> use.service().equals("sqs")).count() / TIMES,
        which.entrySet().stream()
            .map(one -> one.getKey() + " " + (double) one.getValue() / TIMES)
            .collect(Collectors.joining(", ")));
  }
}
