package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the votes in an export are those that decided its receipts. They must be by the same
 * person, for the same plan, and for the exact digest of the action. Not thread-safe.
 */
final class CountedVotes {
  /** The statement of a vote, with the digests by action. */
  private record Given(String person, String plan, Map<String, String> digests) {}

  private final Map<String, Given> votes = new HashMap<>();
  private final Set<String> absent = new HashSet<>();

  void keep(JsonNode vote) {
    JsonNode statement = vote.at("/evidence/statement");
    Map<String, String> digests = new HashMap<>();
    for (JsonNode each : statement.path("selected")) {
      digests.put(each.path("action_id").asText(), each.path("digest").asText());
    }
    votes.put(
        vote.path("id").asText(),
        new Given(
            statement.path("approver").asText(),
            statement.path("plan_id").asText(),
            Map.copyOf(digests)));
  }

  /** Returns the number of counted votes that are not in the file. */
  long absent() {
    return absent.size();
  }

  /** Returns the problem with the votes that decided an action, in words; null if there is none. */
  @Nullable String problem(JsonNode receipt) {
    for (JsonNode decider : receipt.path("decided_by")) {
      if (decider.path("receipt_id").isTextual()) {
        String id = decider.path("receipt_id").textValue();
        Given vote = votes.get(id);
        if (vote == null) {
          absent.add(id);
        } else if (!isFor(vote, decider, receipt)) {
          return "the vote " + id + " was not for this";
        }
      }
    }
    return null;
  }

  private static boolean isFor(Given vote, JsonNode decider, JsonNode receipt) {
    String digest = vote.digests().get(receipt.path("action_id").asText());
    boolean skipped = receipt.path("outcome").asText().equals("skipped");
    return vote.person().equals(decider.path("id").asText())
        && vote.plan().equals(receipt.path("plan_id").asText())
        && (skipped ? digest == null : receipt.path("action_digest").asText().equals(digest));
  }
}
