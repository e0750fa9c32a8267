package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

@Command(
    name = "policy",
    subcommands = {PolicyTestCommand.class, PolicyDiffCommand.class},
    description = "Tries guardrails, and compares them; writes nothing.")
final class PolicyCommand {}
