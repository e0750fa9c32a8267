package io.actiongovernance.localstack.aws;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.client.LocalDynamoDbClient;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteLibraryLoader;

/**
 * DynamoDB Local in this process, on one file. The file survives a restart, even if the process was
 * killed. Thread-safe.
 */
public final class EmbeddedDynamo implements AutoCloseable {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(EmbeddedDynamo.class);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  /** Locked for writing while a front is made, and for reading while a front answers. */
  private static final ReadWriteLock FRONTS = new ReentrantReadWriteLock();

  static {
    try {
      Class<?> jobs = Class.forName(SQLiteDBAccess.class.getName() + "Job");
      for (Class<?> reading : List.of(SQLiteDBAccess.class, jobs)) {
        TableSchemas.readOnceBy((ObjectMapper) field(reading, "MAPPER").get(null));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The database is slower than it could be", e);
    }
  }

  private final AmazonDynamoDBLocal local;
  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams;
  private final Bells bells = new Bells();

  public EmbeddedDynamo(Path folder) {
    File file = folder.resolve("governance.db").toFile();
    prepare(file);
    this.local = DynamoDBEmbedded.create(file, true);
    this.client = HeardDynamo.client(local.dynamoDbClient(), bells);
    this.streams = local.dynamoDbStreamsClient();
    settle(local.dynamoDbClient());
  }

  /**
   * Prepares the file before DynamoDB Local opens it; the file keeps these settings.
   *
   * <p>SQLite keeps a write-ahead log, so that a commit waits for the disk once, not four times.
   * All writes of the stack wait behind each other's commits, and DynamoDB Local fails with an
   * internal error after waiting 10 s for a table. On a slow or busy disk, a handful of writers
   * would cause that.
   *
   * <p>When it opens the file, DynamoDB Local deletes the records of streams that are older than
   * two days, and numbers new ones from the greatest number left. With none left it would begin
   * again below the positions of the streams' readers, who would miss all new records. Therefore
   * the last record is kept, although it is too old to be read.
   */
  private static void prepare(File file) {
    Logger.getLogger("com.almworks.sqlite4java").setLevel(Level.WARNING);
    SQLiteConnection connection = new SQLiteConnection(file);
    try {
      SQLiteLibraryLoader.initialize();
      connection.open(true);
      // A stack that was stopped a moment ago may still be closing the file.
      connection.setBusyTimeout(LONGEST_CLOSE.toMillis());
      connection.prepare("PRAGMA journal_mode=WAL").step();
      if (connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'us'").step()) {
        connection.exec(
            """
            CREATE TRIGGER IF NOT EXISTS us_keeps_its_last BEFORE DELETE ON us
            WHEN OLD.SequenceNumber = (SELECT MAX(SequenceNumber) FROM us)
            BEGIN SELECT RAISE(IGNORE); END
            """);
      }
    } catch (Exception e) { // declared by the code that finds the native library
      throw new IllegalStateException("The database " + file + " cannot be opened.", e);
    } finally {
      connection.dispose();
    }
  }

  /**
   * Applies settings that DynamoDB Local does not offer, on its only connection, which is found by
   * reflection. If the connection is not found, only speed is lost.
   *
   * <p>A commit ends when the operating system has the data, before the disk has it, because there
   * are a dozen commits per governed action. If the process is killed, nothing is lost. If the
   * machine loses its power, the last moments may be lost, but never more.
   *
   * <p>The records of all streams are in one table, in the order of their numbers. Without indexes,
   * each read of a quiet stream would read the new records of all other streams. The longer the
   * stack runs, the longer it would then block the database for all other users. (The number is the
   * row's own, with which every index ends.)
   */
  private static void settle(DynamoDbClient client) {
    try {
      Object handler = Proxy.getInvocationHandler(client);
      AmazonDynamoDBLocal inner =
          (AmazonDynamoDBLocal) field(handler.getClass(), "impl").get(handler);
      LocalDBAccess access = ((LocalDynamoDbClient) inner.dynamoDbClient()).dbAccess;
      SQLiteQueue queue = (SQLiteQueue) field(SQLiteDBAccess.class, "queue").get(access);
      queue
          .execute(
              new SQLiteJob<Boolean>() {
                @Override
                protected Boolean job(SQLiteConnection connection) throws SQLiteException {
                  connection.exec("PRAGMA synchronous=NORMAL");
                  connection.exec("CREATE INDEX IF NOT EXISTS us_by_shard ON us (ShardID)");
                  connection.exec("CREATE INDEX IF NOT EXISTS us_by_stream ON us (StreamID)");
                  return true;
                }

                @Override
                protected void jobError(Throwable e) {
                  LOG.warn("The database is slower than it could be", e);
                }
              })
          .complete();
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The database is slower than it could be", e);
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Returns the in-process client, which is several times faster than HTTP. */
  public DynamoDbClient client() {
    return client;
  }

  public DynamoDbStreamsClient streams() {
    return streams;
  }

  /** Returns the bell that rings after each write to this table, whichever client writes. */
  public Bell bell(String table) {
    return bells.of(table);
  }

  /** Returns the HTTP front of DynamoDB Local, over the same database. */
  Handler front() {
    FRONTS.writeLock().lock();
    try {
      return new Front(new LocalDynamoDBServerHandler(new DynamoRequests(client, streams), null));
    } finally {
      FRONTS.writeLock().unlock();
    }
  }

  /**
   * Answers only while no front is being made. Each new front fills, without a lock, a table of
   * operations that all fronts of the process share. If two fronts are made at the same time, some
   * operations are permanently missing from it, and stay unknown.
   */
  private static final class Front extends Handler.Wrapper {
    Front(Handler front) {
      super(front);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      FRONTS.readLock().lock();
      try {
        return super.handle(request, response, callback);
      } finally {
        FRONTS.readLock().unlock();
      }
    }
  }

  @Override
  public void close() {
    local.shutdown();
  }
}
