/** Handlers of the connectors and marketplace routes. */
@NullMarked
package io.actiongovernance.functions.connector;

import org.jspecify.annotations.NullMarked;
