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
 * The attempts at one request to DynamoDB, which is made again for as long as it is put off:
 * answered with a throttle, or with another transaction at its item, and so not done. The client
 * repeats what is not answered, and may have been done ({@link AwsClients#dynamoRetries}); from the
 * two being apart it is known whether anything stands in doubt. Not thread-safe: each request has
 * its own.
 *
 * <p>A request has six attempts, the client's among them; the pauses between them are 1.6 s
 * together at most.
 */
final class Attempts {
  static final int MOST = 6;

  /** Why a transaction is cancelled when there are too many requests. */
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

  /** Makes the request, and again after a pause if it is put off; its last answer is thrown. */
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

  /** Pauses after an attempt that was answered in part; says whether there is another attempt. */
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

  /** Whether an attempt before the last one may have been done, because it was not answered. */
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

  /** Whether a transaction was cancelled for nothing that would not be otherwise after a pause. */
  private static boolean isThrottled(TransactionCanceledException cancelled) {
    Set<String> codes =
        cancelled.cancellationReasons().stream()
            .map(CancellationReason::code)
            .collect(Collectors.toSet());
    return !Collections.disjoint(codes, THROTTLES) && PASSING.containsAll(codes);
  }
}
