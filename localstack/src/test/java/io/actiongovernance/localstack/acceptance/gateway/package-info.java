/** The MCP gateway, and the access tokens of agents. */
@NullMarked
package io.actiongovernance.localstack.acceptance.gateway;

import org.jspecify.annotations.NullMarked;
