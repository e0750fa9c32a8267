package io.actiongovernance.localstack.gov;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gov receipts}: what was done, as it was written down. */
@Command(
    name = "receipts",
    subcommands = VerifyCommand.class,
    description = "Checks receipts, without asking anybody.")
final class ReceiptsCommand {
  @Mixin private Helping helping = new Helping();
}
