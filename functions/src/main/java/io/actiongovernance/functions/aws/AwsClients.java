package io.actiongovernance.functions.aws;

import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
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
   * How often the client of the tables repeats a request. A single write that meets a transaction
   * under way wrote nothing, and is worth another try. After a throttle the SDK would pause for up
   * to half a minute in all, which is longer than a request may take.
   */
  public static RetryStrategy dynamoRetries() {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(6)
        .throttlingBackoffStrategy(
            BackoffStrategy.exponentialDelay(Duration.ofMillis(50), Duration.ofSeconds(2)))
        .retryOnException(TransactionConflictException.class)
        .build();
  }
}
