package io.actiongovernance.store;

/**
 * The store did not answer, or reported that it cannot answer now. The same applies to the backend
 * of the queues, timers or files. A write that ended in this way may or may not have happened.
 */
public final class StoreUnavailable extends RuntimeException {
  public StoreUnavailable(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
