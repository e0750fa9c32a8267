package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The service that holds the tables, as far as a restore needs it: DynamoDB on AWS. DynamoDB Local
 * cannot restore. A refused call throws the service's own unchecked exception.
 */
public interface TableService {
  /**
   * An existing table.
   *
   * @param id unique among all tables that ever had this name
   * @param active whether it can be changed now
   * @param streamed whether it has a stream of new and old images
   * @param restoredTo the second that it was restored to; null if it was not restored
   * @param keys the names of its key attributes
   */
  record Description(
      String arn,
      String id,
      boolean active,
      boolean streamed,
      boolean protectedFromDeletion,
      @Nullable Instant restoredTo,
      List<String> keys) {
    public Description {
      keys = List.copyOf(keys);
    }
  }

  /** The seconds that a table can be restored to, both included. */
  record Window(Instant earliest, Instant latest) {}

  /**
   * A page of a table's rows.
   *
   * @param next start of the next page; empty after the last
   */
  record Page(List<Map<String, AttributeValue>> rows, Map<String, AttributeValue> next) {
    public Page {
      rows = List.copyOf(rows);
      next = Map.copyOf(next);
    }
  }

  Optional<Description> find(String table);

  /** The seconds that the table can be restored to; empty without point-in-time recovery. */
  Optional<Window> window(String table);

  /**
   * Begins to create the target from the source's state at that second. The target exists
   * immediately, and becomes active later.
   */
  void restore(String source, String target, Instant at);

  /** The attribute by which rows expire; empty if rows do not expire. */
  Optional<String> expiry(String table);

  Map<String, String> tags(Description table);

  /** Returns whether the table has its own policy. */
  boolean hasPolicy(Description table);

  /** Starts a stream of new and old images of rows. */
  void stream(String table);

  void protectFromDeletion(String table);

  /**
   * Enables point-in-time recovery.
   *
   * @return false if it is too early; the caller must try again
   */
  boolean makeRestorable(String table);

  void expireBy(String table, String attribute);

  void tag(Description table, Map<String, String> tags);

  void putPolicy(Description table, String policy);

  /** Rows of the table, in its own order, read consistently. */
  Page scan(String table, Map<String, AttributeValue> from);

  /** The existing rows with these keys, up to a hundred, read consistently. */
  List<Map<String, AttributeValue>> get(String table, List<Map<String, AttributeValue>> keys);
}
