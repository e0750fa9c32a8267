/** Handlers of the actions routes. */
@NullMarked
package io.actiongovernance.functions.action;

import org.jspecify.annotations.NullMarked;
