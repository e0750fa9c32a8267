package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.policy.LimitUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The text of a plan, for a person who decides on it. */
final class PlanText {
  private PlanText() {}

  static String line(JsonNode item) {
    String waiting = item.path("waiting_on").textValue();
    int more = item.path("summaries_more").asInt();
    int blocked = item.path("action_count").asInt() - 1 - more;
    String sums = sums(item);
    return "%s  %s%s  %s%s%s%s  tier %s  until %s"
        .formatted(
            item.path("id").asText(),
            status(item),
            waiting == null ? "" : " (waits for " + waiting + ")",
            item.path("summary").asText(),
            more > 0 ? " + " + more + " more" : "",
            blocked > 0 ? " (" + blocked + " blocked)" : "",
            sums.isEmpty() ? "" : "  " + sums,
            item.path("max_tier").asText(),
            item.path("expires_at").asText());
  }

  /** Returns the plan's status; for an executed plan, with its outcome in a word or two. */
  private static String status(JsonNode plan) {
    return outcomes(plan)
        .map(all -> "executed, " + all.word())
        .orElse(plan.path("status").asText());
  }

  /** Returns the plan's status, with the number of actions by outcome. */
  static String told(JsonNode plan) {
    return status(plan) + outcomes(plan).map(all -> " (" + all.sentence() + ")").orElse("");
  }

  private static Optional<PlanOutcomes> outcomes(JsonNode plan) {
    JsonNode outcomes = plan.path("outcomes");
    return outcomes.isObject()
        ? Optional.of(Json.convert(outcomes, PlanOutcomes.class))
        : Optional.empty();
  }

  /** Returns the limit that decided, as {@code at most …}; empty if none did. */
  static Optional<String> limit(JsonNode verdict) {
    JsonNode limit = verdict.path("limit");
    return limit.isObject()
        ? Optional.of(Json.convert(limit, LimitUse.class).sentence())
        : Optional.empty();
  }

  /**
   * Returns the total value of the actions that may run, by currency; empty if no action has a
   * value.
   */
  private static String sums(JsonNode plan) {
    return plan.path("values")
        .valueStream()
        .map(
            sum ->
                amount(sum.path("sum"), sum.path("currency"))
                    + (sum.path("claimed").booleanValue() ? " (claimed)" : ""))
        .collect(Collectors.joining(", "));
  }

  private static String amount(JsonNode value, JsonNode currency) {
    return Json.write(value)
        + (currency.isTextual() ? " " + Summary.currency(currency.textValue()) : "");
  }

  /** Returns a plan with everything to decide on, including the exact request of each action. */
  static List<String> whole(JsonNode plan) {
    List<String> lines = new ArrayList<>();
    String waiting = plan.path("waiting_on").textValue();
    lines.add(
        "Plan %s: %s%s"
            .formatted(
                plan.path("id").asText(),
                told(plan),
                waiting == null ? "" : ", waits for " + waiting));
    lines.add("  proposed by  " + principal(plan.path("proposed_by")));
    add(lines, "  why          ", plan.path("reasoning"));
    lines.add("  expires at   " + plan.path("expires_at").asText());
    if (!plan.path("values").isEmpty()) {
      lines.add("  in all       " + sums(plan));
    }
    add(lines, "  approved by  ", plan.path("approver"));
    add(lines, "  vetoed by    ", plan.path("vetoed_by"));
    add(lines, "  because      ", plan.path("veto_reason"));
    int number = 0;
    for (JsonNode action : plan.path("actions")) {
      lines.addAll(action(++number, action));
    }
    return lines;
  }

  private static List<String> action(int number, JsonNode action) {
    List<String> lines = new ArrayList<>();
    lines.add(number + ". " + action.path("summary").asText());
    lines.add("  action       " + action.path("id").asText());
    lines.add("  tool         " + action.path("tool").asText());
    lines.add("  entity       " + action.path("entity_key").asText());
    if (action.has("value")) {
      lines.add("  value        " + amount(action.path("value"), action.path("currency")));
    }
    JsonNode verdict = action.path("verdict");
    String reason = verdict.path("reason").textValue();
    lines.add(
        "  verdict      %s by %s, tier %s%s"
            .formatted(
                verdict.path("decision").asText(),
                verdict.path("rule").asText("no guardrail"),
                verdict.path("tier").asText(),
                reason == null ? "" : ", " + reason));
    limit(verdict).ifPresent(limit -> lines.add("  limit        " + limit));
    if (!action.path("claimed").isEmpty()) {
      lines.add("  claimed      " + Json.write(action.path("claimed")) + ": the proposer's word");
    }
    JsonNode call = action.path("call");
    if (call.isObject()) {
      lines.add(
          "  call         %s %s"
              .formatted(call.path("method").asText(), call.path("url").asText()));
      add(lines, "  body         ", call.path("body"));
    }
    lines.add("  digest       " + action.path("action_digest").asText());
    return lines;
  }

  private static void add(List<String> lines, String head, JsonNode value) {
    if (value.isTextual()) {
      lines.add(head + value.textValue());
    }
  }

  private static String principal(JsonNode principal) {
    JsonNode by = principal.path("triggered_by");
    return "%s %s%s"
        .formatted(
            principal.path("type").asText(),
            principal.path("name").asText(principal.path("id").asText()),
            by.isObject() ? ", for what " + principal(by) + " sent" : "");
  }

  /**
   * Returns the digest that an approval of these actions is bound to. For one action it is that
   * action's digest. For several it is the SHA-256 of the canonical list of their digests, in the
   * plan's order.
   *
   * @param selected identifiers of actions; empty for all
   */
  static String digest(JsonNode plan, Collection<String> selected) {
    ArrayNode digests = Json.object().putArray("digests");
    for (JsonNode action : plan.path("actions")) {
      if (selected.isEmpty() || selected.contains(action.path("id").asText())) {
        digests.add(action.path("action_digest").asText());
      }
    }
    return digests.size() == 1 ? digests.get(0).asText() : CanonicalJson.sha256(digests);
  }
}
