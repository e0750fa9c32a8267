package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "halt",
    description =
        "Stops all calls of the tenant, an operator or a connector; lifts or lists halts.")
final class HaltCommand implements Callable<Integer> {
  /**
   * The halt to set, lift or list. Only one of these may be given; if none is, the tenant is
   * halted.
   */
  static final class What {
    @Option(names = "--operator", paramLabel = "ID", description = "Halt this operator: op_…")
    private @Nullable String operator;

    @Option(names = "--connector", paramLabel = "ID", description = "Halt this connector: cn_…")
    private @Nullable String connector;

    @Option(names = "--lift", paramLabel = "ID", description = "Lift this halt: hlt_…")
    private @Nullable String lift;

    @Option(names = "--list", description = "List the halts in force.")
    private boolean list;
  }

  @ArgGroup private @Nullable What what;

  @Option(
      names = "--reason",
      description = "The reason, kept on the receipt. Required except with --list.")
  private @Nullable String reason;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    What wanted = what == null ? new What() : what;
    if (wanted.list) {
      return list(connection.api());
    }
    if (reason == null) {
      throw Failure.wrongUse(
          "The reason is missing. Give --reason TEXT; it is kept on the receipt.");
    }
    Api api = connection.api();
    if (wanted.lift != null) {
      JsonNode lifted =
          api.post(
              "/v1/halts/" + Api.encoded(wanted.lift) + "/lift",
              Json.object().put("reason", reason),
              null);
      output.say(lifted, "Lifted: what waited continues. " + line(lifted));
      return ExitCode.DONE;
    }
    // Another request returns the halt in force, so it is harmless to send this twice.
    JsonNode halt = api.post("/v1/halts", body(wanted, reason), null);
    output.say(halt, "Halted: no call starts. " + line(halt));
    return ExitCode.DONE;
  }

  private static ObjectNode body(What wanted, String reason) {
    String id = wanted.operator == null ? wanted.connector : wanted.operator;
    String scope =
        wanted.operator != null ? "operator" : wanted.connector != null ? "connector" : "tenant";
    return Json.object().put("scope", scope).put("id", id).put("reason", reason);
  }

  private int list(Api api) throws IOException, InterruptedException {
    JsonNode halts = inForce(api);
    List<String> lines = halts.path("data").valueStream().map(HaltCommand::line).toList();
    output.say(halts, lines.isEmpty() ? List.of("Nothing is halted.") : lines);
    return ExitCode.DONE;
  }

  static JsonNode inForce(Api api) throws IOException, InterruptedException {
    return api.get("/v1/halts?active=true&limit=100");
  }

  static String line(JsonNode halt) {
    String target = halt.path("target_id").textValue();
    return "%s  %s%s  by %s at %s: %s"
        .formatted(
            halt.path("id").asText(),
            halt.path("scope").asText(),
            target == null ? "" : " " + target,
            halt.path("halted_by").asText(),
            halt.path("halted_at").asText(),
            halt.path("reason").asText());
  }
}
