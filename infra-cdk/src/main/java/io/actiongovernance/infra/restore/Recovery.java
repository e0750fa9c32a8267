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
 * Has a deployment make up for what was lost with a table, step by step, and says what was found.
 * After a run that was broken off the next one goes through all of it again, which changes nothing
 * of what was done.
 */
public final class Recovery {
  /** A deployment of which a table was lost. Whatever it refuses is an unchecked exception. */
  public interface Deployed {
    /** The tenants, each in each mode: {@code t_…#live}. */
    List<String> partitions();

    /** The keys of the claims that are open: of what is being called, or was put off. */
    Stream<String> openClaims();

    /** One step of the function {@code recover-claims}. */
    JsonNode step(ObjectNode input);
  }

  private final Deployed deployed;
  private final Consumer<String> says;
  private final boolean apply;

  /**
   * @param says takes a line for everything that was found
   * @param apply whether something is done; else it says what would be
   */
  public Recovery(Deployed deployed, Consumer<String> says, boolean apply) {
    this.deployed = deployed;
    this.says = says;
    this.apply = apply;
  }

  /**
   * Makes up for lost claims: first of what is recorded of each tenant, then of what is open.
   *
   * @param since the second that the claims were restored to
   * @param until when everything was stopped: what was proposed before then is open
   * @return how many of each kind there are
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
   * Makes up for lost actions: what they were calling, as their claims say.
   *
   * @return how many of each kind there are
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
      default -> throw new IllegalStateException("The deployment found something new: " + kind);
    };
  }
}
