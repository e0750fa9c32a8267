package io.actiongovernance.localstack.gov;

import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command line behind {@code localstack/gov}. Each problem is printed in one sentence, and the
 * exit code is one of {@link ExitCode}.
 */
public final class Gov {
  private Gov() {}

  public static void main(String[] arguments) {
    // Users do not need the logs of libraries, and these must not create a folder in the current
    // one.
    System.setProperty("logback.configurationFile", "logback-gov.xml");
    System.exit(commandLine(Surroundings.ofThisProcess()).execute(arguments));
  }

  /** Returns the command line for a caller that has its own surroundings. */
  public static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(surroundings).name("gov");
    spec.usageMessage()
        .description("Plans, approvals, events and receipts of an Action Governance Service.")
        .footer(
            "",
            "Where: --url and --key, else $GOVERNANCE_URL and $GOVERNANCE_KEY, else what gov",
            "login kept, else the stack that localstack/up runs in this folder.",
            "Exit code: 0 done, 1 refused or failed, 2 wrong use, 3 held.");
    CommandLine gov = new CommandLine(spec);
    List.of(
            new LoginCommand(),
            new PlansCommand(),
            new PlanCommand(),
            new ApproveCommand(),
            new VetoCommand(),
            new UndoCommand(),
            new OperatorsCommand(),
            new ConnectorsCommand(),
            new KeysCommand(),
            new ListenCommand(),
            new TriggerCommand(),
            new HaltCommand(),
            new ConsoleCommand(),
            new PolicyCommand(),
            new ReceiptsCommand(),
            new WatchCommand(),
            new TenantCommand(),
            new CompletionCommand(),
            new VersionCommand())
        .forEach(gov::addSubcommand);
    addHelp(gov);
    return gov.setColorScheme(
            Help.defaultColorScheme(surroundings.colours() ? Help.Ansi.ON : Help.Ansi.OFF))
        .setExecutionStrategy(Gov::run)
        .setParameterExceptionHandler((problem, arguments) -> wrongUse(problem))
        .setExecutionExceptionHandler(Gov::failed);
  }

  private static void addHelp(CommandLine command) {
    command
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Shows this help.")
                .build());
    command.getSubcommands().values().forEach(Gov::addHelp);
  }

  private static int run(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandSpec command = last.commandSpec();
    boolean group = !(command.userObject() instanceof Callable);
    if (group && !last.isUsageHelpRequested()) {
      throw new ParameterException(command.commandLine(), "A command is missing.");
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static int wrongUse(ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("error: " + sentence(problem));
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return ExitCode.WRONG_USE;
  }

  /**
   * Removes the prefix that some of the parser's messages have, because all errors get one here.
   */
  private static String sentence(ParameterException problem) {
    return Output.clean(String.valueOf(problem.getMessage())).replaceFirst("^Error: ", "");
  }

  private static int failed(Exception problem, CommandLine command, ParseResult parsed) {
    Failure failure =
        switch (problem) {
          case Failure said -> said;
          case IOException trouble -> Failure.of(trouble);
          case UncheckedIOException trouble -> Failure.of(String.valueOf(trouble.getMessage()));
          case InterruptedException ignored -> Failure.of("The command was interrupted.");
          // A bug in gov. It is reported, but it must not fill the terminal.
          default -> Failure.of("gov itself failed: " + problem + ".");
        };
    if (Boolean.TRUE.equals(command.getParseResult().matchedOptionValue(Output.JSON, false))) {
      command.getOut().println(Json.write(Json.object().set("error", failure.error())));
      command.getOut().flush();
    } else {
      command.getErr().println("error: " + Output.clean(String.valueOf(failure.getMessage())));
      command.getErr().flush();
    }
    return failure.exitCode();
  }
}
