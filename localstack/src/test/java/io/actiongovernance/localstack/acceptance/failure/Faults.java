package io.actiongovernance.localstack.acceptance.failure;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * What can go wrong between a client of the AWS SDK and its service, injected where the SDK sends:
 * so its own repetitions are part of what is tested. A request that is chosen fails at its first
 * attempt, or at all that the SDK makes. Thread-safe.
 */
final class Faults implements ExecutionInterceptor {
  /** How a request goes wrong. */
  enum Kind {
    /** It never arrives, and nobody says so. */
    TIMEOUT,
    /** It is answered with 500, without effect. */
    ERROR,
    /** It is answered that there are too many, without effect. */
    THROTTLE,
    /** It takes effect, and the answer does not arrive. */
    REPLY_LOST,
    /** A transaction that meets another one; other requests go well. */
    CONFLICT,
    /** A transaction that is cancelled since there are too many; other requests go well. */
    CANCELLED,
    /**
     * A transaction that takes effect, and is answered as if it were still under way; other
     * requests go well.
     */
    IN_PROGRESS,
    /** An index that does not know of anything yet; other requests go well. */
    STALE_INDEX
  }

  /**
   * How many of the requests fail, and how many of those at every attempt, in percent.
   *
   * @param meets which requests it may happen to
   */
  record Weather(Kind kind, int failing, int lasting, Predicate<SdkRequest> meets) {
    static Weather stormy(Kind kind) {
      // Few requests are such that these can happen to them.
      int failing =
          switch (kind) {
            case TIMEOUT, ERROR, THROTTLE, REPLY_LOST -> 25;
            case CONFLICT, CANCELLED, IN_PROGRESS, STALE_INDEX -> 60;
          };
      return new Weather(kind, failing, 25, _ -> true);
    }

    /** Nothing goes through. */
    static Weather down(Kind kind) {
      return downFor(kind, _ -> true);
    }

    /** None of these requests goes through. */
    static Weather downFor(Kind kind, Predicate<SdkRequest> meets) {
      return new Weather(kind, 100, 100, meets);
    }
  }

  private enum Fate {
    WELL,
    FAILS_ONCE,
    FAILS
  }

  private static final ExecutionAttribute<Fate> FATE = new ExecutionAttribute<>("fate");

  private final Random random;
  private final AtomicInteger injected = new AtomicInteger();
  private volatile @Nullable Weather weather;

  Faults(long seed) {
    this.random = new Random(seed);
  }

  /** Lets requests fail from now on, or all go well. */
  void set(@Nullable Weather now) {
    weather = now;
  }

  /** How many attempts failed so far. */
  int injected() {
    return injected.get();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    Weather now = weather;
    boolean chosen =
        now != null && now.meets().test(context.request()) && random.nextInt(100) < now.failing();
    boolean lasts = chosen && now != null && random.nextInt(100) < now.lasting();
    Fate fate = lasts ? Fate.FAILS : chosen ? Fate.FAILS_ONCE : Fate.WELL;
    attributes.putAttribute(FATE, fate);
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    Weather now = weather;
    if (now == null || attributes.getAttribute(FATE) == Fate.WELL) {
      return;
    }
    RuntimeException fault = fault(now.kind(), context.request());
    if (fault != null) {
      strike(attributes);
      throw fault;
    }
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    Weather now = weather;
    if (now == null || attributes.getAttribute(FATE) == Fate.WELL) {
      return;
    }
    RuntimeException fault = faultInSpite(now.kind(), context.request());
    if (fault != null) {
      strike(attributes);
      throw fault;
    }
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    Weather now = weather;
    boolean stale =
        now != null
            && now.kind() == Kind.STALE_INDEX
            && attributes.getAttribute(FATE) != Fate.WELL
            && context.request() instanceof QueryRequest query
            && query.indexName() != null;
    if (!stale) {
      return context.response();
    }
    injected.incrementAndGet();
    return ((QueryResponse) context.response())
        .toBuilder().items(List.of()).count(0).lastEvaluatedKey(null).build();
  }

  private void strike(ExecutionAttributes attributes) {
    injected.incrementAndGet();
    if (attributes.getAttribute(FATE) == Fate.FAILS_ONCE) {
      attributes.putAttribute(FATE, Fate.WELL);
    }
  }

  /** What befalls a request before it is done. */
  private static @Nullable RuntimeException fault(Kind kind, SdkRequest request) {
    return switch (kind) {
      case TIMEOUT -> ApiCallAttemptTimeoutException.create(1_000);
      case ERROR -> answered(500, "InternalServerError");
      case THROTTLE -> answered(400, "ThrottlingException");
      case CONFLICT ->
          request instanceof TransactWriteItemsRequest transaction
              ? cancelled(transaction, "TransactionConflict")
              : null;
      case CANCELLED ->
          request instanceof TransactWriteItemsRequest transaction
              ? cancelled(transaction, "ThrottlingError")
              : null;
      case REPLY_LOST, IN_PROGRESS, STALE_INDEX -> null;
    };
  }

  /** What befalls a request though it has been done. */
  private static @Nullable RuntimeException faultInSpite(Kind kind, SdkRequest request) {
    return switch (kind) {
      case REPLY_LOST ->
          SdkClientException.create("The answer was lost.", new IOException("injected"));
      case IN_PROGRESS ->
          request instanceof TransactWriteItemsRequest
              ? TransactionInProgressException.builder()
                  .statusCode(400)
                  .message("injected")
                  .awsErrorDetails(
                      AwsErrorDetails.builder().errorCode("TransactionInProgressException").build())
                  .build()
              : null;
      case TIMEOUT, ERROR, THROTTLE, CONFLICT, CANCELLED, STALE_INDEX -> null;
    };
  }

  /** Of whichever service: all that the SDK looks at is status and code. */
  private static RuntimeException answered(int status, String code) {
    return DynamoDbException.builder()
        .statusCode(status)
        .message(code)
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage("injected").build())
        .build();
  }

  private static RuntimeException cancelled(TransactWriteItemsRequest transaction, String code) {
    return TransactionCanceledException.builder()
        .statusCode(400)
        .message("injected")
        .awsErrorDetails(
            AwsErrorDetails.builder().errorCode("TransactionCanceledException").build())
        .cancellationReasons(
            transaction.transactItems().stream()
                .map(item -> CancellationReason.builder().code(code).build())
                .toList())
        .build();
  }
}
