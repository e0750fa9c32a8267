package io.actiongovernance.localstack.aws;

import com.almworks.sqlite4java.SQLiteConnection;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Handler;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteLibraryLoader;

/**
 * DynamoDB Local in this process, on one file, which survives a restart, and the process being
 * killed. Thread-safe.
 */
public final class EmbeddedDynamo implements AutoCloseable {
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  private final AmazonDynamoDBLocal local;
  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams;

  public EmbeddedDynamo(Path folder) {
    File file = folder.resolve("governance.db").toFile();
    writeAhead(file);
    this.local = DynamoDBEmbedded.create(file, true);
    this.client = local.dynamoDbClient();
    this.streams = local.dynamoDbStreamsClient();
  }

  /**
   * Has SQLite keep a write-ahead log, which is remembered in the file itself: a commit waits for
   * the disk once, not four times. All writes of the stack stand in one line behind each other's
   * commits, and DynamoDB Local gives up with an internal error on a table it has waited 10 s for:
   * on a slow or busy disk, that is what a handful of writers would come to.
   */
  private static void writeAhead(File file) {
    Logger.getLogger("com.almworks.sqlite4java").setLevel(Level.WARNING);
    SQLiteConnection connection = new SQLiteConnection(file);
    try {
      SQLiteLibraryLoader.initialize();
      connection.open(true);
      // A stack that was stopped a moment ago may still be closing the file.
      connection.setBusyTimeout(LONGEST_CLOSE.toMillis());
      connection.prepare("PRAGMA journal_mode=WAL").step();
    } catch (Exception e) { // what finding the native library declares
      throw new IllegalStateException("The database " + file + " cannot be opened.", e);
    } finally {
      connection.dispose();
    }
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
