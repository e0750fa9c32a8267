/** The handlers of the kill switch. */
@NullMarked
package io.actiongovernance.functions.halt;

import org.jspecify.annotations.NullMarked;
