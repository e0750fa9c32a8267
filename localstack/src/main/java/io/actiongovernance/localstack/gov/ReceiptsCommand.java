package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

@Command(
    name = "receipts",
    subcommands = {ReceiptsListCommand.class, VerifyCommand.class},
    description = "Lists receipts, and checks those of an export offline.")
final class ReceiptsCommand {}
