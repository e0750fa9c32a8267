package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "undo",
    description = {
      "Undoes an applied action by the inverse of its tool.",
      "Exit code: 0 undone, 1 refused or failed, 3 held (by a halt, a lock, the allowance,",
      "or as a plan that a person has to approve)."
    })
final class UndoCommand implements Callable<Integer> {
  /** Longest time to repeat the request while the service reports that the work continues. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  @Parameters(paramLabel = "ID", description = "The action: act_…")
  private String id = "";

  @Option(names = "--reason", description = "The reason, kept on the receipt.")
  private @Nullable String reason;

  @Option(names = "--by", paramLabel = "NAME", description = "Your name; else the key's.")
  private @Nullable String by;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    ObjectNode body = Json.object();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (by != null) {
      body.put("undone_by", by);
    }
    String path = "/v1/actions/" + Api.encoded(id) + "/undo";
    try {
      return tell(connection.api().postPatiently(path, body, "gov-" + UUID.randomUUID(), LONGEST));
    } catch (Api.Refused e) {
      throw Failure.heldOr(e);
    }
  }

  private int tell(JsonNode answer) {
    String answered = answer.path("id").asText();
    if (answer.path("object").asText().equals("plan")) {
      output.say(answer, "Held: the plan %s has to be approved.".formatted(answered));
      return ExitCode.HELD;
    }
    output.say(
        answer,
        "Undone: %s by %s  receipt %s"
            .formatted(
                answered,
                answer.path("undo_action_id").asText(),
                answer.path("undo_receipt_id").asText()));
    return ExitCode.DONE;
  }
}
