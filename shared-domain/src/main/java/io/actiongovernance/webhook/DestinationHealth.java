package io.actiongovernance.webhook;

import io.actiongovernance.id.DestinationId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Results of the attempts to reach a destination. They are stored apart from the destination,
 * because each attempt changes them. Thread-safe.
 */
public final class DestinationHealth {
  private static final String LAST = "last_delivery";
  private static final String SINCE = "failing_since";
  private static final String FAILURES = "failures";

  /** Number of consecutive failed attempts after which a destination counts as failing. */
  private static final int FAILING = 3;

  private final Store store;

  public DestinationHealth(Store store) {
    this.store = store;
  }

  /**
   * Health of a destination.
   *
   * @param lastDeliveryAt time of the most recent attempt, whatever its result
   * @param failingSince time of the first failed attempt after the last successful one
   * @param failures number of failed attempts since then
   */
  public record Health(
      @Nullable Instant lastDeliveryAt, @Nullable Instant failingSince, long failures) {
    public static final Health UNKNOWN = new Health(null, null, 0);

    /** Returns this health without its failures. */
    public Health anew() {
      return new Health(lastDeliveryAt, null, 0);
    }

    /** Returns whether its deliveries will probably fail, and take a long time. */
    boolean failing() {
      return failures >= FAILING;
    }
  }

  public Health of(Destination destination) {
    return store.get(key(destination)).map(DestinationHealth::read).orElse(Health.UNKNOWN);
  }

  public Map<DestinationId, Health> ofAll(List<Destination> destinations) {
    Map<DestinationId, Health> all = new HashMap<>();
    destinations.forEach(each -> all.put(each.id(), Health.UNKNOWN));
    List<Key> keys = destinations.stream().map(DestinationHealth::key).toList();
    store.getAll(keys).forEach(item -> all.put(DestinationId.of(item.key().range()), read(item)));
    return all;
  }

  void succeeded(Destination destination, Instant at) {
    write(
        destination,
        Change.set(LAST, at.toEpochMilli()),
        Change.remove(SINCE),
        Change.remove(FAILURES));
  }

  /** Records a failed attempt and returns the new health. */
  Health failed(Destination destination, Instant at) {
    Health health =
        write(destination, Change.set(LAST, at.toEpochMilli()), Change.add(FAILURES, 1));
    if (health.failingSince() != null) {
      return health;
    }
    // Refused if another attempt has already set it.
    store.write(
        Write.update(
            key(destination), Condition.lacks(SINCE), Change.set(SINCE, at.toEpochMilli())));
    return new Health(at, at, health.failures());
  }

  /** Resets the failures. */
  public void forget(Destination destination) {
    store.write(
        Write.update(
            key(destination), Condition.present(), Change.remove(SINCE), Change.remove(FAILURES)));
  }

  public void delete(Destination destination) {
    store.write(Write.delete(key(destination), Condition.always()));
  }

  private Health write(Destination destination, Change... changes) {
    Write write = Write.update(key(destination), Condition.always(), changes);
    return switch (store.write(write)) {
      case Store.Written.Done(Optional<Item> after) -> read(after.orElseThrow());
      case Store.Written.Refused _ ->
          throw new IllegalStateException("A write without a condition was refused.");
    };
  }

  private static Health read(Item item) {
    return new Health(
        instantOrNull(item, LAST), instantOrNull(item, SINCE), item.whole(FAILURES, 0));
  }

  private static @Nullable Instant instantOrNull(Item item, String name) {
    return item.has(name) ? Instant.ofEpochMilli(item.whole(name, 0)) : null;
  }

  private static Key key(Destination destination) {
    return new Key(
        Table.LIMITS, destination.partition().key("webhook-health"), destination.id().value());
  }
}
