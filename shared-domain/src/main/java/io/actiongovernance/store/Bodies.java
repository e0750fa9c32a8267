package io.actiongovernance.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was read last of items: good for as long as the item is of the same version. Bounded; what
 * was not asked for longest goes first. Thread-safe.
 *
 * @param <V> what tells the versions of an item apart: a number of its content, or the item itself
 * @param <T> what is read of an item; immutable
 */
public final class Bodies<V, T> {
  /** Of their texts, unpacked; what is read of them may take several times that. */
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private final Map<Key, Body<V, T>> bodies = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Body<V, T>(V version, T body, long bytes) {}

  /** The body of this version, if it is known. */
  public synchronized Optional<T> find(Key key, V version) {
    return Optional.ofNullable(bodies.get(key))
        .filter(known -> known.version().equals(version))
        .map(Body::body);
  }

  /** Keeps what was read of an item. */
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
