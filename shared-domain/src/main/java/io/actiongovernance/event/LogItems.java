package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Items of the log's positions. They are small, because the indexes hold them whole. An entry names
 * its event and repeats the fields by which lists filter; a tombstone names nothing.
 */
final class LogItems {
  static final String BY_TYPE = "by_type";
  static final String BY_SOURCE = "by_source";
  static final String BY_WORKSPACE = "by_workspace";
  static final String BY_ENTITY = "by_entity";

  private static final String EVENT = "event";
  private static final String AT = "at";

  private LogItems() {}

  static String partition(Log log) {
    return log.key("");
  }

  /**
   * Returns the key of a position. Its digits are padded, so that the order of text is the order of
   * numbers.
   */
  static Key key(Log log, long position) {
    return new Key(Table.EVENTS, partition(log), range(position));
  }

  static String range(long position) {
    return String.format(Locale.ROOT, "%019d", position);
  }

  static long position(Item item) {
    return Long.parseLong(item.key().range());
  }

  static Instant at(Item item) {
    return Instant.ofEpochMilli(item.whole(AT, 0));
  }

  static LogHead.Taken taken(Item item) {
    return new LogHead.Taken(position(item), at(item), OutcomePosition.of(item));
  }

  /** Returns an index's hash attribute. An entity key may be too long, so it is hashed. */
  static String index(Partition partition, String index, String value) {
    return partition.key(index)
        + "#"
        + (index.equals(BY_ENTITY) ? CanonicalJson.sha256(value) : value);
  }

  static Item entry(Log log, LogEntry entry) {
    Partition partition = log.partition();
    String entity = entry.entity();
    Item.Builder item =
        Item.at(key(log, entry.position()))
            .with(EVENT, entry.eventId().value())
            .with(AT, entry.at().toEpochMilli())
            .with("entity", entity)
            .with("event_type", entry.eventType())
            .with("source", entry.source())
            .with("workspace_id", entry.workspaceId())
            .with("created_at", entry.createdAt().toEpochMilli())
            .with("bytes", entry.bytes())
            .with(Table.EXPIRES, expires(entry.createdAt()));
    if (entity != null) {
      return item.with(BY_ENTITY, index(partition, BY_ENTITY, entity)).build();
    }
    String workspace = entry.workspaceId();
    return item.with(BY_TYPE, index(partition, BY_TYPE, entry.eventType()))
        .with(BY_SOURCE, index(partition, BY_SOURCE, entry.source()))
        .with(BY_WORKSPACE, workspace == null ? null : index(partition, BY_WORKSPACE, workspace))
        .build();
  }

  static Item tombstone(Log log, long position, Instant at) {
    return tombstone(log, position, at, OutcomePosition.NONE);
  }

  /**
   * @param stand the place among the other logs; no earlier than that of the position before, and
   *     no later than that of the next position
   */
  static Item tombstone(Log log, long position, Instant at, OutcomePosition stand) {
    Item.Builder item =
        Item.at(key(log, position)).with(AT, at.toEpochMilli()).with(Table.EXPIRES, expires(at));
    stand.put(item);
    return item.build();
  }

  /** Returns the content of the position; empty for a tombstone. */
  static Optional<LogEntry> entry(Item item) {
    @Nullable String event = item.textOrNull(EVENT);
    return event == null
        ? Optional.empty()
        : Optional.of(
            new LogEntry(
                position(item),
                at(item),
                item.textOrNull("entity"),
                new EventId(event),
                item.text("event_type"),
                item.text("source"),
                item.textOrNull("workspace_id"),
                Instant.ofEpochMilli(item.whole("created_at", 0)),
                item.whole("bytes", 0)));
  }

  /** Returns the Unix second after which an item made at this instant may be deleted. */
  static long expires(Instant made) {
    return made.plus(Event.RETENTION).getEpochSecond();
  }
}
