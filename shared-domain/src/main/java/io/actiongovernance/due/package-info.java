/** Items to be looked at when their time has come, and fair turns among tenants. */
@NullMarked
package io.actiongovernance.due;

import org.jspecify.annotations.NullMarked;
