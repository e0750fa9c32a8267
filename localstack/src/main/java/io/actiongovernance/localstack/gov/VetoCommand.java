package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "veto", description = "Vetoes a plan: nothing of it will run.")
final class VetoCommand implements Callable<Integer> {
  @Parameters(paramLabel = "ID", description = "The plan: pl_…")
  private String id = "";

  @Option(
      names = "--reason",
      required = true,
      description = "The reason: kept verbatim, and shown to the proposer.")
  private String reason = "";

  @Option(names = "--by", paramLabel = "NAME", description = "Your name; else the key's.")
  private @Nullable String by;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    ObjectNode body = Json.object().put("reason", reason);
    if (by != null) {
      body.put("vetoed_by", by);
    }
    JsonNode vetoed =
        connection
            .api()
            .post("/v1/plans/" + Api.encoded(id) + "/veto", body, "gov-" + UUID.randomUUID());
    output.say(
        vetoed,
        "Plan %s: vetoed by %s"
            .formatted(vetoed.path("id").asText(), vetoed.path("vetoed_by").asText()));
    return ExitCode.DONE;
  }
}
