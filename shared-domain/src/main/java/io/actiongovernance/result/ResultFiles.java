package io.actiongovernance.result;

import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.util.Optional;

/**
 * Storage for results that are too long for an item. A file expires, but not before the item that
 * names it. Implementations are thread-safe.
 */
public interface ResultFiles {
  /**
   * Stores a file, replacing any file with the same name.
   *
   * @param within maximum duration
   * @throws StoreUnavailable if the file may be missing
   */
  void put(String name, String text, Duration within);

  /**
   * Returns the text of a file, if it exists.
   *
   * @throws StoreUnavailable if that cannot be determined
   */
  Optional<String> get(String name);
}
