package io.actiongovernance.archive;

import java.util.List;
import java.util.Optional;

/**
 * Where the objects of the archive are: names and bytes, nothing of which is ever deleted. What is
 * put is there, whole, once the call has returned, for whoever asks after it. Whatever cannot be
 * done at the moment is {@link io.actiongovernance.store.StoreUnavailable}; a put that threw may or
 * may not have happened. Implementations are thread-safe.
 */
public interface ArchiveObjects {
  /** Puts an object whose name says its content: put again, it is the same. */
  void put(String name, byte[] content);

  /**
   * Puts an object unless there is one of that name.
   *
   * @return whether it is this one that is there
   */
  boolean putFirst(String name, byte[] content);

  /** What is under the name; empty if nothing is. */
  Optional<byte[]> get(String name);

  /** All names that begin with this, in their order. */
  List<String> list(String prefix);
}
