/** Handlers of the connectors and marketplace routes, and the engine that calls source systems. */
@NullMarked
package io.actiongovernance.functions.connector;

import org.jspecify.annotations.NullMarked;
