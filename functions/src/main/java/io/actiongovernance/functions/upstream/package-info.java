/** Calls of connectors' tools, and tests and authorization of their source systems. */
@NullMarked
package io.actiongovernance.functions.upstream;

import org.jspecify.annotations.NullMarked;
