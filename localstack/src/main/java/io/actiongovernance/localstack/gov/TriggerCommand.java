package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trigger",
    description = {
      "Sends an event.",
      "Exit code with --wait: 0 executed or no plan, 1 refused or failed, 3 held."
    })
final class TriggerCommand implements Callable<Integer> {
  private static final Path STANDARD_INPUT = Path.of("-");
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @Parameters(paramLabel = "TYPE", description = "The event's type, such as order.created.")
  private String type = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The event's payload, a JSON object; - reads standard input (default: {}).")
  private @Nullable Path file;

  @Option(
      names = "--source",
      defaultValue = "gov",
      paramLabel = "NAME",
      description = "The event's source (default: ${DEFAULT-VALUE}).")
  private String source = "gov";

  @Option(names = "--workspace", paramLabel = "ID", description = "The event's workspace.")
  private @Nullable String workspace;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Wait at most this long for its plans, and show their state.")
  private @Nullable Integer wait;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    Integer seconds = wait;
    if (seconds != null && (seconds < 1 || seconds > 3_600)) {
      throw Failure.wrongUse("--wait must be between 1 and 3600 seconds.");
    }
    JsonNode payload = payload();
    if (!payload.isObject()) {
      throw Failure.wrongUse("The payload must be a JSON object.");
    }
    ObjectNode body = Json.object().put("source", source).put("event_type", type);
    body.set("payload", payload);
    if (workspace != null) {
      body.put("workspace_id", workspace);
    }
    Api api = connection.api();
    // If the response was lost, the request is repeated; only one event is created.
    JsonNode event = api.postPatiently("/v1/events", body, "gov-" + UUID.randomUUID(), LONGEST);
    if (seconds == null) {
      output.say(event, "Event " + event.path("id").asText() + ": ingested");
      return ExitCode.DONE;
    }
    return follow(api, event.path("id").asText(), Duration.ofSeconds(seconds));
  }

  private JsonNode payload() throws IOException, Failure {
    Surroundings around = connection.surroundings();
    if (file == null) {
      return Json.object();
    }
    return file.equals(STANDARD_INPUT)
        ? JsonFile.read(around.input(), "Standard input")
        : JsonFile.read(around.file(file));
  }

  /**
   * Waits until all plans of the event are disposed or wait for a person, but no longer than {@code
   * longest}.
   */
  private int follow(Api api, String id, Duration longest) throws Exception {
    long deadline = System.nanoTime() + longest.toNanos();
    List<JsonNode> plans = List.of();
    JsonNode event = Json.object();
    while (System.nanoTime() < deadline
        && (plans.isEmpty() || plans.stream().anyMatch(TriggerCommand::moves))) {
      Thread.sleep(LOOK);
      event = api.get("/v1/events/" + id);
      List<JsonNode> found = new ArrayList<>();
      for (JsonNode plan : event.path("plan_ids")) {
        found.add(api.get("/v1/plans/" + plan.asText()));
      }
      plans = found;
    }
    return tell(api, event, plans);
  }

  private static boolean moves(JsonNode plan) {
    return plan.path("status").asText().equals("proposed")
        && !plan.path("waiting_on").asText().equals("approval");
  }

  private int tell(Api api, JsonNode event, List<JsonNode> plans)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add("Event " + event.path("id").asText() + ": ingested");
    ObjectNode answer = Json.object();
    answer.set("event", event);
    int code = ExitCode.DONE;
    for (JsonNode plan : plans) {
      answer.withArray("plans").add(plan);
      PlanResult standing = PlanResult.of(api, plan);
      // A plan that waits takes priority over one that failed, because its outcome can still
      // change.
      code = Math.max(code, standing.exitCode());
      String waiting = plan.path("waiting_on").textValue();
      lines.add(
          "Plan %s: %s%s"
              .formatted(
                  plan.path("id").asText(),
                  PlanText.told(plan),
                  waiting == null ? "" : ", waits for " + waiting));
      lines.addAll(standing.outcomes());
    }
    if (plans.isEmpty()) {
      answer.putArray("plans");
      lines.add("No plan was proposed.");
    }
    output.say(answer, lines);
    return code;
  }
}
