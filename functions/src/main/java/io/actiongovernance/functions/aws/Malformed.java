package io.actiongovernance.functions.aws;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Errors for requests that DynamoDB calls malformed, including items and transactions that are too
 * large. Such a request is a bug of this service, and retries do not help. The error names table
 * and key but no stored values, so it omits DynamoDB's message from the first quotation on.
 */
final class Malformed {
  private Malformed() {}

  /**
   * @param what the requested keys or partition, which the error names
   */
  static IllegalArgumentException request(
      Object what, @Nullable String reason, DynamoDbException answer) {
    // No cause: its message quotes values.
    return new IllegalArgumentException(
        "DynamoDB does not take %s: %s (request %s)"
            .formatted(what, unquoted(reason), answer.requestId()));
  }

  /** The text before its first quotation. */
  private static String unquoted(@Nullable String reason) {
    return reason == null ? "malformed" : reason.split("['\\[{]", 2)[0].strip();
  }

  static boolean is(DynamoDbException answer) {
    return answer.awsErrorDetails() != null
        && "ValidationException".equals(answer.awsErrorDetails().errorCode());
  }
}
