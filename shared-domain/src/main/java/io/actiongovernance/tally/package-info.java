/** Exact counting under a bound, on as many items as the load requires. */
@NullMarked
package io.actiongovernance.tally;

import org.jspecify.annotations.NullMarked;
