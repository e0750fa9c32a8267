package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "plan",
    description = {
      "Shows a plan and, while it is open, the exact request of each action.",
      "Exit code: 0 executed, 1 vetoed, expired or with an action that failed, 3 held."
    })
final class PlanCommand implements Callable<Integer> {
  @Parameters(paramLabel = "ID", description = "The plan: pl_…")
  private String id = "";

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    Api api = connection.api();
    JsonNode plan = api.get("/v1/plans/" + Api.encoded(id));
    PlanResult standing = PlanResult.of(api, plan);
    List<String> lines = new ArrayList<>(PlanText.whole(plan));
    if (!standing.outcomes().isEmpty()) {
      lines.add("Disposed:");
      lines.addAll(standing.outcomes());
    }
    output.say(plan, lines);
    return standing.exitCode();
  }
}
