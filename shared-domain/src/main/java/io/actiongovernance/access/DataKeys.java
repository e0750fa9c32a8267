package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.absent;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys that seal stored data, one for each tenant, mode and purpose. Only a {@link KeyService}
 * creates and opens them. A key is stored wrapped; it is written once and never changed. If several
 * are created concurrently, one is stored and all processes use it.
 *
 * <p>An opened key is used for at most five minutes, and only the most recent ones are kept. So if
 * the service refuses to open keys for this process, the process soon has no keys. Thread-safe.
 */
public final class DataKeys {
  /** Maximum time for which an opened key is used. */
  static final Duration LIFE = Duration.ofMinutes(5);

  /** Maximum number of opened keys that are kept at once. */
  static final int MOST = 1_000;

  /** Suffix of the partition keys under which wrapped keys are stored. */
  public static final String PART = "data-key";

  private static final String WRAPPED = "wrapped";

  private final Store store;
  private final KeyService service;
  private final boolean seal;
  private final InstantSource clock;

  /** Opened keys, in the order in which they were opened, oldest first. Guarded by itself. */
  private final Map<Key, Opened> opened = new LinkedHashMap<>();

  private record Opened(SealingKey key, Instant at) {
    boolean serves(Instant now) {
      return !now.isBefore(at) && now.isBefore(at.plus(LIFE));
    }
  }

  /**
   * @param seal whether to seal under these keys or only open; all readers must be able to open
   *     before any process seals
   */
  public DataKeys(Store store, KeyService service, boolean seal, InstantSource clock) {
    this.store = store;
    this.service = service;
    this.seal = seal;
    this.clock = clock;
  }

  boolean seal() {
    return seal;
  }

  /**
   * Returns the key, and creates it if there is none yet.
   *
   * @throws StoreUnavailable if it cannot be read or created at the moment
   */
  SealingKey obtain(Partition partition, Purpose purpose) {
    Optional<SealingKey> found = find(partition, purpose);
    if (found.isPresent()) {
      return found.get();
    }
    KeyService.Made made = service.make(context(partition, purpose));
    Key row = row(partition, purpose);
    Item item = Item.at(row).with(WRAPPED, made.wrapped()).build();
    if (store.write(Write.put(item, absent())).done()) {
      return kept(row, key(made.plain(), purpose));
    }
    return find(partition, purpose)
        .orElseThrow(
            () -> new StoreUnavailable("A data key that was just stored is missing.", null));
  }

  /**
   * Returns the key, if there is one.
   *
   * @throws StoreUnavailable if it cannot be read at the moment
   */
  Optional<SealingKey> find(Partition partition, Purpose purpose) {
    Key row = row(partition, purpose);
    Optional<SealingKey> known = known(row);
    return known.isPresent()
        ? known
        : store
            .get(row)
            .map(item -> service.unwrap(item.text(WRAPPED), context(partition, purpose)))
            .map(plain -> kept(row, key(plain, purpose)));
  }

  private static SealingKey key(byte[] plain, Purpose purpose) {
    return SealingKey.derived(plain, Sealer.FORM_OF_DATA_KEYS + purpose.letter());
  }

  private Optional<SealingKey> known(Key row) {
    Instant now = clock.instant();
    synchronized (opened) {
      opened.values().removeIf(one -> !one.serves(now));
      return Optional.ofNullable(opened.get(row)).map(Opened::key);
    }
  }

  private SealingKey kept(Key row, SealingKey key) {
    synchronized (opened) {
      opened.remove(row);
      opened.put(row, new Opened(key, clock.instant()));
      Iterator<Key> oldestFirst = opened.keySet().iterator();
      while (opened.size() > MOST) {
        oldestFirst.next();
        oldestFirst.remove();
      }
    }
    return key;
  }

  private static Key row(Partition partition, Purpose purpose) {
    return new Key(Table.STATE, partition.key(PART), purpose.wire());
  }

  /** Returns the context that the service binds the key to, and shows in its log of requests. */
  private static Map<String, String> context(Partition partition, Purpose purpose) {
    return Map.of(
        "tenant", partition.tenant().value(),
        "mode", partition.mode().wire(),
        "purpose", purpose.wire());
  }
}
