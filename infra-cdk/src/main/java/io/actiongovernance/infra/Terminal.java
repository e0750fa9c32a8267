package io.actiongovernance.infra;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.core.exception.SdkException;

/** Where the commands of this folder speak, and what their command lines have alike. */
record Terminal(PrintWriter out, PrintWriter err) {
  /** The process's own. */
  static Terminal standard() {
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  /**
   * A command line that ends with 0 once the command has run, with 1 and a sentence where what it
   * asks cannot be done, and with 2 where it cannot be read.
   */
  CommandLine commandLine(CommandSpec spec, Consumer<ParseResult> command) {
    return new CommandLine(spec)
        .setOut(out)
        .setErr(err)
        .setExecutionStrategy(
            parsed -> {
              Integer help = CommandLine.executeHelpRequest(parsed);
              return help == null ? run(command, parsed) : help;
            });
  }

  private int run(Consumer<ParseResult> command, ParseResult parsed) {
    try {
      command.accept(parsed);
      return 0;
    } catch (IllegalArgumentException
        | IllegalStateException
        | UncheckedIOException
        | SdkException e) {
      err.println("error: " + e.getMessage());
      return 1;
    } finally {
      out.flush();
      err.flush();
    }
  }

  /** A command without options but the one for help. */
  static CommandSpec command(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description);
    return spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this help.").build());
  }

  /** An option that has to be given. */
  static OptionSpec required(String name, String description) {
    return OptionSpec.builder(name)
        .type(String.class)
        .required(true)
        .description(description)
        .build();
  }

  /** An option that may be left out. */
  static OptionSpec optional(String name, String description) {
    return OptionSpec.builder(name).type(String.class).description(description).build();
  }

  /** The option that names an environment. */
  static OptionSpec environment() {
    return required("--env", "The environment's name.");
  }

  /** The option without which a command only says what it would do. */
  static OptionSpec apply() {
    return OptionSpec.builder("--apply")
        .description("Does it; without, says what it would do.")
        .build();
  }
}
