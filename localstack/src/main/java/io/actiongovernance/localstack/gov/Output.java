package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Prints the answer of a command, as text for people, or as one JSON value per line for programs.
 */
final class Output {
  /** Option that asks for JSON, for programs. */
  static final String JSON = "--json";

  @Option(names = JSON, description = "Answer in JSON, one value a line; errors too.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  boolean json() {
    return json;
  }

  /** Prints an object of the API, or its text for people, as the answer. */
  void say(JsonNode object, List<String> text) {
    if (json) {
      program(object);
    } else {
      text.forEach(this::line);
    }
  }

  void say(JsonNode object, String text) {
    say(object, List.of(text));
  }

  /**
   * Prints a message for people that is not the answer. If a program reads the answer, the message
   * goes to standard error.
   */
  void tell(String line) {
    PrintWriter out = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    out.println(clean(line));
    out.flush();
  }

  private void program(JsonNode object) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Json.write(object));
    out.flush();
  }

  private void line(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(clean(text));
    out.flush();
  }

  /** Replaces control characters, so that a proposer cannot control the terminal. */
  static String clean(String text) {
    return text.replaceAll("\\p{C}", "\ufffd");
  }
}
