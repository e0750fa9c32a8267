package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Number of actions of an executed plan by outcome, as they were disposed. Later resolutions do not
 * change it.
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record PlanOutcomes(
    int applied, int refused, int failed, int unknown, int deduplicated, int skipped) {

  public static PlanOutcomes of(List<Action> actions) {
    return counted(actions.stream().map(PlanOutcomes::outcome).toList());
  }

  public static PlanOutcomes counted(List<ReceiptOutcome> outcomes) {
    Map<ReceiptOutcome, Integer> counts =
        outcomes.stream().collect(Collectors.toMap(one -> one, _ -> 1, Integer::sum));
    return new PlanOutcomes(
        counts.getOrDefault(ReceiptOutcome.APPLIED, 0),
        counts.getOrDefault(ReceiptOutcome.REFUSED, 0),
        counts.getOrDefault(ReceiptOutcome.FAILED, 0),
        counts.getOrDefault(ReceiptOutcome.UNKNOWN, 0),
        counts.getOrDefault(ReceiptOutcome.DEDUPLICATED, 0),
        counts.getOrDefault(ReceiptOutcome.SKIPPED, 0));
  }

  /** Returns how an action ended. An action without an ending was left out of the claim. */
  private static ReceiptOutcome outcome(Action action) {
    if (action.disposal() != null) {
      return action.disposal().outcome();
    }
    return action.closing() == null ? ReceiptOutcome.SKIPPED : action.closing().outcome();
  }

  PlanOutcomes skipping(int more) {
    return new PlanOutcomes(applied, refused, failed, unknown, deduplicated, skipped + more);
  }

  /** Returns the counts as answers show them, including zeros. */
  public ObjectNode wire() {
    return Json.object()
        .put("applied", applied)
        .put("refused", refused)
        .put("failed", failed)
        .put("unknown", unknown)
        .put("deduplicated", deduplicated)
        .put("skipped", skipped);
  }

  /** Returns a text for people: {@code 1 applied, 2 refused}. */
  public String sentence() {
    return wire().properties().stream()
        .filter(count -> count.getValue().intValue() > 0)
        .map(count -> count.getValue().asText() + " " + count.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Returns whether all actions that were to run took effect, now or before. */
  public boolean ranAsApproved() {
    return refused + failed + unknown == 0;
  }

  /**
   * Returns a word or two for people. The word {@code applied} is used only if all actions took
   * effect.
   */
  public String word() {
    if (unknown > 0) {
      return "unknown";
    }
    if (ranAsApproved() && skipped == 0) {
      return applied > 0 ? "applied" : "deduplicated";
    }
    if (applied + deduplicated > 0) {
      return "partly applied";
    }
    if (refused > 0 && failed > 0) {
      return "not applied";
    }
    return failed > 0 ? "failed" : "refused";
  }
}
