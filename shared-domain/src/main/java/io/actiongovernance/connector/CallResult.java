package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Knowledge of a call's effect (contract, sections 2 and 5). */
public sealed interface CallResult {
  /**
   * The call took effect.
   *
   * @param result the source system's answer; JSON null if it had none
   * @param reference the source system's own id of the effect, if the tool says where to find it
   * @param answer the answer byte for byte; null unless it must be kept ({@link
   *     ToolCall#answerKept}), and if it was lost
   */
  record Applied(JsonNode result, @Nullable String reference, @Nullable WholeAnswer answer)
      implements CallResult {
    /** An effect whose answer is not kept. */
    public Applied(JsonNode result, @Nullable String reference) {
      this(result, reference, null);
    }
  }

  /**
   * The call certainly took no effect, and will not be tried again.
   *
   * @param error the source system's status and the start of its message; never a credential
   */
  record Failed(String error) implements CallResult {}

  /**
   * Nobody can know whether the call took effect.
   *
   * @param answered whether each of its requests was answered, so that none can still be running;
   *     false if a reply was lost, a deadline passed, or the caller died
   */
  record Unknown(String why, boolean answered) implements CallResult {}

  /** The call was not made, and must not be: what would be called is not what was accepted. */
  record Refused(String reason) implements CallResult {}

  /**
   * The call was not made, because of the source system's pace or a withdrawn permit; it may be
   * requested again at this time.
   */
  record Paced(Instant notBefore) implements CallResult {}
}
