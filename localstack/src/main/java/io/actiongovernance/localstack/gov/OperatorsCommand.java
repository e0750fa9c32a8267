package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "operators", description = "Lists the operators, newest first.")
final class OperatorsCommand extends ListCommand {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "Only these: draft, active, paused or archived (archived ones are in no other list).")
  private @Nullable String status;

  @Override
  String path() {
    return "/v1/operators";
  }

  @Override
  String filters() {
    return filter("status", status);
  }

  @Override
  String line(JsonNode operator) {
    return "%s  %s  %s  guardrails %s (version %s)  last plan %s"
        .formatted(
            operator.path("id").asText(),
            operator.path("status").asText(),
            operator.path("name").asText(),
            operator.path("guardrails").size(),
            operator.path("guardrails_version").asText(),
            operator.path("last_plan_at").asText("never"));
  }
}
