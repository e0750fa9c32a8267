package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Option;

/** What every command has. */
final class Helping {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  private boolean help;
}
