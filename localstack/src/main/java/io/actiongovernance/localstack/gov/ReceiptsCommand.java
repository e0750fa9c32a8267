package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;

/** {@code gov receipts}: lists receipts, and verifies an export of them. */
@Command(
    name = "receipts",
    subcommands = {ReceiptsListCommand.class, VerifyCommand.class},
    description = "Lists receipts, and checks those of an export offline.")
final class ReceiptsCommand {}
