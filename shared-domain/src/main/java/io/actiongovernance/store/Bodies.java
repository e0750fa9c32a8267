package io.actiongovernance.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cache of parsed items. An entry is valid as long as its item has the same version. The cache is
 * bounded, and removes the least recently used entry first. Thread-safe.
 *
 * @param <V> distinguishes the versions of an item: a number of its content, or the item itself
 * @param <T> the parsed form; immutable
 */
public final class Bodies<V, T> {
  /** Maximum size in bytes of the unpacked texts; the parsed forms may take several times that. */
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private final Map<Key, Body<V, T>> bodies = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Body<V, T>(V version, T body, long bytes) {}

  public synchronized Optional<T> find(Key key, V version) {
    return Optional.ofNullable(bodies.get(key))
        .filter(known -> known.version().equals(version))
        .map(Body::body);
  }

  public synchronized void keep(Item item, V version, T body) {
    Body<V, T> next = new Body<>(version, body, ItemSize.unpacked(item));
    Body<V, T> before = bodies.put(item.key(), next);
    bytes += next.bytes() - (before == null ? 0 : before.bytes());
    Iterator<Body<V, T>> oldest = bodies.values().iterator();
    while (bytes > MOST_BYTES && oldest.hasNext()) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }
}
