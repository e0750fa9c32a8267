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
 * The halts of a partition as the kernel reads them: one small item says which are in force, one
 * for each target, so that one consistent read covers every scope; those that were lifted are kept
 * in the order of their lift, so that a plan's frozen time can be computed at any time. Halt state
 * that cannot be read counts as halted. Thread-safe.
 */
public final class HaltRegister {
  /**
   * How long after it was written a halt is answered: whoever did not see it has made its call by
   * then.
   */
  public static final Duration SETTLES = Duration.ofSeconds(1);

  /**
   * Targets besides the tenant that may be halted at once in a partition: the register stays one
   * small item, of some hundred bytes for each.
   */
  static final int MOST_IN_FORCE = 500;

  /** What the attributes begin with that name a halt each; the target follows. */
  private static final String IN_FORCE = "in_force:";

  private static final String LAST_LIFT = "last_lift";

  private final Store store;
  private final InstantSource clock;

  public HaltRegister(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** A halt in force, and from when on it is. */
  public record InForce(HaltId id, Target target, Instant from) {}

  /**
   * The register at one instant.
   *
   * @param inForce oldest first
   * @param readable false if what is stored makes no sense: then everything counts as halted
   * @param lastLift about when a halt was last lifted, null if none ever was
   */
  public record State(List<InForce> inForce, boolean readable, @Nullable Instant lastLift) {
    /** The halt of this very target. */
    Optional<InForce> of(Target target) {
      return inForce.stream().filter(halt -> halt.target().equals(target)).findFirst();
    }

    /** Whether no other target than the tenant may be halted any more. */
    boolean full() {
      return inForce.stream().filter(halt -> halt.target().scope() != HaltScope.TENANT).count()
          >= MOST_IN_FORCE;
    }

    /** What stops calls that the operator proposed for any of the connectors. */
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
   * What stops a call.
   *
   * @param halt the oldest halt that covers it, null if the halt state cannot be read
   */
  public record Stop(@Nullable HaltId halt) {}

  /** A halt that was lifted. */
  record Ended(Target target, Instant from, Instant until) {}

  /** What stops calls that the operator proposed for any of the connectors, read consistently. */
  public Optional<Stop> covering(
      Partition partition, OperatorId operator, Set<ConnectorId> connectors) {
    return read(partition).covering(operator, connectors);
  }

  /** Computes what halts did to the time of plans, by the halts in force now. */
  public Freezes freezes(Partition partition) {
    return freezes(partition, read(partition));
  }

  /** The same by a register that was read just now. */
  public Freezes freezes(Partition partition, State state) {
    return new Freezes(this, partition, state, clock.instant());
  }

  /** The register now, read consistently. */
  public State read(Partition partition) {
    return read(store.get(key(partition)));
  }

  /** The register in the item that was read under its {@link #key}, if there is one. */
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
      // Whatever it is that cannot be understood may be a halt.
      return new State(List.of(), false, null);
    }
  }

  /** The halts that were lifted after the instant; read consistently. */
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

  /** The write that puts a halt in force, unless its target is halted. */
  static Write enter(Halt halt) {
    String name = name(halt.target());
    return Write.update(
        key(halt.partition()),
        Condition.lacks(name),
        Change.set(name, entry(halt)),
        Change.add("version", 1));
  }

  /** The write that takes it out of force. */
  static Write leave(Halt halt, Instant liftedAt) {
    String name = name(halt.target());
    return Write.update(
        key(halt.partition()),
        Condition.equal(name, entry(halt)),
        Change.remove(name),
        Change.set(LAST_LIFT, Timestamps.format(liftedAt)),
        Change.add("version", 1));
  }

  /** The write that keeps the interval of a lifted halt. */
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

  /** Where the register is kept, for those who read it along with other items. */
  public static Key key(Partition partition) {
    return Key.single(Table.STATE, partition.key("halts"));
  }

  private static String endedPartition(Partition partition) {
    return partition.key("halt-ended");
  }
}
