/** The MCP gateway: an operator's tools over the Model Context Protocol. */
@NullMarked
package io.actiongovernance.functions.mcp;

import org.jspecify.annotations.NullMarked;
