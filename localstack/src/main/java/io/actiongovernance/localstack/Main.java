package io.actiongovernance.localstack;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line behind the script {@code localstack/up}. */
@Command(
    name = "localstack",
    subcommands = UpCommand.class,
    description = "The whole service on one machine.")
public final class Main {
  private Main() {}

  /** Runs a command; what its user can put right is said in one line, with exit code 1. */
  public static void main(String[] arguments) {
    // The libraries that stand for AWS write numbers in the digits of the default locale, into SQL
    // and JSON too.
    Locale.setDefault(Locale.ROOT);
    System.exit(commandLine().execute(arguments));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (problem, command, parsed) -> {
              if (!(problem instanceof Problem)) {
                throw problem;
              }
              command.getErr().println("error: " + problem.getMessage());
              return 1;
            });
  }
}
