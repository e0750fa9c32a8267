package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.Clients;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The clients of a deployed function, configured by its environment. */
public final class AwsClients {
  private AwsClients() {}

  public static Clients create() {
    SdkHttpClient http = UrlConnectionHttpClient.create();
    DynamoDbClient dynamo =
        DynamoDbClient.builder()
            .httpClient(http)
            .overrideConfiguration(
                override ->
                    override.retryStrategy(
                        // A single write that meets a transaction under way wrote nothing, and is
                        // worth another try.
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(6)
                            .retryOnException(TransactionConflictException.class)
                            .build()))
            .build();
    return new Clients(
        dynamo,
        SqsClient.builder().httpClient(http).build(),
        EventBridgeClient.builder().httpClient(http).build(),
        SfnClient.builder().httpClient(http).build(),
        () -> S3Client.builder().httpClient(http).build(),
        S3Presigner::create);
  }

  /** The client of the bus alone. */
  public static EventBridgeClient events() {
    return EventBridgeClient.builder().httpClient(UrlConnectionHttpClient.create()).build();
  }
}
