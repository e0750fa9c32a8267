package io.actiongovernance.localstack.acceptance;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
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

/**
 * What can go wrong between a client of the AWS SDK and its service, injected where the SDK sends:
 * so its own repetitions are part of what is tested. A request that is chosen fails at its first
 * attempt, or at all of them. Thread-safe.
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
    /** An index that does not know of anything yet; other requests go well. */
    STALE_INDEX
  }

  /** How many of the requests fail, and how many of those at every attempt, in percent. */
  record Weather(Kind kind, int failing, int lasting) {
    static Weather stormy(Kind kind) {
      // Few requests are such that these can happen to them.
      boolean rare = kind == Kind.CONFLICT || kind == Kind.STALE_INDEX;
      return new Weather(kind, rare ? 60 : 25, 25);
    }

    /** Nothing goes through. */
    static Weather down(Kind kind) {
      return new Weather(kind, 100, 100);
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
    boolean chosen = now != null && random.nextInt(100) < now.failing();
    boolean lasts = chosen && now != null && random.nextInt(100) < now.lasting();
    Fate fate = lasts ? Fate.FAILS : chosen ? Fate.FAILS_ONCE : Fate.WELL;
    attributes.putAttribute(FATE, fate);
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    Weather now = weather;
    if (now == null
        || now.kind() == Kind.REPLY_LOST
        || attributes.getAttribute(FATE) == Fate.WELL) {
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
    if (now != null
        && now.kind() == Kind.REPLY_LOST
        && attributes.getAttribute(FATE) != Fate.WELL) {
      strike(attributes);
      throw SdkClientException.create("The answer was lost.", new IOException("injected"));
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

  private static @Nullable RuntimeException fault(Kind kind, SdkRequest request) {
    return switch (kind) {
      case TIMEOUT -> ApiCallAttemptTimeoutException.create(1_000);
      case ERROR -> answered(500, "InternalServerError");
      case THROTTLE -> answered(400, "ThrottlingException");
      case CONFLICT ->
          request instanceof TransactWriteItemsRequest transaction ? conflict(transaction) : null;
      case REPLY_LOST, STALE_INDEX -> null;
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

  private static RuntimeException conflict(TransactWriteItemsRequest transaction) {
    return TransactionCanceledException.builder()
        .statusCode(400)
        .message("injected")
        .awsErrorDetails(
            AwsErrorDetails.builder().errorCode("TransactionCanceledException").build())
        .cancellationReasons(
            transaction.transactItems().stream()
                .map(item -> CancellationReason.builder().code("TransactionConflict").build())
                .toList())
        .build();
  }
}
