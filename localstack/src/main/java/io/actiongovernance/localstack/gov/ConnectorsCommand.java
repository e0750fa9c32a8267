package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "connectors", description = "Lists the connectors, newest first.")
final class ConnectorsCommand extends ListCommand {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only these: connected, degraded, error or pending_auth.")
  private @Nullable String status;

  @Option(
      names = "--listing",
      paramLabel = "ID",
      description = "Only those of this listing, such as cn-http.")
  private @Nullable String listing;

  @Override
  String path() {
    return "/v1/connectors";
  }

  @Override
  String filters() {
    return filter("status", status) + filter("listing_id", listing);
  }

  @Override
  String line(JsonNode connector) {
    String reason = connector.path("status_reason").textValue();
    return "%s  %s%s  %s (%s)  tools %s"
        .formatted(
            connector.path("id").asText(),
            connector.path("status").asText(),
            reason == null ? "" : " (" + reason + ")",
            connector.path("name").asText(),
            connector.path("listing_id").asText(),
            connector.path("tools").size());
  }
}
