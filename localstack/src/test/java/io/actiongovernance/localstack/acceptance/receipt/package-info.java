/** The ledger of receipts, the evidence in it, and its exports. */
@NullMarked
package io.actiongovernance.localstack.acceptance.receipt;

import org.jspecify.annotations.NullMarked;
