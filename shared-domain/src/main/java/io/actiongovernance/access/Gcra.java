package io.actiongovernance.access;

/**
 * Token bucket by the generic cell rate algorithm (GCRA), stored as one arrival time: the
 * microsecond at which the bucket would be full again. Each token taken moves the arrival time on
 * by {@link #interval()}, up to {@code capacity} tokens ahead of now. With 60 a minute and a
 * capacity of 120, a full bucket admits 120 requests at once, and one more each second.
 *
 * <p>The interval is rounded up to a whole microsecond, so a bucket never refills faster than its
 * limit. Immutable.
 *
 * @param name the attribute that stores the arrival time
 * @param perMinute tokens refilled each minute
 * @param capacity the maximum number of tokens
 */
record Gcra(String name, int perMinute, int capacity) {
  /** Separates the name of a bucket from the name of the caller whose share of it is counted. */
  static final String SHARE = "#";

  private static final long MINUTE = 60_000_000;
  private static final long SECOND = 1_000_000;

  Gcra {
    if (perMinute < 1 || capacity < 1) {
      throw new IllegalArgumentException(
          "A bucket must have at least 1 a minute and a capacity of at least 1, not "
              + perMinute
              + " and "
              + capacity
              + ".");
    }
  }

  /** Returns the bucket of a class. Its capacity is twice the limit per minute. */
  static Gcra ofClass(String name, int perMinute) {
    return new Gcra(name, perMinute, 2 * perMinute);
  }

  /** Returns the bucket for one caller's share of this bucket. */
  Gcra share(Share share, String budget) {
    int rate = share == Share.HALF ? Math.max(1, perMinute / 2) : perMinute;
    return new Gcra(name + SHARE + budget, rate, Math.max(1, capacity / 2));
  }

  /**
   * Returns the bucket that all callers limited to half share together: three quarters of this
   * bucket.
   */
  Gcra ofAllShares() {
    return new Gcra(
        name + SHARE + "all", Math.max(1, perMinute * 3 / 4), Math.max(1, capacity * 3 / 4));
  }

  /** Microseconds until one token is refilled. */
  long interval() {
    return Math.ceilDiv(MINUTE, perMinute);
  }

  /** Returns the latest arrival time at which a token can still be taken. */
  long latest(long now) {
    return now + (capacity - 1) * interval();
  }

  boolean admits(long arrival, long now) {
    return arrival <= latest(now);
  }

  /** Returns whether the bucket is full, because its arrival time has passed. */
  static boolean full(long arrival, long now) {
    return arrival <= now;
  }

  /** Returns the number of whole tokens left. */
  long remaining(long arrival, long now) {
    return Math.max(
        0, Math.floorDiv(capacity * interval() - Math.max(0, arrival - now), interval()));
  }

  /**
   * Returns the Unix second at which the tokens left are back at {@code perMinute}, or at the
   * capacity if that is less.
   */
  long reset(long arrival, long now) {
    long back = arrival - Math.max(0, capacity - perMinute) * interval();
    return back <= now ? Math.floorDiv(now, SECOND) : Math.ceilDiv(back, SECOND);
  }

  /**
   * Returns the whole seconds, at least one, until a token is free if no other request takes it.
   */
  long retryAfter(long arrival, long now) {
    return Math.max(1, Math.ceilDiv(arrival - latest(now), SECOND));
  }
}
