package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;

/** An action that an approval omitted, and its receipt. */
@Doc("An action that was not selected.")
record SkippedActionView(
    ActionId actionId, @Field(doc = "Identifier of its receipt.") ReceiptId receiptId) {}
