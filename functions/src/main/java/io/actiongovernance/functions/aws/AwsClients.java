package io.actiongovernance.functions.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The clients of a deployed function, configured by its environment. */
public final class AwsClients {
  private AwsClients() {}

  public static Clients create() {
    return over(UrlConnectionHttpClient.create());
  }

  /** The same over another HTTP client. */
  public static Clients over(SdkHttpClient http) {
    return new Clients(
        DynamoDbClient.builder()
            .httpClient(http)
            .overrideConfiguration(override -> override.retryStrategy(dynamoRetries()))
            .build(),
        SqsClient.builder().httpClient(http).build(),
        EventBridgeClient.builder().httpClient(http).build(),
        SfnClient.builder().httpClient(http).build(),
        () -> S3Client.builder().httpClient(http).forcePathStyle(byPath()).build(),
        () ->
            S3Presigner.builder()
                .serviceConfiguration(
                    S3Configuration.builder().pathStyleAccessEnabled(byPath()).build())
                .build());
  }

  /** Whether buckets are found by the path: an emulator has no name for each. */
  private static boolean byPath() {
    return System.getenv("AWS_ENDPOINT_URL_S3") != null;
  }

  /**
   * When the client of the tables repeats a request: if it was not answered, or with a fault of the
   * service, so that it may have been done. What is answered with a throttle, or with another
   * transaction under way, was not: that is for {@link Attempts}, which would otherwise not know
   * the one from the other.
   */
  public static RetryStrategy dynamoRetries() {
    return DefaultRetryStrategy.standardStrategyBuilder()
        .useClientDefaults(false)
        .maxAttempts(3)
        .retryOnException(AwsClients::isFaultOfTheService)
        .retryOnExceptionOrCauseInstanceOf(IOException.class)
        .retryOnExceptionOrCauseInstanceOf(UncheckedIOException.class)
        .retryOnExceptionInstanceOf(RetryableException.class)
        .retryOnExceptionInstanceOf(ApiCallAttemptTimeoutException.class)
        .build();
  }

  private static boolean isFaultOfTheService(Throwable failure) {
    return failure instanceof SdkServiceException answer
        && !answer.isThrottlingException()
        && (answer.statusCode() >= 500 || answer.isClockSkewException());
  }
}
