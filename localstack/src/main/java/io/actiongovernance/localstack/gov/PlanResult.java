package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a plan, as an exit code.
 *
 * @param outcomes a line for each action that is disposed
 */
record PlanResult(int exitCode, List<String> outcomes) {
  static PlanResult of(Api api, JsonNode plan) throws IOException, InterruptedException {
    String status = plan.path("status").asText();
    if (status.equals("proposed")) {
      return new PlanResult(ExitCode.HELD, List.of());
    }
    if (!status.equals("executed")) {
      return new PlanResult(ExitCode.REFUSED, List.of());
    }
    List<String> outcomes = new ArrayList<>();
    boolean ok = true;
    for (JsonNode action :
        api.list("/v1/actions?limit=100&plan_id=" + plan.path("id").asText()).reversed()) {
      ok &= action.path("ok").booleanValue();
      String id = action.path("id").asText();
      outcomes.add(outcome(action, id, verdict(plan, id)));
    }
    return new PlanResult(ok ? ExitCode.DONE : ExitCode.REFUSED, outcomes);
  }

  private static JsonNode verdict(JsonNode plan, String action) {
    return plan.path("actions")
        .valueStream()
        .filter(planned -> planned.path("id").asText().equals(action))
        .findFirst()
        .orElseGet(MissingNode::getInstance)
        .path("verdict");
  }

  /** Returns an action's outcome in one line, with the reason if it was refused. */
  static String outcome(JsonNode action, String id, JsonNode verdict) {
    boolean ok = action.path("ok").booleanValue();
    String disposition = action.path("disposition").asText();
    return "  %s  %s %s  receipt %s"
        .formatted(
            id,
            disposition,
            ok ? "ok" : disposition.equals("BLOCK") ? "refused" + by(verdict) : "failed",
            action.path("receipt_id").asText());
  }

  /**
   * Returns the limit or rule that refused the action, if the verdict names one. If it does not,
   * the receipt does.
   */
  private static String by(JsonNode verdict) {
    Optional<String> limit = PlanText.limit(verdict);
    boolean blocked = verdict.path("decision").asText().equals("BLOCK");
    String reason = verdict.path("reason").textValue();
    if (limit.isEmpty() && !blocked) {
      return "";
    }
    return " by "
        + (reason == null ? verdict.path("rule").asText("no guardrail") : reason)
        + limit.map(each -> ": " + each).orElse("");
  }
}
