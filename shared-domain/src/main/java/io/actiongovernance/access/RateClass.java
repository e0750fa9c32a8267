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
   * Only {@code POST …/plans}, so that no proposer delays approving, vetoing or undoing. By default
   * a tenant has as many of these writes as writes of {@link #PLANS}.
   */
  PROPOSE(1000, 120),
  /** Messages of agents over the Model Context Protocol. */
  MCP(1000, 600),
  RECEIPTS(1000, 60),
  MANAGEMENT(1000, 60),
  /**
   * Requests that try something out and change nothing: analyze, simulate and every {@code test}.
   * By default a tenant has as many of these writes as writes of {@link #OPERATORS}.
   */
  TRIAL(1000, 120),
  /**
   * The caller's identity and sign-ins. Each caller has its own bucket, and no ceiling is charged,
   * so that other callers can never keep a page from loading.
   */
  SELF(300, 60),
  /**
   * Stopping an agent or a key: halting, lifting, revoking. Each key has its own bucket, and none
   * of its tenant's is charged, so that other callers can never block these requests.
   */
  SAFETY(60, 60);

  /** Reads per minute and tenant across all classes, unless the tenant has its own number. */
  public static final int GLOBAL_READS = 2000;

  /** The name under which a tenant's own global ceiling is set. */
  public static final String GLOBAL_LIMIT_NAME = "global.read";

  /**
   * Calls over the Model Context Protocol per minute and key. They count towards the tenant's limit
   * too.
   */
  public static final int CALLS_OF_A_CALLER = 120;

  /** Limit on the requests per minute and key that are refused for their scope. */
  public static final int REFUSALS = 60;

  private final int reads;
  private final int writes;

  RateClass(int reads, int writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** Reads per minute, unless the tenant has its own number. */
  public int reads() {
    return reads;
  }

  /** Writes per minute, unless the tenant has its own number. */
  public int writes() {
    return writes;
  }

  /**
   * Returns whether the class has buckets of the tenant, whose limits are set when the tenant is
   * created.
   */
  public boolean isOfTenant() {
    return this != SAFETY && this != SELF;
  }

  /** Name under which a tenant's own limits are set: {@code plans.write}. */
  public String limitName(boolean read) {
    return name().toLowerCase(Locale.ROOT) + (read ? ".read" : ".write");
  }
}
