package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of a call's effect (contract, sections 2 and 5). */
public sealed interface CallResult {
  /**
   * The call took effect.
   *
   * @param result the source system's answer; JSON null when it had none
   * @param reference the source system's own id of what it did, if the tool says where to find it
   * @param answer the same answer as it came; null unless it is to be kept ({@link
   *     ToolCall#answerKept}), and where it was lost
   */
  record Applied(JsonNode result, @Nullable String reference, @Nullable WholeAnswer answer)
      implements CallResult {
    /** One whose answer is not kept. */
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
   * @param answered whether each of its requests was answered, so that none can be at work any
   *     more; false where a reply was lost, a deadline passed, or the caller died
   */
  record Unknown(String why, boolean answered) implements CallResult {}

  /**
   * The call was not made, and must not be: what would be called is not what was accepted.
   *
   * @param reason for the receipt
   */
  record Refused(String reason) implements CallResult {}

  /**
   * The call was not made, so as to stay within the source system's pace or because its permit was
   * withdrawn; it may be asked for again at this time.
   */
  record Paced(Instant notBefore) implements CallResult {}
}
