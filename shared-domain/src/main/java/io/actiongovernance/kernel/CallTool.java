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
 * Calls tools, unless a halt covers the action or the action is settled. Keeps the answer if {@link
 * Calling#answerKept} asks for it. Thread-safe.
 */
public final class CallTool {
  /** Time after a call's own end during which its answer may still be written to the bucket. */
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

  /** Failure of the service itself, before the first byte of the call was sent. */
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

  sealed interface Called {
    /**
     * The call was made, or was put off because of the pace or for lack of time.
     *
     * @param resultSha256 digest that finds the answer; null if the answer is not kept
     */
    record Answered(CallResult result, @Nullable String resultSha256) implements Called {}

    /**
     * The call was not begun, because of a halt.
     *
     * @param known whether a halt is known, whose lift resumes the actions it stopped; false if
     *     halts could not be read in time
     */
    record Halted(boolean known) implements Called {}

    /** The call was not begun, because the action had already been settled. */
    record Settled() implements Called {}
  }

  /**
   * Makes the call.
   *
   * @throws NotBegun if a fault of the service prevented it from beginning
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
    // The answer is kept before the disposal that names it, so a disposal never names a missing
    // answer.
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
      // If an answer cannot be kept, the fact that the call applied must still be recorded.
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
