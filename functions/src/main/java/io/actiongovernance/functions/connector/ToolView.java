package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Tool;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the API shows it: what one needs to propose an action with it and to write guardrails
 * for it.
 *
 * @param inverse the name of the tool that takes it back, or null
 */
public record ToolView(
    String name,
    String capability,
    int tier,
    String description,
    ObjectNode inputSchema,
    @Nullable String inverse,
    boolean retrySafe) {
  static ToolView of(Tool tool) {
    return new ToolView(
        tool.name(),
        tool.capability(),
        tool.tier(),
        tool.description(),
        tool.inputSchema().json(),
        tool.inverse() == null ? null : tool.inverse().tool(),
        tool.retrySafe());
  }
}
