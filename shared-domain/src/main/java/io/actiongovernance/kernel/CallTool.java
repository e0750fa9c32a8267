package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.store.Store;
import java.time.InstantSource;

/** Calls tools, unless a halt covers the action or it is settled. Thread-safe. */
public final class CallTool {
  private final Store store;
  private final ToolCaller toolCaller;
  private final InstantSource clock;

  public CallTool(Store store, ToolCaller toolCaller, InstantSource clock) {
    this.store = store;
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

  /** What became of a call. */
  sealed interface Called {
    /** It was made, or is to be made later for the sake of the pace. */
    record Answered(CallResult result) implements Called {}

    /**
     * It was not begun, for a halt.
     *
     * @param known whether there is one, whose lift has go on what it stopped; if not, nobody could
     *     tell in time
     */
    record Halted(boolean known) implements Called {}

    /** It was not begun, since the action had been settled. */
    record Settled() implements Called {}
  }

  /**
   * Makes the call.
   *
   * @throws NotBegun where it was not begun, for a fault of the service
   */
  Called call(Calling calling) throws NotBegun {
    StartPermit permit = new StartPermit(store, calling.action(), clock);
    try {
      if (!permit.stands()) {
        return permit.settled() ? new Called.Settled() : new Called.Halted(permit.halted());
      }
      return new Called.Answered(toolCaller.call(toolCall(calling, permit)));
    } catch (RuntimeException e) {
      if (permit.begun()) {
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
