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
 * Index of the items of {@link Table#STATE} that must be examined when they become due. Each item
 * is in one of {@value #SHARDS} shards, in the order of {@code minute#tenant#mode#second#id}. A
 * tenant's items that become due in the same minute are therefore adjacent, and a reader of a shard
 * can postpone the rest of them in one step. Immutable.
 */
public enum DueIndex {
  /** Work that the kernel repeats: plans, undos, exports, and entities that are settling. */
  STEPS("due"),
  DELIVERIES("due-delivery"),
  SCHEDULES("schedule");

  /**
   * Number of shards of each index. A shard is one key, which takes 1,000 writes a second, so an
   * index takes 64,000.
   */
  public static final int SHARDS = 64;

  private static final String SHARD = "due_shard";
  private static final String DUE = "due";

  /** Length of a timestamp up to and including its minute: {@code 2026-11-20T21:44}. */
  private static final int MINUTE = 16;

  /** Length of the rest, without the {@code Z}: {@code 07.412}. */
  private static final int SECOND = 6;

  private final String part;

  DueIndex(String part) {
    this.part = part;
  }

  /** Makes a new item due at an instant. */
  public Item.Builder enter(Item.Builder item, Partition partition, String id, Instant at) {
    return item.with(SHARD, shardOf(id)).with(DUE, text(partition, id, at));
  }

  /** Returns the changes that make an item due that was not due before. */
  public List<Change> enter(Partition partition, String id, Instant at) {
    return List.of(Change.set(SHARD, shardOf(id)), move(partition, id, at));
  }

  /** Returns the change that makes an item due at another instant. */
  public static Change move(Partition partition, String id, Instant at) {
    return Change.set(DUE, text(partition, id, at));
  }

  /** Returns the changes that remove an item from its index. */
  public static List<Change> leave() {
    return List.of(Change.remove(SHARD), Change.remove(DUE));
  }

  /** Returns whether an item is due at some time. */
  public static boolean isIn(Item item) {
    return item.has(DUE);
  }

  /** Returns the condition that an item is due at some time. */
  public static Condition somewhere() {
    return Condition.has(DUE);
  }

  /**
   * Returns the condition that an item has not moved since it was read, so that only one of several
   * sweeps moves it.
   */
  public static Condition unmoved(Item item) {
    return Condition.equal(DUE, item.text(DUE));
  }

  public static Instant at(Item item) {
    return Place.of(item).at();
  }

  /** Returns the query for all items of a shard, whenever they are due. */
  public Query all(int shard) {
    return Query.of(Table.STATE, SHARD, key(shard));
  }

  /**
   * Returns the query for the items of a shard that are due by the end of an instant's minute,
   * earliest minute first.
   */
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
   * Place of an item in its shard.
   *
   * @param group the minute, tenant and mode
   * @param partition the tenant and mode
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

    /** Returns the lower bound of the places after this one. */
    String next() {
      return text + "$";
    }

    /** Returns the lower bound of the places after this group. */
    String end() {
      return group + "~";
    }
  }
}
