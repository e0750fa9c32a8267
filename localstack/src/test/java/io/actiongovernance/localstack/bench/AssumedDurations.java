package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long functions would run on AWS, where nothing else shares their processor and no embedded
 * database does: the processor's time that they used here, stretched where their memory gives them
 * less than a whole one, and an assumed time for each request that they made. Immutable.
 */
final class AssumedDurations {
  private final JsonNode file = Prices.resource("durations.json");

  String title() {
    return file.path("assumed").textValue();
  }

  /** In production. */
  static Memory memory(String function) {
    return Stream.of(Trigger.values())
        .filter(trigger -> trigger.binding().function().equals(function))
        .findFirst()
        .map(Trigger::memory)
        .orElseGet(() -> Routes.memory(function));
  }

  /**
   * Of each function for one time, in seconds.
   *
   * @param processor the processor's time that each used for one time, in seconds
   * @param uses what they asked of AWS, so many times
   */
  Map<String, Double> of(Map<String, Double> processor, List<Use> uses, double times) {
    Map<String, Double> asked =
        uses.stream()
            .collect(Collectors.groupingBy(Use::function, Collectors.summingDouble(this::seconds)));
    Map<String, Double> all = new TreeMap<>();
    processor.forEach(
        (function, own) ->
            all.put(
                function,
                own * stretch(memory(function)) + asked.getOrDefault(function, 0.0) / times));
    // It waits for the executor, which a queue stands before.
    all.computeIfPresent(
        PlanRoutes.APPROVE_PLAN.operation(),
        (_, own) ->
            own + ofQueue() + all.getOrDefault(Trigger.EXECUTE_ACTION.binding().function(), 0.0));
    return all;
  }

  /** How long requests would take one after the other, in seconds. */
  double inSequence(List<Use> uses) {
    return uses.stream().mapToDouble(this::seconds).sum();
  }

  /** How long a message is in a queue that nothing is in, in seconds. */
  double ofQueue() {
    return inSeconds("queue_hop_milliseconds");
  }

  /** What a function would take for this time of a whole processor. */
  static double stretched(String function, double processor) {
    return processor * stretch(memory(function));
  }

  private static double stretch(Memory memory) {
    return (double) Memory.WHOLE_PROCESSOR.megabytes() / memory.megabytes();
  }

  private double seconds(Use use) {
    if (use.service().equals("events")) {
      // Facts that went with another one's request took no time of their own.
      return use.nanos() == 0 ? 0 : file.at("/milliseconds/PutEvents").doubleValue() / 1000;
    }
    JsonNode known = file.path("milliseconds").path(use.operation());
    return known.isNumber() ? known.doubleValue() / 1000 : inSeconds("other_milliseconds");
  }

  private double inSeconds(String name) {
    return file.required(name).doubleValue() / 1000;
  }
}
