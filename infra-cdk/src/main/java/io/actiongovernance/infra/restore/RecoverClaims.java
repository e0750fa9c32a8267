package io.actiongovernance.infra.restore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.due.Due;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has a deployment make up for claims that were lost, step by step, and says what was found: first
 * what is recorded of each tenant, then what is open. After a run that was broken off the next one
 * goes through all of it again, which changes nothing of what was done.
 */
public final class RecoverClaims {
  /** A deployment whose claims were lost. Whatever it refuses is an unchecked exception. */
  public interface Deployed {
    /** The tenants, each in each mode: {@code t_…#live}. */
    List<String> partitions();

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
  public RecoverClaims(Deployed deployed, Consumer<String> says, boolean apply) {
    this.deployed = deployed;
    this.says = says;
    this.apply = apply;
  }

  /**
   * Does it, or says it.
   *
   * @param since the second that the claims were restored to
   * @param until when everything was stopped: what was proposed before then is open
   * @return how many of each kind there are
   */
  public Map<String, Integer> run(Instant since, Instant until) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String partition : deployed.partitions()) {
      all(Json.object().put("partition", partition).put("since", since.toString()), counts);
    }
    for (int shard = 0; shard < Due.SHARDS; shard++) {
      all(Json.object().put("shard", shard).put("until", until.toString()), counts);
    }
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
      default -> throw new IllegalStateException("The deployment found something new: " + kind);
    };
  }
}
