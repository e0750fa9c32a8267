package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "keys", description = "Lists the keys, newest first; never a secret.")
final class KeysCommand extends ListCommand {
  @Option(names = "--status", paramLabel = "STATUS", description = "Only these: active or revoked.")
  private @Nullable String status;

  @Option(names = "--mode", paramLabel = "MODE", description = "Only these: live or test.")
  private @Nullable String mode;

  @Override
  String path() {
    return "/v1/keys";
  }

  @Override
  String filters() {
    return filter("status", status) + filter("mode", mode);
  }

  @Override
  String line(JsonNode key) {
    String bound =
        key.path("operator_ids")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(","));
    return "%s  %s  %s  %s  %s%s  last used %s"
        .formatted(
            key.path("id").asText(),
            key.path("status").asText(),
            key.path("name").asText(),
            key.path("mode").asText(),
            key.path("role").asText("scopes of its own"),
            bound.isEmpty() ? "" : " for " + bound,
            key.path("last_used_at").asText("never"));
  }
}
