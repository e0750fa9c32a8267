package io.actiongovernance.localstack.aws;

import java.nio.file.Path;
import org.eclipse.jetty.server.Handler;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/** DynamoDB Local in this process, on one file, which survives a restart. Thread-safe. */
public final class EmbeddedDynamo implements AutoCloseable {
  private final AmazonDynamoDBLocal local;
  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams;

  public EmbeddedDynamo(Path folder) {
    this.local = DynamoDBEmbedded.create(folder.resolve("governance.db").toFile(), true);
    this.client = local.dynamoDbClient();
    this.streams = local.dynamoDbStreamsClient();
  }

  /** The in-process client: several times faster than over HTTP. */
  public DynamoDbClient client() {
    return client;
  }

  public DynamoDbStreamsClient streams() {
    return streams;
  }

  /** The HTTP front of DynamoDB Local, over this very database. */
  Handler front() {
    return new LocalDynamoDBServerHandler(new DynamoRequests(client, streams), null);
  }

  @Override
  public void close() {
    local.shutdown();
  }
}
