package io.actiongovernance.store;

/**
 * The store, or what keeps queues, timers or files of the work that it holds, did not answer, or
 * said that it cannot now. A write that ended so may or may not have happened.
 */
public final class StoreUnavailable extends RuntimeException {
  public StoreUnavailable(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
  }
}
