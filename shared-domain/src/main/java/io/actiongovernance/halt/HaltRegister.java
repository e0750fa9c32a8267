package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Halts of a partition as the kernel reads them. One small item lists the halts in force, one for
 * each target, so that one consistent read covers every scope. Lifted halts are kept in the order
 * in which they were lifted, so that a plan's frozen time can be computed at any time. A halt state
 * that cannot be read counts as halted. Thread-safe.
 */
public final class HaltRegister {
  /**
   * Time between writing a halt and answering its request. A reader that did not see the halt has
   * made its call within this time.
   */
  public static final Duration SETTLES = Duration.ofSeconds(1);

  /**
   * Maximum number of targets, besides the tenant, that may be halted at once in a partition. It
   * keeps the register one small item, with some hundred bytes for each halt.
   */
  static final int MOST_IN_FORCE = 500;

  /** Prefix of the attributes that each name a halt; the target follows. */
  private static final String IN_FORCE = "in_force:";

  private static final String LAST_LIFT = "last_lift";

  private final Store store;
  private final InstantSource clock;

  public HaltRegister(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  public record InForce(HaltId id, Target target, Instant from) {}

  /**
   * State of the register at one instant.
   *
   * @param inForce the halts in force, oldest first
   * @param readable false if the stored state cannot be understood; everything then counts as
   *     halted
   * @param lastLift approximate time of the last lift; null if none
   */
  public record State(List<InForce> inForce, boolean readable, @Nullable Instant lastLift) {
    Optional<InForce> of(Target target) {
      return inForce.stream().filter(halt -> halt.target().equals(target)).findFirst();
    }

    /** Returns whether only the tenant can still be halted. */
    boolean full() {
      return inForce.stream().filter(halt -> halt.target().scope() != HaltScope.TENANT).count()
          >= MOST_IN_FORCE;
    }

    /**
     * Returns the stop of calls that the operator proposed for any of the connectors; empty if
     * none.
     */
    public Optional<Stop> covering(OperatorId operator, Set<ConnectorId> connectors) {
      if (!readable) {
        return Optional.of(new Stop(null));
      }
      return inForce.stream()
          .filter(halt -> halt.target().covers(operator, connectors))
          .findFirst()
          .map(halt -> new Stop(halt.id()));
    }
  }

  /**
   * Stop of a call.
   *
   * @param halt the oldest halt that covers it; null if the halt state cannot be read
   */
  public record Stop(@Nullable HaltId halt) {}

  record Ended(Target target, Instant from, Instant until) {}

  /**
   * Returns the stop of the operator's calls to any of the connectors, read consistently; empty if
   * none.
   */
  public Optional<Stop> covering(
      Partition partition, OperatorId operator, Set<ConnectorId> connectors) {
    return read(partition).covering(operator, connectors);
  }

  /** Returns the computation of frozen time from the halts in force now. */
  public Freezes freezes(Partition partition) {
    return freezes(partition, read(partition));
  }

  /** Returns the computation of frozen time from a register that was just read. */
  public Freezes freezes(Partition partition, State state) {
    return new Freezes(this, partition, state, clock.instant());
  }

  /** Reads the register consistently. */
  public State read(Partition partition) {
    return read(store.get(key(partition)));
  }

  /** Returns the register from the item read under its {@link #key}, if it exists. */
  public static State read(Optional<Item> item) {
    if (item.isEmpty()) {
      return new State(List.of(), true, null);
    }
    List<InForce> inForce = new ArrayList<>();
    try {
      for (String name : item.get().attributes().keySet()) {
        if (name.startsWith(IN_FORCE)) {
          inForce.add(parse(item.get().text(name)));
        }
      }
      inForce.sort(Comparator.comparing(halt -> halt.id().value()));
      String lastLift = item.get().textOrNull(LAST_LIFT);
      return new State(inForce, true, lastLift == null ? null : Timestamps.read(lastLift));
    } catch (RuntimeException e) {
      // A register that cannot be understood may contain any halt.
      return new State(List.of(), false, null);
    }
  }

  /** Returns the halts that were lifted after the instant, read consistently. */
  List<Ended> endedSince(Partition partition, Instant since) {
    List<Ended> ended = new ArrayList<>();
    String from = Timestamps.format(since);
    boolean more = true;
    while (more) {
      Slice slice = store.query(Query.of(Table.STATE, endedPartition(partition)).from(from));
      for (Item item : slice.items()) {
        ended.add(
            new Ended(
                target(item.text("scope"), item.textOrNull("target")),
                Timestamps.read(item.text("from")),
                Timestamps.read(item.text("until"))));
        from = item.key().range() + "$";
      }
      more = slice.more();
    }
    return ended;
  }

  /** Returns the write that puts a halt in force; refused if its target is already halted. */
  static Write enter(Halt halt) {
    String name = name(halt.target());
    return Write.update(
        key(halt.partition()),
        Condition.lacks(name),
        Change.set(name, entry(halt)),
        Change.add("version", 1));
  }

  /** Returns the write that takes a halt out of force. */
  static Write leave(Halt halt, Instant liftedAt) {
    String name = name(halt.target());
    return Write.update(
        key(halt.partition()),
        Condition.equal(name, entry(halt)),
        Change.remove(name),
        Change.set(LAST_LIFT, Timestamps.format(liftedAt)),
        Change.add("version", 1));
  }

  /** Returns the write that keeps the interval of a lifted halt. */
  static Write keep(Halt halt, Instant liftedAt) {
    Target target = halt.target();
    return Write.insert(
        Item.at(
                new Key(
                    Table.STATE,
                    endedPartition(halt.partition()),
                    Timestamps.format(liftedAt) + "#" + halt.id()))
            .with("scope", target.scope().wire())
            .with("target", target.id())
            .with("from", Timestamps.format(halt.haltedAt()))
            .with("until", Timestamps.format(liftedAt))
            .build());
  }

  private static String name(Target target) {
    String id = target.id();
    return IN_FORCE + (id == null ? target.scope().wire() : id);
  }

  private static String entry(Halt halt) {
    String id = halt.target().id();
    return String.join(
        "|",
        halt.id().value(),
        halt.target().scope().wire(),
        id == null ? "" : id,
        Timestamps.format(halt.haltedAt()));
  }

  private static InForce parse(String entry) {
    String[] parts = entry.split("\\|", -1);
    return new InForce(
        new HaltId(parts[0]),
        target(parts[1], parts[2].isEmpty() ? null : parts[2]),
        Timestamps.read(parts[3]));
  }

  private static Target target(String scope, @Nullable String id) {
    return new Target(HaltScope.parse(scope).orElseThrow(), id);
  }

  /** Returns the register's key, for callers that read it along with other items. */
  public static Key key(Partition partition) {
    return Key.single(Table.STATE, partition.key("halts"));
  }

  private static String endedPartition(Partition partition) {
    return partition.key("halt-ended");
  }
}
