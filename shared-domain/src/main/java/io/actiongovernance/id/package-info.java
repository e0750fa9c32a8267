/** Identifiers: opaque, prefixed, ordered by time of creation. */
@NullMarked
package io.actiongovernance.id;

import org.jspecify.annotations.NullMarked;
