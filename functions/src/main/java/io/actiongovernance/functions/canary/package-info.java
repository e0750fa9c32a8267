/** Checks each minute that an action is governed from end to end. */
@NullMarked
package io.actiongovernance.functions.canary;

import org.jspecify.annotations.NullMarked;
