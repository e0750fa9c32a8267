package io.actiongovernance.functions.settings;

/**
 * The memory of deployed functions, by which their seconds are billed: the one place that says it.
 */
public enum Memory {
  /**
   * For what passes on what others did, and nobody waits for: it mostly waits itself, for the bus,
   * the tables and the queues, and a second of waiting costs by the memory. Its own work, a few
   * milliseconds, takes three times as long as with a whole processor. Such a function holds 150 to
   * 230 MB, and an event of at most 6 MB.
   */
  PASSING_ON(512),

  /**
   * Enough for everything there is; for what works in the background, and for requests that wait
   * for it. It waits for tables, models and other people's systems longer than it works, and what
   * it works (it signs, encrypts and judges) takes tens of milliseconds: little more for an
   * approver, the only one who waits for it.
   */
  SMALL(1024),

  /**
   * What Lambda gives a whole processor for: for other requests, since somebody waits and a start
   * is mostly work for one, and for exports, whose work is as long as the ledger and has to end
   * within a function's time.
   */
  WHOLE_PROCESSOR(1769);

  private final int megabytes;

  Memory(int megabytes) {
    this.megabytes = megabytes;
  }

  public int megabytes() {
    return megabytes;
  }

  /** What a second of a function counts as. */
  public double gigabytes() {
    return megabytes / 1024.0;
  }
}
