package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "test",
    description = {
      "Lets the service judge each action of a table, and compares. Writes nothing.",
      "Exit code: 0 as expected, 1 not."
    })
final class PolicyTestCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The table, in JSON.")
  private Path file = Path.of("");

  @Option(
      names = "--operator",
      paramLabel = "ID|NAME",
      description = "The operator to judge for; else the one that the file names, or the only one.")
  private @Nullable String operator;

  @Option(
      names = "--guardrails",
      paramLabel = "FILE",
      description = "Judge by these guardrails instead of those in force.")
  private @Nullable Path guardrails;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    Surroundings around = connection.surroundings();
    JsonNode table = JsonFile.read(around.file(file));
    Api api = connection.api();
    PolicyCases cases = PolicyCases.read(table, Operators.connectors(api));
    String whose = Operators.id(api, operator == null ? cases.operator() : operator);
    ObjectNode question = Json.object();
    if (cases.proposer() != null) {
      question.put("proposer", cases.proposer());
    }
    if (guardrails != null) {
      Path named = around.file(guardrails);
      question.set("guardrails", Operators.guardrails(JsonFile.read(named), named.toString()));
    }
    List<String> lines = new ArrayList<>();
    ArrayNode results = Json.object().putArray("results");
    Set<String> matchNoTool = new LinkedHashSet<>();
    int wrong = 0;
    for (PolicyCases.Case row : cases.cases()) {
      // Simulate each row alone, because actions of one simulation count against limits together.
      question.putArray("actions").add(row.action());
      JsonNode simulated =
          api.post("/v1/operators/" + Api.encoded(whose) + "/guardrails/simulate", question, null);
      simulated.path("matches_no_tool").forEach(name -> matchNoTool.add(name.asText()));
      JsonNode verdict = simulated.at("/verdicts/0");
      String difference = row.difference(verdict);
      wrong += difference == null ? 0 : 1;
      lines.add(
          (difference == null ? "ok    " : "WRONG ")
              + row.name()
              + (difference == null ? "" : ": " + difference));
      results
          .addObject()
          .put("name", row.name())
          .put("ok", difference == null)
          .set("verdict", verdict);
    }
    matchNoTool.forEach(
        name -> lines.add("WARN  the guardrail %s matches no tool.".formatted(name)));
    lines.add(
        "%s of %s as expected.".formatted(cases.cases().size() - wrong, cases.cases().size()));
    ObjectNode answer = Json.object().put("ok", wrong == 0);
    answer.set("results", results);
    matchNoTool.forEach(answer.putArray("matches_no_tool")::add);
    output.say(answer, lines);
    return wrong == 0 ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
