package io.actiongovernance.connector;

/**
 * Permission for the requests of a call. Checking before preparation differs from asking right
 * before the first byte: only the latter begins the call, and a failure before it is no outcome of
 * the call. Thread-safe: any thread may ask.
 */
@FunctionalInterface
public interface Permit {
  /** Returns whether a request may be made now. Asking begins nothing. */
  boolean stands();

  /**
   * Asks right before the first byte leaves, for a request that causes the effect. If the answer is
   * yes, the call has begun.
   */
  default boolean begins() {
    return stands();
  }
}
