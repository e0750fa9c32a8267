package io.actiongovernance.store;

/**
 * The store, or the backend of the queues, timers or files of work that it holds, did not answer,
 * or reported that it cannot now. A write that ended this way may or may not have happened.
 */
public final class StoreUnavailable extends RuntimeException {
  public StoreUnavailable(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
