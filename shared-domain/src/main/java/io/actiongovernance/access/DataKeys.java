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
 * The keys under which what is stored is sealed: one for each tenant, mode and purpose, which a
 * {@link KeyService} makes and alone can open. It is stored wrapped, written once and never
 * changed; of several that are made at once one is stored, and all use that.
 *
 * <p>An opened key is used for five minutes at the most, and few are kept, the last ones: so whom
 * the service no longer opens keys for is without them soon. Thread-safe.
 */
public final class DataKeys {
  /** How long an opened key is used. */
  static final Duration LIFE = Duration.ofMinutes(5);

  /** How many are kept opened at once. */
  static final int MOST = 1_000;

  /** What the partition keys of the stored ones end with. */
  public static final String PART = "data-key";

  private static final String WRAPPED = "wrapped";

  private final Store store;
  private final KeyService service;
  private final boolean seal;
  private final InstantSource clock;

  /** By when they were opened, the oldest first. Guarded by itself. */
  private final Map<Key, Opened> opened = new LinkedHashMap<>();

  private record Opened(SealingKey key, Instant at) {
    boolean serves(Instant now) {
      return !now.isBefore(at) && now.isBefore(at.plus(LIFE));
    }
  }

  /**
   * @param seal whether anything is sealed under them, or only opened: that all who read must be
   *     able to first
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
   * The key; made, if there is none yet.
   *
   * @throws StoreUnavailable if that cannot be said, or done, at the moment
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
        .orElseThrow(() -> new StoreUnavailable("A data key is gone that was just there.", null));
  }

  /**
   * The key, if there is one.
   *
   * @throws StoreUnavailable if that cannot be said at the moment
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

  /** What the service binds it to, and shows in its log of who asked. */
  private static Map<String, String> context(Partition partition, Purpose purpose) {
    return Map.of(
        "tenant", partition.tenant().value(),
        "mode", partition.mode().wire(),
        "purpose", purpose.wire());
  }
}
