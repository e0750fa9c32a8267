package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists receipts, newest first.")
final class ReceiptsListCommand extends ListCommand {
  @Option(names = "--plan", paramLabel = "ID", description = "Only those of this plan: pl_…")
  private @Nullable String plan;

  @Option(names = "--action", paramLabel = "ID", description = "Only those of this action: act_…")
  private @Nullable String action;

  @Option(
      names = "--operator",
      paramLabel = "ID",
      description = "Only those of this operator: op_…")
  private @Nullable String operator;

  @Option(names = "--event", paramLabel = "ID", description = "Only those of this event: ev_…")
  private @Nullable String event;

  @Option(
      names = "--entity",
      paramLabel = "KEY",
      description = "Only those of this entity, such as order:1042.")
  private @Nullable String entity;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only these: action, undo, proposal, halt, resolution, config or approval.")
  private @Nullable String kind;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "Only these, such as applied, failed, refused or unknown.")
  private @Nullable String outcome;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only from this time on, in RFC 3339.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only before this time, in RFC 3339.")
  private @Nullable String until;

  @Override
  String path() {
    return "/v1/receipts";
  }

  @Override
  String filters() {
    return filter("plan_id", plan)
        + filter("action_id", action)
        + filter("operator_id", operator)
        + filter("event_id", event)
        + filter("entity", entity)
        + filter("kind", kind)
        + filter("outcome", outcome)
        + filter("since", since)
        + filter("until", until);
  }

  @Override
  String line(JsonNode receipt) {
    return "%s  %s  %s %s  %s"
        .formatted(
            receipt.path("id").asText(),
            receipt.path("written_at").asText(),
            receipt.path("kind").asText(),
            receipt.path("outcome").asText(),
            about(receipt));
  }

  /** Returns the subject of the receipt, as far as its kind states one. */
  private static String about(JsonNode receipt) {
    for (String field : new String[] {"summary", "tool", "reason", "plan_id"}) {
      if (receipt.path(field).isTextual()) {
        return receipt.path(field).textValue();
      }
    }
    JsonNode target = receipt.path("target");
    return (target.path("type").asText() + " " + target.path("id").asText()).strip();
  }
}
