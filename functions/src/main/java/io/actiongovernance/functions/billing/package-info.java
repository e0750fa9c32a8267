/** The handlers of the action allowance. */
@NullMarked
package io.actiongovernance.functions.billing;

import org.jspecify.annotations.NullMarked;
