package io.actiongovernance.infra.restore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.trigger.RecoverClaimsFunction;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a deployment after the loss of a table, step by step, and prints its findings. After an
 * interrupted run, the next one repeats all steps; repeating a completed step changes nothing.
 */
public final class Recovery {
  /** A deployment that lost a table. A refused call throws an unchecked exception. */
  public interface Deployed {
    /** The tenants, each in each mode, such as {@code t_…#live}. */
    List<String> partitions();

    /**
     * The keys of the open claims, which belong to calls in progress and to calls that were put
     * off.
     */
    Stream<String> openClaims();

    /** Runs one step of the function {@code recover-claims}. */
    JsonNode step(ObjectNode input);
  }

  private final Deployed deployed;
  private final Consumer<String> says;
  private final boolean apply;

  /**
   * @param says receives a line for each finding
   * @param apply whether to act; if false, it only prints the findings
   */
  public Recovery(Deployed deployed, Consumer<String> says, boolean apply) {
    this.deployed = deployed;
    this.says = says;
    this.apply = apply;
  }

  /**
   * Repairs lost claims: first the claims recorded for each tenant, then the open ones.
   *
   * @param since the second that the claims were restored to
   * @param until time at which everything was stopped: plans proposed before then are open
   * @return the number of findings of each kind
   */
  public Map<String, Integer> ofClaims(Instant since, Instant until) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String partition : deployed.partitions()) {
      all(Json.object().put("partition", partition).put("since", since.toString()), counts);
    }
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      all(Json.object().put("shard", shard).put("until", until.toString()), counts);
    }
    return counts;
  }

  /**
   * Repairs lost actions, by the calls that they were making according to their claims.
   *
   * @return the number of findings of each kind
   */
  public Map<String, Integer> ofActions() {
    Map<String, Integer> counts = new TreeMap<>();
    deployed
        .openClaims()
        .gather(Gatherers.windowFixed(RecoverClaimsFunction.MOST_CLAIMS))
        .forEach(
            claims -> {
              ObjectNode input = Json.object();
              claims.forEach(input.putArray("claims")::add);
              all(input, counts);
            });
    return counts;
  }

  private void all(ObjectNode input, Map<String, Integer> counts) {
    @Nullable String from = null;
    do {
      JsonNode answer = deployed.step(input.put("from", from).put("apply", apply));
      for (JsonNode found : answer.path("found")) {
        String kind = found.path("kind").asText();
        counts.merge(kind, 1, Integer::sum);
        says.accept(
            "%s  %s  %s  %s"
                .formatted(
                    sentence(kind),
                    found.path("partition").asText(),
                    found.path("plan_id").asText(),
                    found.path("action_id").asText("")));
      }
      from = answer.path("next").textValue();
    } while (from != null);
  }

  private static String sentence(String kind) {
    return switch (kind) {
      case "open" -> "open, to be expired";
      case "begun" -> "may have been called, ends as interrupted";
      case "applied" -> "applied, claimed again";
      case "unknown" -> "unknown, claimed again";
      case "unowned" -> "may have been called, ends as unknown";
      case "uncalled" -> "was not called, its key is free";
      default ->
          throw new IllegalStateException("The deployment reported an unknown kind: " + kind + ".");
    };
  }
}
