package io.actiongovernance.result;

import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Files of results in memory, which may be out of reach. Thread-safe. */
public final class InMemoryResultFiles implements ResultFiles {
  public final Map<String, String> files = new ConcurrentHashMap<>();

  /** Whether nobody gets through to them. */
  public volatile boolean away;

  @Override
  public void put(String name, String text, Duration within) {
    if (away) {
      throw new StoreUnavailable("Away.", null);
    }
    files.put(name, text);
  }

  @Override
  public Optional<String> get(String name) {
    return Optional.ofNullable(files.get(name));
  }
}
