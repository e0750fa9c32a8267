package io.actiongovernance.functions.receipt;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.ReceiptLedger;

/** {@code GET /v1/receipts/{receipt_id}}. */
@Operation(summary = "Retrieve a receipt", tag = Tag.RECEIPTS, answer = ReceiptForm.class)
public final class RetrieveReceiptHandler implements RouteHandler<RetrieveReceiptHandler.Input> {
  private final ReceiptLedger ledger;

  RetrieveReceiptHandler(ReceiptLedger ledger) {
    this.ledger = ledger;
  }

  record Input(ReceiptId receiptId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return ledger
        .find(call.caller().partition(), input.receiptId())
        .filter(receipt -> receipt.isWithin(call.caller().reach()))
        .map(receipt -> Reply.ok(receipt.document()))
        .orElseGet(() -> Reply.notFound("receipt"));
  }
}
