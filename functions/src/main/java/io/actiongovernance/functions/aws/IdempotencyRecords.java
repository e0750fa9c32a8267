package io.actiongovernance.functions.aws;

import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyItemAlreadyExistsException;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyItemNotFoundException;
import software.amazon.lambda.powertools.idempotency.persistence.DataRecord;
import software.amazon.lambda.powertools.idempotency.persistence.DataRecord.Status;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;

/**
 * The records of idempotency keys, in the persistence store of Powertools. The payload hash of that
 * store holds the fingerprint, the minted identifier and the lease from the first write on. The
 * store's own expiry of records in progress is not used, because it would replace a record with one
 * that has a new minted identifier. Thread-safe.
 */
public final class IdempotencyRecords {
  /** Lifetime of a record (specification, Idempotency replay). */
  public static final Duration RETENTION = Duration.ofHours(24);

  private static final String STATUS = "status";
  private static final String LEASE = "validation";

  private final DynamoDbClient client;
  private final String table;
  private final DynamoDBPersistenceStore records;
  private final Pauses pauses = Pauses.real();

  public IdempotencyRecords(DynamoDbClient client, TableNames names) {
    this.client = client;
    this.table = names.of(Table.IDEMPOTENCY);
    this.records =
        DynamoDBPersistenceStore.builder()
            .withTableName(table)
            .withKeyAttr(Tables.IDEMPOTENCY_KEY)
            .withExpiryAttr(Table.EXPIRES)
            .withStatusAttr(STATUS)
            .withValidationAttr(LEASE)
            .withDynamoDbClient(client)
            .build();
    // Without validation configured, the store would drop the payload hash.
    records.configure(
        IdempotencyConfig.builder().withPayloadValidationJMESPath("@").build(), "requests");
  }

  /**
   * A key's record.
   *
   * @param fingerprint identifies the request under the key
   * @param mintedId the identifier minted for the resource that the request creates
   * @param leaseUntil the end of the running request's lease, in milliseconds of the epoch
   * @param answer null until there is one
   */
  public record Entry(
      String fingerprint, String mintedId, long leaseUntil, @Nullable String answer) {
    private String lease() {
      return fingerprint + ":" + mintedId + ":" + leaseUntil;
    }

    private static Entry of(String lease, @Nullable String answer) {
      String[] parts = lease.split(":", 3);
      return new Entry(parts[0], parts[1], Long.parseLong(parts[2]), answer);
    }
  }

  /** Takes a key that has no record or an expired one; returns whether it was taken. */
  public boolean begin(String key, Entry entry, Instant now) {
    return answered(
        () -> {
          try {
            records.putRecord(record(key, Status.INPROGRESS, entry, now), now);
            return true;
          } catch (IdempotencyItemAlreadyExistsException e) {
            return false;
          }
        });
  }

  /** The record, read consistently. */
  public Optional<Entry> find(String key) {
    return answered(
        () -> {
          try {
            DataRecord found = records.getRecord(key);
            // Ignore the record's status, which the store also derives from the machine's clock.
            return Optional.of(Entry.of(found.getPayloadHash(), found.getResponseData()));
          } catch (IdempotencyItemNotFoundException e) {
            return Optional.empty();
          }
        });
  }

  /**
   * Replaces a lease if it is unchanged and there is no answer; returns whether it was replaced.
   */
  public boolean takeOver(String key, Entry from, Entry to) {
    return answered(
        () -> {
          try {
            client.updateItem(
                update ->
                    update
                        .tableName(table)
                        .key(Map.of(Tables.IDEMPOTENCY_KEY, AttributeValue.fromS(key)))
                        .updateExpression("SET #lease = :to")
                        .conditionExpression("#lease = :from AND #status <> :completed")
                        .expressionAttributeNames(Map.of("#lease", LEASE, "#status", STATUS))
                        .expressionAttributeValues(
                            Map.of(
                                ":from", AttributeValue.fromS(from.lease()),
                                ":to", AttributeValue.fromS(to.lease()),
                                ":completed", AttributeValue.fromS(Status.COMPLETED.toString()))));
            return true;
          } catch (ConditionalCheckFailedException e) {
            return false;
          }
        });
  }

  /** Stores the answer, which must not be null. */
  public void complete(String key, Entry entry, Instant now) {
    answered(
        () -> {
          records.updateRecord(record(key, Status.COMPLETED, entry, now));
          return true;
        });
  }

  public void release(String key) {
    answered(
        () -> {
          records.deleteRecord(key);
          return true;
        });
  }

  private static DataRecord record(String key, Status status, Entry entry, Instant now) {
    long expires = now.plus(RETENTION).getEpochSecond();
    return new DataRecord(key, status, expires, entry.answer(), entry.lease());
  }

  private <T> T answered(Supplier<T> request) {
    try {
      return new Attempts(pauses).make(request);
    } catch (SdkException e) {
      throw new StoreUnavailable("DynamoDB did not serve the idempotency record.", e);
    }
  }
}
