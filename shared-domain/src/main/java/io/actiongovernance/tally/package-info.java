/** What is counted under a bound, exactly, on as many items as the load asks for. */
@NullMarked
package io.actiongovernance.tally;

import org.jspecify.annotations.NullMarked;
