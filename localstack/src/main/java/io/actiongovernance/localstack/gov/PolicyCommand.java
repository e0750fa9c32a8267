package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

/** {@code gov policy}: shows what guardrails say, before they are in force. */
@Command(
    name = "policy",
    subcommands = {PolicyTestCommand.class, PolicyDiffCommand.class},
    description = "Tries guardrails, and compares them; writes nothing.")
final class PolicyCommand {}
