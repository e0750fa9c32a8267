package io.actiongovernance.proposer;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import io.actiongovernance.store.Key;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was read last of operators, or of connectors: good for as long as the roster of their
 * partition names the same content. Bounded; what was not asked for longest goes first.
 * Thread-safe.
 */
final class Bodies<T> {
  /** As stored; read, they may take several times that. */
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private final Map<Key, Body<T>> bodies = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Body<T>(long content, T body, long bytes) {}

  /** The body of this content, if it is known. */
  synchronized Optional<T> find(Key key, long content) {
    return Optional.ofNullable(bodies.get(key))
        .filter(known -> known.content() == content)
        .map(Body::body);
  }

  /**
   * Keeps what was read of an item.
   *
   * @param content of the item, as it says itself
   */
  synchronized void keep(Item item, long content, T body) {
    Body<T> next = new Body<>(content, body, ItemSize.of(item));
    Body<T> before = bodies.put(item.key(), next);
    bytes += next.bytes() - (before == null ? 0 : before.bytes());
    Iterator<Body<T>> oldest = bodies.values().iterator();
    while (bytes > MOST_BYTES && oldest.hasNext()) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }
}
