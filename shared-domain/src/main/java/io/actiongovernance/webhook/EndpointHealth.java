package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EndpointId;
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
 * How the attempts to reach an endpoint went, apart from the endpoint itself, since it changes with
 * each of them. Thread-safe.
 */
public final class EndpointHealth {
  private static final String LAST = "last_delivery";
  private static final String SINCE = "failing_since";
  private static final String FAILURES = "failures";

  /** Failed attempts in a row after which an endpoint is handled as one that fails. */
  private static final int FAILING = 3;

  private final Store store;

  public EndpointHealth(Store store) {
    this.store = store;
  }

  /**
   * How it stands with an endpoint.
   *
   * @param lastDeliveryAt of the most recent attempt, whatever came of it
   * @param failingSince of the first failed attempt since the last that succeeded
   * @param failures the failed attempts since then
   */
  public record Health(
      @Nullable Instant lastDeliveryAt, @Nullable Instant failingSince, long failures) {
    static final Health UNKNOWN = new Health(null, null, 0);

    /** The same once its failures are forgotten. */
    Health anew() {
      return new Health(lastDeliveryAt, null, 0);
    }

    /** Whether its deliveries are to be expected to fail, and to take their time. */
    boolean failing() {
      return failures >= FAILING;
    }
  }

  public Health of(Endpoint endpoint) {
    return of(endpoint.partition(), endpoint.id());
  }

  Health of(Partition partition, EndpointId id) {
    return store.get(key(partition, id)).map(EndpointHealth::read).orElse(Health.UNKNOWN);
  }

  /** The same of several. */
  public Map<EndpointId, Health> ofAll(List<Endpoint> endpoints) {
    Map<EndpointId, Health> all = new HashMap<>();
    endpoints.forEach(endpoint -> all.put(endpoint.id(), Health.UNKNOWN));
    List<Key> keys = endpoints.stream().map(each -> key(each.partition(), each.id())).toList();
    store.getAll(keys).forEach(item -> all.put(new EndpointId(item.key().range()), read(item)));
    return all;
  }

  /** An attempt succeeded. */
  void succeeded(Endpoint endpoint, Instant at) {
    write(
        endpoint,
        Change.set(LAST, at.toEpochMilli()),
        Change.remove(SINCE),
        Change.remove(FAILURES));
  }

  /** An attempt failed; answers with how it now stands. */
  Health failed(Endpoint endpoint, Instant at) {
    Health health = write(endpoint, Change.set(LAST, at.toEpochMilli()), Change.add(FAILURES, 1));
    if (health.failingSince() != null) {
      return health;
    }
    // Refused when another attempt was first to say so.
    store.write(
        Write.update(
            key(endpoint.partition(), endpoint.id()),
            Condition.lacks(SINCE),
            Change.set(SINCE, at.toEpochMilli())));
    return new Health(at, at, health.failures());
  }

  /** Begins anew. */
  void forget(Endpoint endpoint) {
    store.write(
        Write.update(
            key(endpoint.partition(), endpoint.id()),
            Condition.present(),
            Change.remove(SINCE),
            Change.remove(FAILURES)));
  }

  /** The endpoint is gone. */
  void delete(Endpoint endpoint) {
    store.write(Write.delete(key(endpoint.partition(), endpoint.id()), Condition.always()));
  }

  private Health write(Endpoint endpoint, Change... changes) {
    Write write =
        Write.update(key(endpoint.partition(), endpoint.id()), Condition.always(), changes);
    return switch (store.write(write)) {
      case Store.Written.Done(Optional<Item> after) -> read(after.orElseThrow());
      case Store.Written.Refused _ -> throw new IllegalStateException("Nothing was asked.");
    };
  }

  private static Health read(Item item) {
    return new Health(
        instantOrNull(item, LAST), instantOrNull(item, SINCE), item.whole(FAILURES, 0));
  }

  private static @Nullable Instant instantOrNull(Item item, String name) {
    return item.has(name) ? Instant.ofEpochMilli(item.whole(name, 0)) : null;
  }

  private static Key key(Partition partition, EndpointId id) {
    return new Key(Table.LIMITS, partition.key("webhook-health"), id.value());
  }
}
