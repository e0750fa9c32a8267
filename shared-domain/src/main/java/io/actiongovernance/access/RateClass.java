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
  /**
   * {@code POST …/plans} alone, so that no proposer delays approving, vetoing or undoing. Its
   * writes are as many as the tenant's of {@link #PLANS} unless they are named.
   */
  PROPOSE(1000, 120),
  /** What agents do over the Model Context Protocol. */
  MCP(1000, 600),
  RECEIPTS(1000, 60),
  MANAGEMENT(1000, 60),
  /**
   * What tries something and changes nothing: analyze, simulate and every {@code test}. Its writes
   * are as many as the tenant's of {@link #OPERATORS} unless they are named.
   */
  TRIAL(1000, 120),
  /**
   * Who the caller is and where it is signed in. Each has a bucket of its own and draws on no
   * ceiling, so that nothing which others do keeps a page from loading.
   */
  SELF(300, 60),
  /**
   * What stops an agent or a key: halting, lifting, revoking. Each key has a bucket of its own and
   * draws on none of its tenant's, so that nothing which others do can stand in the way.
   */
  SAFETY(60, 60);

  /** Reads per minute and tenant across all classes, unless the tenant was given another number. */
  public static final int GLOBAL_READS = 2000;

  /** The name under which a tenant's own global ceiling is set. */
  public static final String GLOBAL_LIMIT_NAME = "global.read";

  /** Calls over the Model Context Protocol per minute and key, of its tenant's. */
  public static final int CALLS_OF_A_CALLER = 120;

  /** Requests per minute and key that are refused for their scope. */
  public static final int REFUSALS = 60;

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

  /** Whether its buckets are the tenant's, with numbers that are set when the tenant is made. */
  public boolean isOfTenant() {
    return this != SAFETY && this != SELF;
  }

  /** The name under which a tenant's own limits are set: {@code plans.write}. */
  public String limitName(boolean read) {
    return name().toLowerCase(Locale.ROOT) + (read ? ".read" : ".write");
  }
}
