/** Tenants, and the keys by which they call. */
@NullMarked
package io.actiongovernance.key;

import org.jspecify.annotations.NullMarked;
