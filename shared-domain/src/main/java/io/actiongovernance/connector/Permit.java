package io.actiongovernance.connector;

/**
 * Permission for the requests of a call. A check before the call is prepared differs from one right
 * before the first byte. Only the latter begins the call; a failure before it is not an outcome of
 * the call. Thread-safe: any thread may ask.
 */
@FunctionalInterface
public interface Permit {
  /** Returns whether a request may be made now. Asking does not begin the call. */
  boolean stands();

  /**
   * Returns whether a request that causes the effect may be made; asked right before its first byte
   * leaves. If the answer is yes, the call has begun.
   */
  default boolean begins() {
    return stands();
  }
}
