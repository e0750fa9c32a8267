package io.actiongovernance.functions.settings;

/**
 * The memory of deployed functions, which determines the price of their seconds. No other code
 * specifies it.
 */
public enum Memory {
  /**
   * For functions that pass on the results of others, and that nobody waits for. They mostly wait
   * for the bus, the tables and the queues, and the price of waiting depends on the memory. Their
   * own work, a few milliseconds, takes three times as long as with a whole processor. Such a
   * function uses 150 to 230 MB, and an event has at most 6 MB.
   */
  PASSING_ON(512),

  /**
   * Enough memory for every function. It is for background work, and for requests that wait for
   * such work. These functions wait for tables, models and source systems longer than they work.
   * Signing, encryption and verification take tens of milliseconds, which is only a little longer
   * for an approver, the only person who waits for them.
   */
  SMALL(1024),

  /**
   * The least memory for which Lambda grants a whole processor. It is for other requests, because a
   * client waits and a start is mostly processor work. It is also for exports, whose work grows
   * with the ledger and must end within a function's time limit.
   */
  WHOLE_PROCESSOR(1769);

  private final int megabytes;

  Memory(int megabytes) {
    this.megabytes = megabytes;
  }

  public int megabytes() {
    return megabytes;
  }

  /** The memory in gigabytes, the unit in which a function's seconds are billed. */
  public double gigabytes() {
    return megabytes / 1024.0;
  }
}
