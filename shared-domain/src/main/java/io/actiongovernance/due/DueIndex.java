package io.actiongovernance.due;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.List;

/**
 * Where an item of {@link Table#STATE} stands that is to be looked at by itself once its time has
 * come: in one of {@value #SHARDS} shards of the index of what is due, in the order of {@code
 * minute#tenant#mode#second#id}. So what one tenant has due in a minute is side by side, and who
 * reads a shard can leave the rest of it for later in one step. Immutable.
 */
public enum DueIndex {
  /** What the kernel redoes: plans, undos, exports, entities that settle. */
  STEPS("due"),
  /** Attempts of webhook deliveries. */
  DELIVERIES("due-delivery"),
  /** Runs of operators that have a schedule. */
  SCHEDULES("schedule");

  /** The shards of each. What one key takes, 1,000 writes a second, all of them take together. */
  public static final int SHARDS = 64;

  private static final String SHARD = "due_shard";
  private static final String DUE = "due";

  /** How much of a timestamp is its minute: {@code 2026-11-20T21:44}. */
  private static final int MINUTE = 16;

  /** How much of it is the rest, but for the {@code Z}: {@code 07.412}. */
  private static final int SECOND = 6;

  private final String part;

  DueIndex(String part) {
    this.part = part;
  }

  /** Has a new item be due at an instant. */
  public Item.Builder enter(Item.Builder item, Partition partition, String id, Instant at) {
    return item.with(SHARD, shardOf(id)).with(DUE, text(partition, id, at));
  }

  /** The changes by which an item that was not due is to be. */
  public List<Change> enter(Partition partition, String id, Instant at) {
    return List.of(Change.set(SHARD, shardOf(id)), move(partition, id, at));
  }

  /** The change by which an item is due at another instant. */
  public static Change move(Partition partition, String id, Instant at) {
    return Change.set(DUE, text(partition, id, at));
  }

  /** The changes by which an item is due no more. */
  public static List<Change> leave() {
    return List.of(Change.remove(SHARD), Change.remove(DUE));
  }

  /** Whether an item is due at some time. */
  public static boolean isIn(Item item) {
    return item.has(DUE);
  }

  /** The condition that an item is due at some time. */
  public static Condition somewhere() {
    return Condition.has(DUE);
  }

  /** The condition that an item is where it was when it was read: one sweep of several moves it. */
  public static Condition unmoved(Item item) {
    return Condition.equal(DUE, item.text(DUE));
  }

  /** When an item is due. */
  public static Instant at(Item item) {
    return Place.of(item).at();
  }

  /** All of a shard, whenever it is due. */
  public Query all(int shard) {
    return Query.of(Table.STATE, SHARD, key(shard));
  }

  /** What of a shard is due by the end of the minute of an instant, earliest minute first. */
  Query by(int shard, Instant now) {
    return Query.of(Table.STATE, SHARD, key(shard)).below(minute(Timestamps.format(now)) + "#~");
  }

  private String shardOf(String id) {
    return key(Math.floorMod(id.hashCode(), SHARDS));
  }

  private String key(int shard) {
    return part + "#" + shard;
  }

  private static String text(Partition partition, String id, Instant at) {
    String time = Timestamps.format(at);
    return minute(time)
        + "#"
        + partition.key()
        + "#"
        + time.substring(MINUTE + 1, time.length() - 1)
        + "#"
        + id;
  }

  private static String minute(String time) {
    return time.substring(0, MINUTE);
  }

  /**
   * An item's place in its shard.
   *
   * @param group the minute, and whose it is
   * @param partition whose it is
   */
  record Place(String text, String group, String partition, Instant at) {
    static Place of(Item item) {
      String text = item.text(DUE);
      int mode = text.indexOf('#', MINUTE + 1);
      int end = text.indexOf('#', mode + 1);
      String second = text.substring(end + 1, end + 1 + SECOND);
      return new Place(
          text,
          text.substring(0, end + 1),
          text.substring(MINUTE + 1, end),
          Timestamps.read(minute(text) + ":" + second + "Z"));
    }

    /** What comes after it. */
    String next() {
      return text + "$";
    }

    /** What comes after all of its group. */
    String end() {
      return group + "~";
    }
  }
}
