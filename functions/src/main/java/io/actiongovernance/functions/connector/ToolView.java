package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Tool;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the API shows it: what one needs to propose an action with it and to write guardrails
 * for it.
 *
 * @param binds which arguments are the entity, the value and the currency; null where none are
 * @param summary the template of what people are shown, or null
 * @param inverse the name of the tool that takes it back, or null
 */
public record ToolView(
    String name,
    String capability,
    int tier,
    String description,
    ObjectNode inputSchema,
    @Nullable ObjectNode binds,
    @Nullable String summary,
    @Nullable String inverse,
    boolean retrySafe,
    long retrySafeSeconds,
    Set<Integer> didNotAct) {
  static ToolView of(Tool tool) {
    return new ToolView(
        tool.name(),
        tool.capability(),
        tool.tier(),
        tool.description(),
        tool.inputSchema().json(),
        tool.binds().any() ? tool.binds().wire() : null,
        tool.summary(),
        tool.inverse() == null ? null : tool.inverse().tool(),
        tool.retrySafe(),
        tool.retrySafeSeconds(),
        tool.didNotAct());
  }
}
