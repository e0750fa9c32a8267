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

/** The output of the commands in this folder, and the parts that their command lines share. */
record Terminal(PrintWriter out, PrintWriter err) {
  static Terminal standard() {
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  /**
   * A command line with three exit codes. Code 0 means that the command has run. Code 1 comes with
   * a sentence, and means that the command cannot do what is asked. Code 2 means that the command
   * line cannot be parsed.
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

  /** A command that has only the option for help. */
  static CommandSpec command(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description);
    return spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this help.").build());
  }

  static OptionSpec required(String name, String description) {
    return OptionSpec.builder(name)
        .type(String.class)
        .required(true)
        .description(description)
        .build();
  }

  static OptionSpec optional(String name, String description) {
    return OptionSpec.builder(name).type(String.class).description(description).build();
  }

  static OptionSpec environment() {
    return required("--env", "The environment's name.");
  }

  /** The option without which a command only prints what it would do. */
  static OptionSpec apply() {
    return OptionSpec.builder("--apply")
        .description("Does it. Without this option, prints what it would do.")
        .build();
  }
}
