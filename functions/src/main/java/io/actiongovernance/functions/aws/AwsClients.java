package io.actiongovernance.functions.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The AWS clients of a deployed function. The environment configures them, and {@link TimeLimits}
 * limits their requests.
 */
public final class AwsClients {
  private AwsClients() {}

  public static Clients create() {
    return by(Maker.of(TimeLimits.ofRequests()), Maker.of(TimeLimits.ofObjects()));
  }

  /** The clients over another HTTP client. */
  public static Clients over(SdkHttpClient http) {
    return by(Maker.of(TimeLimits.ofRequests(), http), Maker.of(TimeLimits.ofObjects(), http));
  }

  /** The HTTP client of {@link #create}, except for the bucket's objects. */
  public static SdkHttpClient http() {
    return TimeLimits.ofRequests().http();
  }

  static Clients by(Maker requests, Maker objects) {
    return new Clients(
        requests.client(DynamoDbClient.builder(), dynamoRetries()),
        requests.client(SqsClient.builder(), retries()),
        requests.client(EventBridgeClient.builder(), retries()),
        requests.client(SfnClient.builder(), retries()),
        () -> objects.client(S3Client.builder().forcePathStyle(byPath()), retries()),
        () ->
            S3Presigner.builder()
                .serviceConfiguration(
                    S3Configuration.builder().pathStyleAccessEnabled(byPath()).build())
                .build(),
        () -> requests.client(KmsClient.builder(), retries()));
  }

  /** The client for secrets, used once, at a cold start. */
  static SecretsManagerClient secrets(Maker requests) {
    return requests.client(SecretsManagerClient.builder(), retries());
  }

  /**
   * Makes clients.
   *
   * @param limits their time limits
   * @param http their HTTP client
   * @param address sets endpoint and credentials if the environment does not
   */
  record Maker(TimeLimits limits, SdkHttpClient http, Consumer<AwsClientBuilder<?, ?>> address) {
    static Maker of(TimeLimits limits) {
      return of(limits, limits.http());
    }

    private static Maker of(TimeLimits limits, SdkHttpClient http) {
      return new Maker(limits, http, builder -> {});
    }

    private <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
        B builder, RetryStrategy retries) {
      address.accept(builder);
      return builder.httpClient(http).overrideConfiguration(limits.override(retries)).build();
    }
  }

  /**
   * Returns whether buckets are addressed by path, because an emulator has no host name for each
   * bucket.
   */
  private static boolean byPath() {
    return System.getenv("AWS_ENDPOINT_URL_S3") != null;
  }

  private static RetryStrategy retries() {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(TimeLimits.ATTEMPTS)
        // Thrown if a connection closes while the client waits for permission to send the body.
        .retryOnExceptionOrCauseInstanceOf(UncheckedIOException.class)
        .build();
  }

  /**
   * Retries of the client for tables. It retries only requests that may have been executed, because
   * there was no response or a server error. A throttled or conflicting request was not executed.
   * {@link Attempts} repeats such a request, because it could not otherwise distinguish the two
   * cases.
   */
  public static RetryStrategy dynamoRetries() {
    return DefaultRetryStrategy.standardStrategyBuilder()
        .useClientDefaults(false)
        .maxAttempts(TimeLimits.ATTEMPTS)
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
