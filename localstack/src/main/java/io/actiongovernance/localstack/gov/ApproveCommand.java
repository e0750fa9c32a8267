package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "approve",
    description = {
      "Shows a plan with its calls, asks for the end of its digest, and approves it.",
      "If a person must approve it, prints the address to do so and, in a terminal, opens it.",
      "Exit code: 0 all applied, 1 refused or failed, 3 still held (by a halt, a lock, the allowance,",
      "or until a person has approved)."
    })
final class ApproveCommand implements Callable<Integer> {
  private static final int TYPED = 4;

  /** Longest time to repeat the request while the service reports that the work continues. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  @Parameters(paramLabel = "ID", description = "The plan: pl_…")
  private String id = "";

  @Option(names = "--yes", description = "Asks nothing: for scripts.")
  private boolean yes;

  @Option(
      names = "--action",
      paramLabel = "ID",
      description = "Only this action; may be given more than once. The others are skipped.")
  private Set<String> selected = new LinkedHashSet<>();

  @Option(names = "--approver", description = "Your name; else the key's.")
  private @Nullable String approver;

  @Option(names = "--note", description = "A note to keep with the approval.")
  private @Nullable String note;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    Api api = connection.api();
    String path = "/v1/plans/" + Api.encoded(id);
    JsonNode plan = api.get(path);
    String status = plan.path("status").asText();
    if (!status.equals("proposed")) {
      throw Failure.of("The plan is " + status + ": there is nothing to approve.");
    }
    checkSelection(plan);
    if (!yes) {
      ask(plan);
    }
    try {
      return tell(
          api.postPatiently(path + "/approve", body(), "gov-" + UUID.randomUUID(), LONGEST));
    } catch (Api.Refused e) {
      if (takesAPerson(e)) {
        return showConsole();
      }
      throw Failure.heldOr(e);
    }
  }

  /**
   * Returns whether the plan needs a person's approval. A key is not a person, regardless of its
   * holder.
   */
  private static boolean takesAPerson(Api.Refused refused) {
    return refused.code().equals("approver_not_eligible")
        && refused.error().at("/details/reason").asText().equals("method");
  }

  private int showConsole() throws IOException, Failure {
    URI page = URI.create(connection.authorised().baseUrl() + "/console?plan=" + Api.encoded(id));
    Surroundings around = connection.surroundings();
    boolean opened = around.terminal() && !yes && Browser.open(page, around);
    output.say(
        Json.object().put("status", "proposed").put("console_url", page.toString()),
        List.of(
            "A person must approve this plan, signed in to the console"
                + (opened ? ", which opens now:" : ":"),
            page.toString()));
    return ExitCode.HELD;
  }

  private void checkSelection(JsonNode plan) throws Failure {
    Set<String> there =
        plan.path("actions")
            .valueStream()
            .map(a -> a.path("id").asText())
            .collect(Collectors.toSet());
    for (String action : selected) {
      if (!there.contains(action)) {
        throw Failure.wrongUse("The plan has no action " + action + ".");
      }
    }
  }

  /**
   * Makes approvers type the end of the digest, which shows that they have seen this plan and not
   * another.
   */
  private void ask(JsonNode plan) throws Failure, IOException {
    PlanText.whole(plan).forEach(output::tell);
    String digest = PlanText.digest(plan, selected);
    output.tell("Digest " + digest);
    output.tell(
        "To approve, type the last "
            + TYPED
            + " characters of the line above, which begins with Digest:");
    String typed =
        connection
            .surroundings()
            .line()
            .orElseThrow(
                () ->
                    Failure.of(
                        "The input ended before anything was typed: nothing was approved."
                            + " Run this in a terminal, or use --yes in a script."));
    if (!typed.equalsIgnoreCase(digest.substring(digest.length() - TYPED))) {
      throw Failure.of("What you typed is not the end of the digest: nothing was approved.");
    }
  }

  private ObjectNode body() {
    ObjectNode body = Json.object();
    if (approver != null) {
      body.put("approver", approver);
    }
    if (note != null) {
      body.put("note", note);
    }
    if (!selected.isEmpty()) {
      selected.forEach(body.putArray("action_ids")::add);
    }
    return body;
  }

  private int tell(JsonNode approved) {
    String status = approved.path("status").asText();
    List<String> lines = new ArrayList<>();
    lines.add("Plan %s: %s".formatted(approved.path("id").asText(), status));
    boolean ok = true;
    for (JsonNode result : approved.path("results")) {
      ok &= result.path("ok").booleanValue();
      lines.add(
          PlanResult.outcome(result, result.path("action_id").asText(), result.path("verdict")));
    }
    for (JsonNode skipped : approved.path("skipped")) {
      lines.add(
          "  %s  skipped  receipt %s"
              .formatted(skipped.path("action_id").asText(), skipped.path("receipt_id").asText()));
    }
    output.say(approved, lines);
    // The plan may need more approvals than this one.
    boolean executed = status.equals("executed");
    return executed ? (ok ? ExitCode.DONE : ExitCode.REFUSED) : ExitCode.HELD;
  }
}
