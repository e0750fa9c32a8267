package io.actiongovernance.connector;

/**
 * Calls a tool of a connector's source system. Implementations are thread-safe and do not throw
 * because of what a source system does.
 */
@FunctionalInterface
public interface ToolCaller {
  CallResult call(ToolCall call);
}
