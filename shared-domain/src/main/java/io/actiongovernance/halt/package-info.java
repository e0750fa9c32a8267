/** The kill switch: halts, what they stop, and the time they freeze. */
@NullMarked
package io.actiongovernance.halt;

import org.jspecify.annotations.NullMarked;
