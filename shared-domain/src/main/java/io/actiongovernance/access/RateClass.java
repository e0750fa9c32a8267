package io.actiongovernance.access;

import java.util.Locale;

/** The budgets of requests per minute (specification, Limits; contract, section 1). */
public enum RateClass {
  EVENTS(1000, 600),
  /** {@code POST /v1/events} alone. */
  INGEST(600, 600),
  OPERATORS(1000, 120),
  CONNECTORS(1000, 120),
  /** Actions and plans. */
  PLANS(1000, 120),
  RECEIPTS(1000, 60),
  MANAGEMENT(1000, 60);

  /** Reads per minute and tenant across all classes, unless the tenant was given another number. */
  public static final int GLOBAL_READS = 2000;

  /** The name under which a tenant's own global ceiling is set. */
  public static final String GLOBAL_LIMIT_NAME = "global.read";

  private final int reads;
  private final int writes;

  RateClass(int reads, int writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** Reads per minute, unless the tenant was given another number. */
  public int reads() {
    return reads;
  }

  /** Writes per minute, unless the tenant was given another number. */
  public int writes() {
    return writes;
  }

  /** The name under which a tenant's own limits are set: {@code plans.write}. */
  public String limitName(boolean read) {
    return name().toLowerCase(Locale.ROOT) + (read ? ".read" : ".write");
  }
}
