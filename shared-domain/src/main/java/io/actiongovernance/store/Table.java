package io.actiongovernance.store;

import static io.actiongovernance.store.Index.by;
import static io.actiongovernance.store.Index.holding;

import java.util.List;
import java.util.Locale;

/**
 * Tables of the service, divided by who may write them and how long their items live. The
 * deployment and the local stack both build them from here. Every table's key is {@code pk} and
 * {@code sk}, except {@link #IDEMPOTENCY}, whose form its library determines.
 */
public enum Table {
  /** Tenants, keys, operators, connectors, plans and actions. */
  STATE(
      List.of(
          by("by_list", "ordered"),
          by("by_status", "ordered"),
          by("by_operator", "ordered"),
          by("by_parent", "ordered"),
          by("by_expiry", "expiry"),
          by("due_shard", "due")),
      true,
      true),
  /** The envelope log: its head, its positions, and its links to entities. */
  EVENTS(
      List.of(
          holding("by_type", "sk"),
          holding("by_source", "sk"),
          holding("by_workspace", "sk"),
          holding("by_entity", "sk")),
      true,
      false),
  /**
   * Receipts, insert only. The kernel's functions write them. Configuration receipts are written by
   * the functions that change the configuration.
   */
  RECEIPTS(
      List.of(
          by("by_outcome", "sk"),
          by("by_request", "sk"),
          by("by_event", "sk"),
          by("by_operator", "sk"),
          by("by_kind", "sk"),
          by("by_correlation", "sk"),
          by("by_entity", "sk")),
      true,
      true),
  /** Effect claims: one for each idempotency key under which a call was ever made. */
  EFFECTS(List.of(), false, true),
  /** Stored answers of requests that carried an Idempotency-Key. */
  IDEMPOTENCY(List.of(), false, false),
  /** Results of calls, sealed, kept for a day, for each action that asks for it. */
  RESULTS(List.of(), false, false),
  /**
   * Rate buckets, entity locks and their waiters, policy budgets, and the allowance with its terms.
   */
  LIMITS(List.of(), false, true);

  /** The attribute with the Unix second after which an item may be deleted. */
  public static final String EXPIRES = "expires";

  private final List<Index> indexes;
  private final boolean streamed;
  private final boolean keptForGood;

  Table(List<Index> indexes, boolean streamed, boolean keptForGood) {
    this.indexes = indexes;
    this.streamed = streamed;
    this.keptForGood = keptForGood;
  }

  /** Returns the sparse indexes. An item is in an index if it has the index's hash attribute. */
  public List<Index> indexes() {
    return indexes;
  }

  /** Returns whether changes are relayed as facts. */
  public boolean streamed() {
    return streamed;
  }

  /** Returns whether the table needs point-in-time recovery and survives its stack. */
  public boolean keptForGood() {
    return keptForGood;
  }

  public Index index(String hash) {
    for (Index index : indexes) {
      if (index.hash().equals(hash)) {
        return index;
      }
    }
    throw new IllegalArgumentException("No index " + hash + " on " + this);
  }

  /** Returns its name for readers: {@code state}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of its first generation in a deployment: {@code governance-state}. */
  public String wireName(String prefix) {
    return prefix + "-" + word();
  }
}
