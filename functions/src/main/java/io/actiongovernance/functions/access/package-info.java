/** Handlers of the routes for keys and tenants, and authentication. */
@NullMarked
package io.actiongovernance.functions.access;

import org.jspecify.annotations.NullMarked;
