package io.actiongovernance.result;

import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.util.Optional;

/**
 * Storage for results that are too long for an item. A file expires by itself, but not before the
 * item that names it. Implementations are thread-safe.
 */
public interface ResultFiles {
  /**
   * Puts a file, replacing one of the same name.
   *
   * @param within longest time for it
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
