/** Handlers of the keys and tenants routes, and authentication. */
@NullMarked
package io.actiongovernance.functions.access;

import org.jspecify.annotations.NullMarked;
