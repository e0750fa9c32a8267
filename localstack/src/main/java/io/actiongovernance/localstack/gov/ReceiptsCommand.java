package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

/** {@code gov receipts}: what was done, as it was written down. */
@Command(
    name = "receipts",
    subcommands = {ReceiptsListCommand.class, VerifyCommand.class},
    description = "Lists receipts, and checks those of an export offline.")
final class ReceiptsCommand {}
