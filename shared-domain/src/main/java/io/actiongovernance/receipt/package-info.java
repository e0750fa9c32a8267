/** Receipts: the append-only ledger of every outcome. */
@NullMarked
package io.actiongovernance.receipt;

import org.jspecify.annotations.NullMarked;
