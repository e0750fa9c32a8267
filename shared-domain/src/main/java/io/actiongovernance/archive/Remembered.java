package io.actiongovernance.archive;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Remembers what was asked for last, up to a weight. Thread-safe. */
final class Remembered<K, V> {
  private final long most;
  private final ToLongFunction<V> weight;
  private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private long weighs;

  /**
   * @param most what all of them may weigh; with 0, nothing is remembered
   */
  Remembered(long most, ToLongFunction<V> weight) {
    this.most = most;
    this.weight = weight;
  }

  Optional<V> get(K key) {
    synchronized (values) {
      return Optional.ofNullable(values.get(key));
    }
  }

  /** Remembers it, and forgets for it what nobody has asked for longest. */
  V put(K key, V value) {
    long more = weight.applyAsLong(value);
    if (more > most) {
      return value;
    }
    synchronized (values) {
      V before = values.put(key, value);
      weighs += more - (before == null ? 0 : weight.applyAsLong(before));
      Iterator<V> eldest = values.values().iterator();
      while (weighs > most) {
        weighs -= weight.applyAsLong(eldest.next());
        eldest.remove();
      }
    }
    return value;
  }
}
