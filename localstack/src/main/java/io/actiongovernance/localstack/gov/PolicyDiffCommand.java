package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "diff",
    description = {
      "Shows what the guardrails in a file would permit beyond those in force. Writes nothing.",
      "Exit code: 0 provably nothing more, 1 something more, or it could not be shown."
    })
final class PolicyDiffCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      description = "The proposed guardrails, in JSON: a list, or an object with \"guardrails\".")
  private Path file = Path.of("");

  @Option(
      names = "--operator",
      paramLabel = "ID|NAME",
      description = "The operator whose guardrails they would replace; else the only one.")
  private @Nullable String operator;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    Path named = connection.surroundings().file(file);
    ObjectNode question = Json.object();
    question.set("guardrails", Operators.guardrails(JsonFile.read(named), named.toString()));
    Api api = connection.api();
    String whose = Operators.id(api, operator);
    JsonNode analysis =
        api.post("/v1/operators/" + Api.encoded(whose) + "/guardrails/analyze", question, null);
    List<String> lines = new ArrayList<>();
    for (JsonNode more : analysis.path("permits_more")) {
      lines.add(
          "%s instead of %s: %s %s"
              .formatted(
                  verdict(more.path("after")),
                  verdict(more.path("before")),
                  more.at("/action/tool").asText(),
                  Json.write(more.at("/action/args"))));
    }
    boolean more = !lines.isEmpty();
    boolean complete = analysis.path("complete").booleanValue();
    if (!complete) {
      lines.add("The analysis is not complete: there may be more that it did not find.");
    } else if (!more) {
      lines.add(
          "The guardrails permit nothing more than those in force (limits are not compared).");
    }
    output.say(analysis, lines);
    return more || !complete ? ExitCode.REFUSED : ExitCode.DONE;
  }

  private static String verdict(JsonNode verdict) {
    return "%s (%s)"
        .formatted(verdict.path("decision").asText(), verdict.path("rule").asText("no guardrail"));
  }
}
