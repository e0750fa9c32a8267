package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.PerFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How long an approval of a one-action plan takes, from request to answer, beside the store and
 * queue calls that were made for it, in sequence.
 */
final class ApproveBench {
  private static final int TIMES = 100;
  private static final int WARM = 30;
  private static final Set<String> FOR_IT = Set.of("approve-plan", "execute-action");

  private ApproveBench() {}

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    List<Double> answers = new ArrayList<>();
    List<Double> calls = new ArrayList<>();
    try (Loop loop = new Loop(PerFunction.service(meter))) {
      for (int at = 0; at < WARM + TIMES; at++) {
        String event = loop.ingestHeld("entity-" + at, "note " + at);
        String plan = loop.awaitPlan(event, "proposed");
        meter.reset();
        long began = System.nanoTime();
        loop.post("/v1/plans/" + plan + "/approve", "{}");
        double answered = (System.nanoTime() - began) / 1e6;
        double called =
            meter.uses().stream()
                .filter(use -> FOR_IT.contains(use.function()))
                .mapToLong(Meter.Use::nanos)
                .sum();
        if (at >= WARM) {
          answers.add(answered);
          calls.add(called / 1e6);
        }
      }
    }
    Percentiles answer = new Percentiles(answers);
    Percentiles floor = new Percentiles(calls);
    return List.of(
        new Figures("approval of a one-action plan", "milliseconds", "p50", "p99")
            .row("request to answer", answer.at(50), answer.at(99))
            .row("its store and queue calls in sequence", floor.at(50), floor.at(99))
            .row("ratio", answer.at(50) / floor.at(50), answer.at(99) / floor.at(99)));
  }
}
