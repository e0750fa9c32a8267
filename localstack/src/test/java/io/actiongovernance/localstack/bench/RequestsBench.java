package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.Set;

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
          "relay-outcomes",
          "look-for-due",
          "run-due-operators",
          "sweep",
          "sweep-deliveries",
          "list-plans");

  private final Meter meter;

  private RequestsBench(Meter meter) {
    this.meter = meter;
  }

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    try (Loop loop = new Loop(PerFunction.service(meter))) {
      RequestsBench bench = new RequestsBench(meter);
      SingleActions actions = new SingleActions(loop, () -> bench.counted().size());
      actions.warm();
      actions.held("warm");
      return List.of(
          bench.figures("requests of an unheld action", actions::unheld),
          bench.figures("requests of a held action", actions::held));
    }
  }

  private interface Governed {
    void act(String entity) throws Exception;
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
