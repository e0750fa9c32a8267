package io.actiongovernance.archive;

import java.util.List;
import java.util.Optional;

/**
 * Where the objects of the archive are: names and bytes, none of which who writes or reads here
 * ever deletes. What is put is there, whole, once the call has returned, for whoever asks after it;
 * and it stays readable where somebody else has hidden it, as a delete marker does, for as long as
 * a lock keeps what is beneath. Whatever cannot be done at the moment is {@link
 * io.actiongovernance.store.StoreUnavailable}; a put that threw may or may not have happened.
 * Implementations are thread-safe.
 */
public interface ArchiveObjects {
  /** How an object is there. */
  enum State {
    /** As it was put. */
    THERE,
    /** Somebody has hidden it; it can be read. */
    HIDDEN,
    /** It is known that there was one of that name, or that somebody deleted what never was. */
    GONE
  }

  /** A name, and how its object is there. */
  record Named(String name, State state) {}

  /** Puts an object whose name says its content: put again, it is the same. */
  void put(String name, byte[] content);

  /**
   * Puts an object unless there is one of that name.
   *
   * @return whether it is this one that is there
   */
  boolean putFirst(String name, byte[] content);

  /** What is under the name; what was put there first, if it is hidden; empty if nothing is. */
  Optional<byte[]> get(String name);

  /** All names that begin with this, in their order, with those that are hidden or gone. */
  List<Named> named(String prefix);

  /** Those of them under which there is something, hidden or not. */
  default List<String> list(String prefix) {
    return named(prefix).stream()
        .filter(one -> one.state() != State.GONE)
        .map(Named::name)
        .toList();
  }
}
