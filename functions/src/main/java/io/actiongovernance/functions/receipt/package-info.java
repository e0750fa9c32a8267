/** Handlers of the receipts routes. */
@NullMarked
package io.actiongovernance.functions.receipt;

import org.jspecify.annotations.NullMarked;
