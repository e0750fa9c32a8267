package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "plans",
    description = "Lists the plans that wait for approval, the most urgent first.")
final class PlansCommand implements Callable<Integer> {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "Plans of this status instead, newest first: proposed, executed, vetoed, expired.")
  private @Nullable String status;

  @Option(names = "--all", description = "Plans of any status instead, newest first.")
  private boolean all;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number to list, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    if (limit < 1 || limit > 100) {
      throw Failure.wrongUse("--limit must be between 1 and 100.");
    }
    if (all && status != null) {
      throw Failure.wrongUse("--all and --status exclude each other.");
    }
    String which =
        all
            ? ""
            : status == null
                ? "&status=proposed&waiting_on=approval&order=deadline"
                : "&status=" + Api.encoded(status);
    Api api = connection.api();
    JsonNode page = api.get("/v1/plans?limit=" + limit + which);
    List<String> lines = new ArrayList<>(output.json() ? List.of() : halts(api));
    int halts = lines.size();
    page.path("data").forEach(plan -> lines.add(PlanText.line(plan)));
    if (lines.size() == halts) {
      lines.add(all || status != null ? "There are none." : "Nothing waits for approval.");
    } else if (page.path("has_more").booleanValue()) {
      lines.add("There are more: --limit shows up to 100.");
    }
    output.say(page, lines);
    return ExitCode.DONE;
  }

  /** Returns the halts in force; none if the key may not read halts. */
  private static List<String> halts(Api api) throws IOException, InterruptedException {
    try {
      return HaltCommand.inForce(api)
          .path("data")
          .valueStream()
          .map(halt -> "Halted: " + HaltCommand.line(halt))
          .toList();
    } catch (Api.Refused e) {
      if (e.code().equals("insufficient_scope")) {
        return List.of();
      }
      throw e;
    }
  }
}
