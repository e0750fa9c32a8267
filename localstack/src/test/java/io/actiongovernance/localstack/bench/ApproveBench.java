package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.localstack.PerFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How long an approval of a one-action plan takes, from request to answer, beside the store and
 * queue calls that were made for it, in sequence; and, in turn with it, one that a person signs with
 * a passkey: the approval itself, and what they are asked to sign before.
 */
final class ApproveBench {
  private static final int TIMES = 100;
  private static final int WARM = 30;
  private static final double GOAL = 1.2;
  private static final Set<String> FOR_IT = Set.of("approve-plan", "execute-action");

  private ApproveBench() {}

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    List<Double> answers = new ArrayList<>();
    List<Double> calls = new ArrayList<>();
    List<Double> signed = new ArrayList<>();
    List<Double> asked = new ArrayList<>();
    try (Loop loop = new Loop(PerFunction.service(meter))) {
      Signer signer = Signer.of(loop.tenant());
      for (int at = 0; at < WARM + TIMES; at++) {
        String plan = held(loop, "key-" + at);
        meter.reset();
        double answered = timed(() -> loop.post("/v1/plans/" + plan + "/approve", "{}"));
        double called =
            meter.uses().stream()
                .filter(use -> FOR_IT.contains(use.function()))
                .mapToLong(Meter.Use::nanos)
                .sum();
        String other = held(loop, "passkey-" + at);
        ObjectNode[] signature = new ObjectNode[1];
        double askedFor = timed(() -> signature[0] = signer.signs(other));
        double signedFor =
            timed(() -> signer.post("/v1/plans/" + other + "/approve", signature[0]));
        if (at >= WARM) {
          answers.add(answered);
          calls.add(called / 1e6);
          asked.add(askedFor);
          signed.add(signedFor);
        }
      }
    }
    Percentiles answer = new Percentiles(answers);
    Percentiles floor = new Percentiles(calls);
    Percentiles signature = new Percentiles(signed);
    Percentiles question = new Percentiles(asked);
    double ratio = signature.at(50) / answer.at(50);
    return List.of(
        new Figures("approval of a one-action plan", "milliseconds", "p50", "p99")
            .row("request to answer", answer.at(50), answer.at(99))
            .row("its store and queue calls in sequence", floor.at(50), floor.at(99))
            .row("ratio", answer.at(50) / floor.at(50), answer.at(99) / floor.at(99))
            .row("signed with a passkey, request to answer", signature.at(50), signature.at(99))
            .row("its ratio to one by key", ratio, signature.at(99) / answer.at(99))
            .row("what is to be signed, asked for before", question.at(50), question.at(99))
            .note(
                "By passkey at most %.1f times as long as by key at p50: %s."
                    .formatted(GOAL, ratio <= GOAL ? "met" : "missed")));
  }

  private static String held(Loop loop, String entity) throws Exception {
    return loop.awaitPlan(loop.ingestHeld(entity, "note"), "proposed");
  }

  /** What is to be timed. */
  private interface Work {
    void run() throws Exception;
  }

  /** For how many milliseconds it went on. */
  private static double timed(Work work) throws Exception {
    long began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e6;
  }
}
