package io.actiongovernance.functions.aws;

import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Attempts at one request to DynamoDB. It repeats a request that was put off: throttled, or in
 * conflict with another transaction on its item, and so not executed.
 *
 * <p>The AWS client itself repeats unanswered requests ({@link AwsClients#dynamoRetries}), which
 * may have been executed. Because the two kinds of retries are separate, it is known whether the
 * outcome is in doubt. A request has six attempts, including the client's; the pauses between them
 * total at most 1.6 s. Not thread-safe: each request has its own object.
 */
final class Attempts {
  static final int MOST = 6;

  /** The reasons in a transaction's cancellation that mean throttling. */
  private static final Set<String> THROTTLES =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded");

  private static final Set<String> PASSING =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict", "None");

  private final Pauses pauses;
  private int made;
  private boolean inDoubt;

  Attempts(Pauses pauses) {
    this.pauses = pauses;
  }

  /** Makes the request, and repeats it after a pause if it was put off; throws the last failure. */
  <T> T make(Supplier<T> request) {
    while (true) {
      try {
        return request.get();
      } catch (DynamoDbException e) {
        int attempts = e.numAttempts() == null ? 1 : e.numAttempts();
        inDoubt |= attempts > 1;
        made += attempts;
        if (!isPutOff(e) || !goOn()) {
          throw e;
        }
      }
    }
  }

  /** Pauses after a partial response; returns whether another attempt remains. */
  boolean goOnAfterPart() {
    made++;
    return goOn();
  }

  private boolean goOn() {
    if (made >= MOST) {
      return false;
    }
    pauses.after(made);
    return true;
  }

  /** Returns whether an attempt before the last was not answered, and so may have been executed. */
  boolean inDoubt() {
    return inDoubt;
  }

  private static boolean isPutOff(DynamoDbException answer) {
    return switch (answer) {
      case TransactionConflictException _, TransactionInProgressException _ -> true;
      case TransactionCanceledException cancelled -> isThrottled(cancelled);
      default -> answer.isThrottlingException();
    };
  }

  /** Returns whether a transaction was cancelled for throttling, and for no permanent reason. */
  private static boolean isThrottled(TransactionCanceledException cancelled) {
    Set<String> codes =
        cancelled.cancellationReasons().stream()
            .map(CancellationReason::code)
            .collect(Collectors.toSet());
    return !Collections.disjoint(codes, THROTTLES) && PASSING.containsAll(codes);
  }
}
