/** Connectors, listings, MCP servers as source systems, and authorisation by OAuth 2.0. */
@NullMarked
package io.actiongovernance.localstack.acceptance.connector;

import org.jspecify.annotations.NullMarked;
