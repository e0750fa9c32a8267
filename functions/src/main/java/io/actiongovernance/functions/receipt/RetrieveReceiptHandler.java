package io.actiongovernance.functions.receipt;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.ReceiptLedger;

/** {@code GET /v1/receipts/{receipt_id}}. */
public final class RetrieveReceiptHandler implements FieldsHandler {
  private final ReceiptLedger ledger;

  public RetrieveReceiptHandler(Wiring wiring) {
    this.ledger = wiring.loop().ledger();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return ledger
        .find(call.caller().partition(), call.id("receipt_id", ReceiptId::parse))
        .filter(receipt -> receipt.isWithin(call.caller().reach()))
        .map(receipt -> Reply.ok(receipt.document()))
        .orElseGet(() -> Reply.notFound("receipt"));
  }
}
