package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a plan stands, as an exit code says it.
 *
 * @param outcomes a line for each action that is disposed
 */
record Standing(int exitCode, List<String> outcomes) {
  static Standing of(Api api, JsonNode plan) throws IOException, InterruptedException {
    String status = plan.path("status").asText();
    if (status.equals("proposed")) {
      return new Standing(ExitCode.HELD, List.of());
    }
    if (!status.equals("executed")) {
      return new Standing(ExitCode.REFUSED, List.of());
    }
    List<String> outcomes = new ArrayList<>();
    boolean ok = true;
    for (JsonNode action :
        api.list("/v1/actions?limit=100&plan_id=" + plan.path("id").asText()).reversed()) {
      ok &= action.path("ok").booleanValue();
      outcomes.add(outcome(action, action.path("id").asText()));
    }
    return new Standing(ok ? ExitCode.DONE : ExitCode.REFUSED, outcomes);
  }

  /** What became of an action, in a line. */
  static String outcome(JsonNode action, String id) {
    boolean ok = action.path("ok").booleanValue();
    String disposition = action.path("disposition").asText();
    return "  %s  %s %s  receipt %s"
        .formatted(
            id,
            disposition,
            ok ? "ok" : disposition.equals("BLOCK") ? "refused" : "failed",
            action.path("receipt_id").asText());
  }
}
