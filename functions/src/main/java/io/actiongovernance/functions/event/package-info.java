/** Handlers of the events routes. */
@NullMarked
package io.actiongovernance.functions.event;

import org.jspecify.annotations.NullMarked;
