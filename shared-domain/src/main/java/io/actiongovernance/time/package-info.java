/** Time, as ports and values that callers inject. */
@NullMarked
package io.actiongovernance.time;

import org.jspecify.annotations.NullMarked;
