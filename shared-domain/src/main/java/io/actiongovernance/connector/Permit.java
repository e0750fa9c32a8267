package io.actiongovernance.connector;

/**
 * Whether the requests of a call may be made. To ask before anything is prepared is one thing, to
 * be about to send the first byte another: only from then on the call has begun, and whatever fails
 * before is no outcome of it. Thread-safe: it is asked from whatever thread.
 */
@FunctionalInterface
public interface Permit {
  /** Whether a request may be made now. Asking begins nothing. */
  boolean stands();

  /**
   * The same for a request that asks for the effect, right before its first byte leaves. Where the
   * answer is yes the call has begun.
   */
  default boolean begins() {
    return stands();
  }
}
