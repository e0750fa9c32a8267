/** Handlers of the operators routes. */
@NullMarked
package io.actiongovernance.functions.operator;

import org.jspecify.annotations.NullMarked;
