package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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
    return UsesTable.of(name, counted(), TIMES);
  }
}
