package io.actiongovernance.functions.aws;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * What DynamoDB calls malformed, an item or a transaction that is too large among it: a fault of
 * ours, which no repetition mends. It is told by table and key; what is stored there is told to
 * nobody, and therefore DynamoDB's own words only as far as they quote nothing.
 */
final class Malformed {
  private Malformed() {}

  /**
   * @param what was asked for: keys, or a partition
   */
  static IllegalArgumentException request(
      Object what, @Nullable String reason, DynamoDbException answer) {
    // No cause: its message quotes values.
    return new IllegalArgumentException(
        "DynamoDB does not take %s: %s (request %s)"
            .formatted(what, unquoted(reason), answer.requestId()));
  }

  /** Up to where something is quoted. */
  private static String unquoted(@Nullable String reason) {
    return reason == null ? "malformed" : reason.split("['\\[{]", 2)[0].strip();
  }

  static boolean is(DynamoDbException answer) {
    return answer.awsErrorDetails() != null
        && "ValidationException".equals(answer.awsErrorDetails().errorCode());
  }
}
