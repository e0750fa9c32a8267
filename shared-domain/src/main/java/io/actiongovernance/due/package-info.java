/** Items that must be examined when they become due, with fair turns for all tenants. */
@NullMarked
package io.actiongovernance.due;

import org.jspecify.annotations.NullMarked;
