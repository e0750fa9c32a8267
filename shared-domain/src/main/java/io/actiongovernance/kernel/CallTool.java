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

  /** The service itself failed, before the first byte of the call left. */
  static final class NotBegun extends Exception {
    private static final long serialVersionUID = 1;

    private final RuntimeException trouble;

    NotBegun(RuntimeException trouble) {
      super(trouble);
      this.trouble = trouble;
    }

    RuntimeException trouble() {
      return trouble;
    }
  }

  /**
   * What the call came to; empty if it was not begun, for a halt.
   *
   * @throws NotBegun where it was not begun, for a fault of the service
   */
  Optional<CallResult> call(Calling calling) throws NotBegun {
    StartPermit permit = new StartPermit(halts, calling.action(), clock);
    if (!permit.getAsBoolean()) {
      return Optional.empty();
    }
    int before = permit.granted();
    try {
      return Optional.of(toolCaller.call(toolCall(calling, permit)));
    } catch (RuntimeException e) {
      if (permit.granted() > before) {
        throw e;
      }
      throw new NotBegun(e);
    }
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
