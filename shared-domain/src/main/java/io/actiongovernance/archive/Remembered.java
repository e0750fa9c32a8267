package io.actiongovernance.archive;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Remembers what never changes, those that were asked for last, up to a weight. Two that ask at
 * once may both have it made. Thread-safe.
 */
final class Remembered<K, V> {
  private final long most;
  private final ToLongFunction<V> weight;
  private final Map<K, V> values =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true); // the one asked for last is last
  private long weighs;

  /**
   * @param most what all of them may weigh; with 0, nothing is remembered
   */
  Remembered(long most, ToLongFunction<V> weight) {
    this.most = most;
    this.weight = weight;
  }

  /** What was made for the key, now or before. */
  V get(K key, Supplier<V> make) {
    synchronized (values) {
      V known = values.get(key);
      if (known != null) {
        return known;
      }
    }
    V made = make.get();
    keep(key, made);
    return made;
  }

  private void keep(K key, V made) {
    long more = weight.applyAsLong(made);
    if (more > most) {
      return;
    }
    synchronized (values) {
      V before = values.put(key, made);
      weighs += more - (before == null ? 0 : weight.applyAsLong(before));
      Iterator<V> eldest = values.values().iterator();
      while (weighs > most) {
        weighs -= weight.applyAsLong(eldest.next());
        eldest.remove();
      }
    }
  }
}
