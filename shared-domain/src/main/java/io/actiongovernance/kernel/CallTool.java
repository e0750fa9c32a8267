package io.actiongovernance.kernel;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls tools, unless a halt covers the action or it is settled, and keeps what comes back where
 * that is wanted. Thread-safe.
 */
public final class CallTool {
  /** How long after a call's own end its answer may be on its way into the bucket. */
  private static final Duration KEEPING = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(CallTool.class);

  private final Store store;
  private final ToolCaller toolCaller;
  private final Results results;
  private final InstantSource clock;

  public CallTool(Store store, ToolCaller toolCaller, Results results, InstantSource clock) {
    this.store = store;
    this.toolCaller = toolCaller;
    this.results = results;
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
    /**
     * It was made, or is to be made later for the sake of the pace, or for want of time.
     *
     * @param resultSha256 by which its answer is found; null where that is not kept
     */
    record Answered(CallResult result, @Nullable String resultSha256) implements Called {}

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
    Instant deadline = deadline(calling);
    StartPermit permit =
        new StartPermit(store, calling.action(), clock, deadline.minus(KernelTimes.FIRST_TRY));
    ToolCall call = toolCall(calling, permit, deadline);
    CallResult result;
    Sealer.@Nullable Seal seal;
    try {
      seal = calling.answerKept() ? results.sealing(calling.action().partition()) : null;
      if (permit.late()) {
        return new Called.Answered(new CallResult.Paced(clock.instant()), null);
      }
      if (!permit.stands()) {
        return permit.settled() ? new Called.Settled() : new Called.Halted(permit.halted());
      }
      result = toolCaller.call(call);
    } catch (RuntimeException e) {
      if (permit.begun()) {
        throw e;
      }
      throw new NotBegun(e);
    }
    // Before the disposal, which names it: so none names what is not there.
    return new Called.Answered(result, kept(calling.action(), call, seal, result));
  }

  private @Nullable String kept(
      Action action, ToolCall call, Sealer.@Nullable Seal seal, CallResult result) {
    if (!(result instanceof CallResult.Applied applied)
        || applied.answer() == null
        || seal == null) {
      return null;
    }
    try {
      Instant until = call.deadline().plus(KEEPING);
      return results.keep(seal, action.partition(), action.id(), applied.answer(), until);
    } catch (StoreUnavailable e) {
      // That it applied is not to be lost for want of what it came back with.
      LOG.warn("The result of {} could not be kept", action.id(), e);
      return null;
    }
  }

  private Instant deadline(Calling calling) {
    Instant longest = clock.instant().plus(KernelTimes.CALL);
    Instant last = calling.lastEnd();
    return last.isBefore(longest) ? last : longest;
  }

  private ToolCall toolCall(Calling calling, StartPermit permit, Instant deadline) {
    Action.Terms terms = calling.action().terms();
    return new ToolCall(
        calling.connector(),
        calling.tool(),
        terms.args(),
        terms.idempotencyKey(),
        terms.workspaceId(),
        terms.correlationId(),
        deadline,
        permit,
        calling.answerKept(),
        terms.traceOf(calling.action().id()));
  }
}
