package io.actiongovernance.functions.aws;

import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The AWS clients of this service, which on the local stack talk to embedded services.
 *
 * @param s3 created on first use, since few functions need it
 * @param presigner created on first use
 * @param kms created on first use
 */
public record Clients(
    DynamoDbClient dynamo,
    SqsClient sqs,
    EventBridgeClient events,
    SfnClient stepFunctions,
    Supplier<S3Client> s3,
    Supplier<S3Presigner> presigner,
    Supplier<KmsClient> kms)
    implements AutoCloseable {
  public Clients {
    s3 = Once.of(s3);
    presigner = Once.of(presigner);
    kms = Once.of(kms);
  }

  /** Closes the clients that exist, and with them the threads that enforce their time limits. */
  @Override
  public void close() {
    dynamo.close();
    sqs.close();
    events.close();
    stepFunctions.close();
    Once.of(s3).ifMade(S3Client::close);
    Once.of(presigner).ifMade(S3Presigner::close);
    Once.of(kms).ifMade(KmsClient::close);
  }
}
