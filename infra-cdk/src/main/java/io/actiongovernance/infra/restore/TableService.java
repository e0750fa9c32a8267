package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What keeps the tables, as restoring needs it: DynamoDB on AWS. DynamoDB Local cannot restore.
 * Whatever it refuses is an unchecked exception of its own.
 */
public interface TableService {
  /**
   * A table that is there.
   *
   * @param id its own, which no other table of that name has had
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
   * Some rows of a table.
   *
   * @param next where the next page begins; empty after the last
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

  /** Begins to make the target as the source was then; it is there at once, and active later. */
  void restore(String source, String target, Instant at);

  /** The attribute by which rows expire. */
  Optional<String> expiry(String table);

  Map<String, String> tags(Description table);

  /** Whether the table has a policy of its own. */
  boolean hasPolicy(Description table);

  /** Begins to stream new and old images. */
  void stream(String table);

  void protectFromDeletion(String table);

  /**
   * Has the table be restorable from now on.
   *
   * @return false if it is too early, so that it has to be asked again
   */
  boolean makeRestorable(String table);

  void expireBy(String table, String attribute);

  void tag(Description table, Map<String, String> tags);

  void putPolicy(Description table, String policy);

  /** Rows of the table, in its own order, read consistently. */
  Page scan(String table, Map<String, AttributeValue> from);

  /** Those rows of the keys, up to a hundred, that are there, read consistently. */
  List<Map<String, AttributeValue>> get(String table, List<Map<String, AttributeValue>> keys);
}
