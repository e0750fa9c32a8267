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
 * The AWS clients everything goes through: ordinary ones, which on the local stack speak to
 * embedded services.
 *
 * @param s3 made when it is first asked for, since few functions do
 * @param presigner likewise
 * @param kms likewise
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

  /** Closes those that there are, and with them the threads that watch over their time limits. */
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
