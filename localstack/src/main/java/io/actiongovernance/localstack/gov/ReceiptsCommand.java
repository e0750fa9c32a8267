package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

/** {@code gov receipts}: what was done, as it was written down. */
@Command(
    name = "receipts",
    subcommands = VerifyCommand.class,
    description = "Checks receipts, without asking anybody.")
final class ReceiptsCommand {}
