package io.actiongovernance.result;

import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.util.Optional;

/**
 * Where results are kept that no item can hold. A file ends by itself, not before the item that
 * names it. Implementations are thread-safe.
 */
public interface ResultFiles {
  /**
   * Puts a file in the place of the one of the same name, if there is one.
   *
   * @param within how long that may take
   * @throws StoreUnavailable if it may not be there
   */
  void put(String name, String text, Duration within);

  /**
   * The text of a file that is there.
   *
   * @throws StoreUnavailable if nobody can say
   */
  Optional<String> get(String name);
}
