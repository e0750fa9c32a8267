package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Store;
import io.actiongovernance.store.TableNames;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;

/**
 * The one DynamoDB Local of a test run, in memory; starting it takes a second. Tests that share
 * tables keep apart by the tenants they make, or take tables of their own. Nothing expires by
 * itself here: the times of these tests are made up, and the database would hold them against the
 * real clock.
 */
public final class EmbeddedDynamo {
  /** What the names of the shared tables begin with. */
  public static final String PREFIX = "test";

  /** Those of the shared tables. */
  public static final TableNames NAMES = TableNames.of(PREFIX);

  private static final AtomicInteger OWN = new AtomicInteger();

  private EmbeddedDynamo() {}

  private static final class Shared {
    static final DynamoDbClient CLIENT = start();

    private static DynamoDbClient start() {
      System.setProperty("DDB_LOCAL_TELEMETRY", "0");
      DynamoDbClient client = DynamoDBEmbedded.create(true).dynamoDbClient();
      Tables.create(client, PREFIX);
      return client;
    }
  }

  /** The in-process client, with all tables made under {@link #PREFIX}. */
  public static DynamoDbClient client() {
    return Shared.CLIENT;
  }

  /** The store over the shared tables. */
  public static Store store() {
    return new DynamoStore(client(), PREFIX);
  }

  /** Makes new tables for one test and returns their prefix. */
  public static String ownTables() {
    String prefix = PREFIX + OWN.incrementAndGet();
    Tables.create(client(), prefix);
    return prefix;
  }
}
