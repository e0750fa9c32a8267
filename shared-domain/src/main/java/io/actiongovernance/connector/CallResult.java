package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Result of a call, by the knowledge of its effect (contract, sections 2 and 5). */
public sealed interface CallResult {
  /**
   * The call took effect.
   *
   * @param result the source system's answer; JSON null if it had none
   * @param reference the source system's own id of the effect, if the tool says where to find it
   * @param answer the answer byte for byte; null if it was lost, or need not be kept ({@link
   *     ToolCall#answerKept})
   */
  record Applied(JsonNode result, @Nullable String reference, @Nullable WholeAnswer answer)
      implements CallResult {
    /** The result of a call whose answer is not kept. */
    public Applied(JsonNode result, @Nullable String reference) {
      this(result, reference, null);
    }
  }

  /**
   * The call certainly took no effect, and will not be retried.
   *
   * @param error the source system's status and the start of its message; never a credential
   */
  record Failed(String error) implements CallResult {}

  /**
   * Nobody can know whether the call took effect.
   *
   * @param answered whether each of the call's requests was answered, so that none can still be
   *     running; false if a reply was lost, a deadline passed, or the caller died
   */
  record Unknown(String why, boolean answered) implements CallResult {}

  /**
   * The call was not made and must not be, because it would differ from the call that was accepted.
   */
  record Refused(String reason) implements CallResult {}

  /**
   * The call was not made, because of the source system's pace or a withdrawn permit. It may be
   * requested again at this time.
   */
  record Paced(Instant notBefore) implements CallResult {}
}
