package io.actiongovernance.access;

import java.util.Locale;

/** The budgets of requests per minute (specification, Limits; contract, section 1). */
public enum RateClass {
  EVENTS(1000, 600),
  /** Only {@code POST /v1/events}. */
  INGEST(600, 600),
  OPERATORS(1000, 120),
  CONNECTORS(1000, 120),
  /** Actions and plans. */
  PLANS(1000, 120),
  /**
   * Only {@code POST …/plans}, so that no proposer delays approving, vetoing or undoing. Its writes
   * default to the tenant's of {@link #PLANS}.
   */
  PROPOSE(1000, 120),
  /** Messages of agents over the Model Context Protocol. */
  MCP(1000, 600),
  RECEIPTS(1000, 60),
  MANAGEMENT(1000, 60),
  /**
   * Trials that change nothing: analyze, simulate and every {@code test}. Its writes default to the
   * tenant's of {@link #OPERATORS}.
   */
  TRIAL(1000, 120),
  /**
   * The caller's identity and sign-ins. Each caller has its own bucket and draws on no ceiling, so
   * that nothing others do keeps a page from loading.
   */
  SELF(300, 60),
  /**
   * Stopping an agent or a key: halting, lifting, revoking. Each key has its own bucket and draws
   * on none of its tenant's, so that nothing others do can stand in the way.
   */
  SAFETY(60, 60);

  /** Reads per minute and tenant across all classes, unless the tenant has another number. */
  public static final int GLOBAL_READS = 2000;

  /** The name under which a tenant's own global ceiling is set. */
  public static final String GLOBAL_LIMIT_NAME = "global.read";

  /** Calls over the Model Context Protocol per minute and key, out of its tenant's. */
  public static final int CALLS_OF_A_CALLER = 120;

  /** Requests per minute and key that are refused for their scope. */
  public static final int REFUSALS = 60;

  private final int reads;
  private final int writes;

  RateClass(int reads, int writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** Reads per minute, unless the tenant has another number. */
  public int reads() {
    return reads;
  }

  /** Writes per minute, unless the tenant has another number. */
  public int writes() {
    return writes;
  }

  /** Returns whether its buckets are the tenant's, with numbers set at its creation. */
  public boolean isOfTenant() {
    return this != SAFETY && this != SELF;
  }

  /** Name under which a tenant's own limits are set: {@code plans.write}. */
  public String limitName(boolean read) {
    return name().toLowerCase(Locale.ROOT) + (read ? ".read" : ".write");
  }
}
