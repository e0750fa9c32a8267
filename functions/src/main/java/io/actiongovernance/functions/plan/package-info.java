/** Handlers of the plans routes. */
@NullMarked
package io.actiongovernance.functions.plan;

import org.jspecify.annotations.NullMarked;
