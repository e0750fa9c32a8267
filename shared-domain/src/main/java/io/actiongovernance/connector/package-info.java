/** Connectors and the marketplace: manifests, installation, calls to source systems. */
@NullMarked
package io.actiongovernance.connector;

import org.jspecify.annotations.NullMarked;
