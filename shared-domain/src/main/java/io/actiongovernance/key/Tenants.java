package io.actiongovernance.key;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates and finds tenants. Thread-safe. */
public final class Tenants {
  private static final String LIST = "by_list";

  /** Partition of the list of all tenants; no tenant has this identifier. */
  private static final String ALL = "tenants";

  private final Store store;
  private final Transactions transactions;
  private final Ids ids;
  private final InstantSource clock;

  public Tenants(Store store, Transactions transactions, Ids ids, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * Creates a tenant, with the allowance's terms of both modes. It has no keys yet, so the receipt
   * of its limits names nobody. The first tenant's creation stores the form of the tables' data.
   *
   * @throws StoredForm.Unreadable if the tables hold data in a form that this build does not read
   */
  public Tenant create(
      String name, @Nullable String resellerId, TenantLimits limits, Allowance.Terms terms) {
    StoredForm.mark(store);
    Tenant tenant = new Tenant(TenantId.next(ids), name, resellerId, limits, clock.instant());
    Item item =
        Item.at(key(tenant.id()))
            .with("kind", "tenant")
            .with("id", tenant.id().value())
            .with("doc", Json.write(tenant))
            .with(LIST, ALL)
            .with("ordered", tenant.id().value())
            .build();
    Store.Transacted made =
        transactions.run(
            List.of(
                Write.put(item, Condition.absent()),
                Allowance.define(new Partition(tenant.id(), Mode.LIVE), terms),
                Allowance.define(new Partition(tenant.id(), Mode.TEST), terms),
                limits(tenant)));
    if (!made.done()) {
      throw new IllegalStateException("A new tenant's identifier is taken: " + tenant.id());
    }
    return tenant;
  }

  /** The limits apply to both modes; only live keys see their receipt. */
  private static Write limits(Tenant tenant) {
    ObjectNode limits = Json.object().put("object", "limits").put("tenant_id", tenant.id().value());
    limits.set("limits", Json.tree(tenant.limits()));
    return new ConfigChange(
            ConfigChange.Target.LIMITS,
            tenant.id().value(),
            new Partition(tenant.id(), Mode.LIVE),
            null,
            null,
            limits,
            Set.of())
        .receiptOfSetup(tenant.id().value().substring(TenantId.PREFIX.length()));
  }

  /**
   * Raises a tenant's spread in both modes, in one transaction. Repeating the call changes nothing.
   *
   * @return the spread that is in force, or will be soon
   */
  public Spread raise(TenantId id, int shards) {
    Partition live = new Partition(id, Mode.LIVE);
    Partition test = new Partition(id, Mode.TEST);
    Spread spread = Allowance.spread(store, live);
    if (find(id).isEmpty()) {
      throw new Problem(new Refusal.NotFound("tenant"));
    }
    if (spread.shards() == shards) {
      return spread;
    }
    Instant now = clock.instant();
    if (!spread.mayBeRaised(shards, now)) {
      throw Problem.invalid(
          "spread",
          "spread must be a power of two, at most %s and more than %s. It can be raised at most once a day."
              .formatted(Spread.MOST, spread.shards()));
    }
    Spread raised = spread.raised(shards, now);
    boolean done =
        transactions
            .run(
                List.of(
                    Allowance.raise(live, spread, raised), Allowance.raise(test, spread, raised)))
            .done();
    // A refusal means that another request has raised the spread: the stored state decides.
    return done ? raised : raise(id, shards);
  }

  public Optional<Tenant> find(TenantId id) {
    return store.get(key(id)).map(item -> Json.read(item.text("doc"), Tenant.class));
  }

  private static Key key(TenantId id) {
    return Key.single(Table.STATE, id.value() + "#tenant");
  }
}
