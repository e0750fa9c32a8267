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

  /**
   * Runs a command. A problem that the user can fix is printed in one line, and the exit code is 1.
   */
  public static void main(String[] arguments) {
    // The libraries that stand for AWS write numbers with the digits of the default locale, even in
    // SQL and JSON.
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
