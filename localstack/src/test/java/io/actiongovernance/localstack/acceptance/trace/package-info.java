/** Trace contexts and the spans made of receipts. */
@NullMarked
package io.actiongovernance.localstack.acceptance.trace;

import org.jspecify.annotations.NullMarked;
