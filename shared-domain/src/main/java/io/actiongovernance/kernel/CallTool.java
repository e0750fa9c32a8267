package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.halt.HaltRegister;
import java.time.InstantSource;
import java.util.Optional;

/** Calls tools, unless a halt covers the action. Thread-safe. */
public final class CallTool {
  private final HaltRegister halts;
  private final ToolCaller toolCaller;
  private final InstantSource clock;

  public CallTool(HaltRegister halts, ToolCaller toolCaller, InstantSource clock) {
    this.halts = halts;
    this.toolCaller = toolCaller;
    this.clock = clock;
  }

  /** What the call came to; empty if it was not begun, for a halt. */
  Optional<CallResult> call(Calling calling) {
    StartPermit permit = new StartPermit(halts, calling.action(), clock);
    return permit.getAsBoolean()
        ? Optional.of(toolCaller.call(toolCall(calling, permit)))
        : Optional.empty();
  }

  private ToolCall toolCall(Calling calling, StartPermit permit) {
    Action.Terms terms = calling.action().terms();
    return new ToolCall(
        calling.connector(),
        calling.tool(),
        terms.args(),
        terms.idempotencyKey(),
        terms.workspaceId(),
        terms.correlationId(),
        clock.instant().plus(KernelTimes.CALL),
        permit);
  }
}
