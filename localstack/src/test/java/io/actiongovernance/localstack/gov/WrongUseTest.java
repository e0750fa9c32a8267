package io.actiongovernance.localstack.gov;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said where a command cannot do what it was told: a sentence, never a stack trace. */
final class WrongUseTest {
  /** Where nobody listens: no program may have the port. */
  private static final String NOWHERE = "http://127.0.0.1:1";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "plans --nonsense",
        "plans --limit many",
        "plans --limit 0",
        "plans --all --status vetoed",
        "plan",
        "plan pl_1 pl_2",
        "veto pl_1",
        "halt",
        "halt --list --lift hlt_1",
        "policy",
        "policy test",
        "policy nonsense",
        "receipts",
        "receipts verify",
        "listen",
        "listen --forward-to nowhere",
        "listen --forward-to http://127.0.0.1:1 --types nonsense",
        "listen --forward-to http://127.0.0.1:1 --types receipt.written",
        "listen --forward-to http://127.0.0.1:1 --secret whsec_!",
        "listen --forward-to http://127.0.0.1:1 --since yesterday",
        "trigger",
        "trigger order.created --wait 0",
        "login",
        "login --url http://127.0.0.1:1",
        "login --url ftp://127.0.0.1:1 --key k",
        "tenant",
        "plans",
        "plans --url nowhere --key k",
        "plans --url http://127.0.0.1:1",
        "plans --url http://127.0.0.1:1 --key schlüssel"
      })
  void wrongUsePrintsASentenceAndExitsWith2(String arguments) {
    Ran ran = Ran.of(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(ran.code()).describedAs("%s", ran).isEqualTo(ExitCode.WRONG_USE);
    assertThat(ran.out()).isEmpty();
    assertASentence(ran.err());
  }

  @Test
  void listenNamesItsTypesWhenAskedForAnother() {
    assertThat(
            Ran.of("listen", "--forward-to", NOWHERE, "--types", "plan.proposed,receipt.written")
                .err())
        .contains("listen does not deliver receipt.written")
        .contains("action.needs_approval")
        .contains("Create a webhook endpoint");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plans",
        "plan pl_1",
        "approve pl_1 --yes",
        "veto pl_1 --reason No.",
        "halt --reason Stop.",
        "halt --list",
        "listen --forward-to http://127.0.0.1:1",
        "trigger order.created"
      })
  void anUnreachableBaseUrlPrintsASentenceAndExitsWith1(String arguments) {
    Ran ran = Ran.of((arguments + " --url " + NOWHERE + " --key k").split(" "));
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualToIgnoringNewLines("error: Nothing answers at " + NOWHERE + ".");
  }

  @Test
  void anUnreachableBaseUrlIsReportedAsJsonOnRequest() {
    Ran ran = Ran.of("plans", "--json", "--url", NOWHERE, "--key", "k");
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.err()).isEmpty();
    JsonNode error = Json.read(ran.out()).path("error");
    assertThat(error.path("code").asText()).isEqualTo("unreachable");
    assertThat(error.path("message").asText()).contains(NOWHERE);
  }

  @Test
  void aMissingOrInvalidFileIsReportedInASentence() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "not json");
    for (String[] arguments :
        new String[][] {
          {"receipts", "verify", folder.resolve("none").toString()},
          {"policy", "diff", folder.resolve("none").toString(), "--url", NOWHERE, "--key", "k"},
          {"policy", "test", text.toString(), "--url", NOWHERE, "--key", "k"},
          {"trigger", "a.b", "-f", text.toString(), "--url", NOWHERE, "--key", "k"},
          {"trigger", "a.b", "-f", folder.toString(), "--url", NOWHERE, "--key", "k"}
        }) {
      Ran ran = Ran.of(arguments);
      assertThat(ran.code()).describedAs("%s", ran).isEqualTo(ExitCode.REFUSED);
      assertASentence(ran.err());
    }
  }

  @Test
  void aDataFolderWithoutAStackIsReportedInASentence() {
    for (String command : new String[] {"plans", "watch", "tenant acme"}) {
      Ran ran = Ran.of((command + " --data " + folder).split(" "));
      assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
      assertThat(ran.err())
          .isEqualToIgnoringNewLines(
              "error: No stack has been started with the data folder " + folder + ".");
    }
  }

  @Test
  void anUnreadableLoginIsReportedInASentence() throws Exception {
    Path file = folder.resolve(".config/action-governance/login.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{}");
    Ran ran = Ran.in(Ran.surroundings(Map.of(), folder, ""), "plans");
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.err()).startsWith("error: " + file + " does not hold a login");
  }

  @Test
  void everyCommandHasHelpWithoutColoursOutsideATerminal() {
    for (String command :
        Gov.commandLine(Ran.surroundings(Map.of(), folder, "")).getSubcommands().keySet()) {
      Ran ran = Ran.of(command, "--help");
      assertThat(ran.code()).isZero();
      assertThat(ran.out()).startsWith("Usage: gov " + command).doesNotContain("\033");
    }
  }

  @Test
  void theCompletionScriptKnowsTheCommandsAndTheirOptions() {
    Ran ran = Ran.of("completion");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("complete ", "approve", "--forward-to", "receipts");
  }

  private static void assertASentence(String said) {
    assertThat(said).startsWith("error: ").doesNotContain("Exception").doesNotContain("\tat ");
    assertThat(said.lines().count()).isLessThanOrEqualTo(2);
  }
}
