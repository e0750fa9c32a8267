package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes connectors and keeps their invariants: a name is unique in a partition, a tenant stays
 * within its quota, and each change by a request leaves a receipt. Thread-safe.
 */
public final class ConnectorWrites {
  static final Refusal CHANGED =
      new Refusal.Conflict("The connector was changed by another request meanwhile.");

  private final Store store;
  private final ConnectorItems items;
  private final ToIntFunction<TenantId> quota;
  private final Transactions transactions;
  private final PublicForm<Connector> form;
  private final InstantSource clock;

  /**
   * @param quota the number of connectors that a tenant may have, both modes together
   * @param form the published form of a connector, whose hash the receipts of changes contain
   */
  public ConnectorWrites(
      Store store,
      Transactions transactions,
      Listings listings,
      ToIntFunction<TenantId> quota,
      PublicForm<Connector> form,
      InstantSource clock) {
    this.store = store;
    this.form = form;
    this.clock = clock;
    this.items = new ConnectorItems(listings);
    this.quota = quota;
    this.transactions = transactions;
  }

  /** Returns why a new connector of this name would be refused now. Only the insert decides. */
  Optional<Refusal> obstacle(Partition partition, String name) {
    if (store.get(ConnectorItems.nameKey(partition, name)).isPresent()) {
      return Optional.of(nameTaken(name));
    }
    int most = quota.applyAsInt(partition.tenant());
    long count =
        store
            .get(ConnectorItems.countKey(partition.tenant()))
            .map(item -> item.whole(ConnectorItems.COUNT, 0))
            .orElse(0L);
    return count >= most ? Optional.of(quotaExceeded(most)) : Optional.empty();
  }

  /** Stores a new connector, its name and its count in one transaction. */
  Outcome<Connector> insert(Connector connector, By by) {
    int most = quota.applyAsInt(connector.partition().tenant());
    List<Write> writes =
        List.of(
            Write.insert(ConnectorItems.item(connector)),
            Write.insert(nameItem(connector)),
            Write.update(
                ConnectorItems.countKey(connector.partition().tenant()),
                most < 1
                    ? Condition.less(ConnectorItems.COUNT, most)
                    : Condition.or(
                        Condition.lacks(ConnectorItems.COUNT),
                        Condition.less(ConnectorItems.COUNT, most)),
                Change.add(ConnectorItems.COUNT, 1)),
            ConnectorRoster.enlist(connector, connector.version()),
            receipt(connector, null, connector, by).orElseThrow());
    return switch (transactions.run(writes)) {
      case Store.Transacted.Done _ -> Outcome.done(connector);
      case Store.Transacted.Refused refused when refused.of(0).isPresent() ->
          // The same request was sent again while its first attempt was finishing.
          Outcome.done(stored(refused.of(0).get().found()));
      case Store.Transacted.Refused refused when refused.of(1).isPresent() ->
          Outcome.refused(nameTaken(connector.name()));
      case Store.Transacted.Refused _ -> Outcome.refused(quotaExceeded(most));
      case Store.Transacted.Contended _ -> Outcome.refused(busy(connector));
    };
  }

  /**
   * The author and origin of a write.
   *
   * @param request the identifier minted for the request
   */
  record By(Principal principal, RequestId requestId, String request) {
    By(Caller caller, String request) {
      this(caller.principal(), caller.requestId(), request);
    }
  }

  /**
   * Stores a changed connector if it has not changed since it was read, and moves its name if that
   * has changed. Writes nothing if nothing changes, or if this request already made the change.
   */
  Outcome<Connector> replace(Connector before, Connector after, By by) {
    Optional<Write> receipt = receipt(after, before, after, by);
    if (receipt.isEmpty()) {
      return Outcome.done(before);
    }
    List<Write> writes = new ArrayList<>(List.of(receipt.get(), update(before, after)));
    if (!before.name().equals(after.name())) {
      writes.add(Write.insert(nameItem(after)));
      writes.add(
          Write.delete(
              ConnectorItems.nameKey(before.partition(), before.name()),
              Condition.equal("id", before.id().value())));
    }
    writes.add(ConnectorRoster.enlist(before, before.version() + 1));
    return switch (transactions.run(writes)) {
      case Store.Transacted.Done _ -> reread(after);
      case Store.Transacted.Refused refused when refused.of(0).isPresent() -> reread(after);
      case Store.Transacted.Refused refused when refused.of(2).isPresent() ->
          Outcome.refused(nameTaken(after.name()));
      case Store.Transacted.Refused _, Store.Transacted.Contended _ -> Outcome.refused(CHANGED);
    };
  }

  /** Returns the receipt of a change; empty if nothing changed. */
  private Optional<Write> receipt(
      Connector connector, @Nullable Connector before, @Nullable Connector after, By by) {
    boolean anew =
        before != null && after != null && !after.credentials().equals(before.credentials());
    return new ConfigChange(
            ConfigChange.Target.CONNECTOR,
            connector.id().value(),
            connector.partition(),
            connector.workspaceId(),
            before == null ? null : form.of(before),
            after == null ? null : form.of(after),
            anew ? Set.of(ConnectorItems.CREDENTIALS) : Set.of())
        .receipt(by.principal(), by.requestId(), by.request(), clock.instant());
  }

  /** Removes a connector, its name and its count in one transaction. */
  Outcome<Connector> delete(Connector connector, By by) {
    Condition own = Condition.equal("id", connector.id().value());
    List<Write> writes =
        List.of(
            Write.delete(ConnectorItems.key(connector.partition(), connector.id()), own),
            Write.delete(ConnectorItems.nameKey(connector.partition(), connector.name()), own),
            Write.update(
                ConnectorItems.countKey(connector.partition().tenant()),
                Condition.greater(ConnectorItems.COUNT, 0),
                Change.add(ConnectorItems.COUNT, -1)),
            ConnectorRoster.leave(connector),
            receipt(connector, connector, null, by).orElseThrow());
    return switch (transactions.run(writes)) {
      case Store.Transacted.Done _ -> Outcome.done(connector);
      case Store.Transacted.Refused refused when refused.of(0).isPresent() ->
          Outcome.refused(Connectors.NOT_FOUND);
      case Store.Transacted.Refused _, Store.Transacted.Contended _ ->
          Outcome.refused(busy(connector));
    };
  }

  void tested(Connector connector, String at) {
    store.write(
        Write.update(
            ConnectorItems.key(connector.partition(), connector.id()),
            Condition.present(),
            Change.set(ConnectorItems.TESTED, at)));
  }

  /**
   * Stores the tools of the connector's server that its owner accepted, with a receipt. False if
   * the connector has changed since the server was asked. While the server stays the same, nothing
   * else changes its accepted tools.
   */
  boolean accept(Connector before, Connector after, By by) {
    Write update =
        Write.update(
            ConnectorItems.key(before.partition(), before.id()),
            Condition.equal(ConnectorItems.VERSION, before.version()),
            Change.add(ConnectorItems.VERSION, 1),
            Change.set(ConnectorItems.UPDATED, Timestamps.format(after.updatedAt())),
            listed(after),
            leftOut(after));
    List<Write> writes =
        new ArrayList<>(List.of(update, ConnectorRoster.enlist(before, before.version() + 1)));
    receipt(before, before, after, by).ifPresent(writes::add);
    return switch (transactions.run(writes)) {
      case Store.Transacted.Done _ -> true;
      case Store.Transacted.Refused refused -> refused.of(0).isEmpty();
      case Store.Transacted.Contended _ -> false;
    };
  }

  /**
   * Stores the result of the owner's authorisation, with a receipt. False if the connector has
   * changed since the browser returned.
   */
  boolean authorize(Connector before, Connector authorized, By by) {
    Connector after = authorized.updated(clock.instant());
    List<Change> changes = new ArrayList<>();
    changes.add(Change.set(ConnectorItems.CREDENTIALS, Json.write(after.credentials())));
    changes.add(Change.set(ConnectorItems.STATUS, after.status().wire()));
    changes.add(reason(after.statusReason()));
    changes.add(listed(after));
    changes.add(leftOut(after));
    changes.add(Change.remove(ConnectorItems.FAILING));
    changes.add(Change.remove(ConnectorItems.RENEWING));
    changes.add(Change.add(ConnectorItems.VERSION, 1));
    changes.add(Change.set(ConnectorItems.UPDATED, Timestamps.format(after.updatedAt())));
    Condition same = Condition.equal(ConnectorItems.VERSION, before.version());
    Key key = ConnectorItems.key(before.partition(), before.id());
    return transactions
        .run(
            List.of(
                Write.update(key, same, changes),
                receipt(after, before, after, by).orElseThrow(),
                ConnectorRoster.enlist(before, before.version() + 1)))
        .done();
  }

  /** Records why a connector still waits to be authorised, for its owner. */
  void explain(Connector connector, String why) {
    store.write(
        Write.update(
            ConnectorItems.key(connector.partition(), connector.id()),
            Condition.and(
                Condition.equal(ConnectorItems.STATUS, ConnectorStatus.PENDING_AUTH.wire()),
                Condition.equal(ConnectorItems.VERSION, connector.version())),
            reason(why),
            Change.set(ConnectorItems.UPDATED, Timestamps.format(clock.instant()))));
  }

  private static Change reason(@Nullable String why) {
    return why == null
        ? Change.remove(ConnectorItems.STATUS_REASON)
        : Change.set(ConnectorItems.STATUS_REASON, why);
  }

  private static Change listed(Connector connector) {
    return packed(ConnectorItems.LISTED, ConnectorItems.listed(connector));
  }

  private static Change leftOut(Connector connector) {
    return packed(ConnectorItems.LEFT_OUT, ConnectorItems.leftOut(connector));
  }

  private static Change packed(String attribute, @Nullable String text) {
    return text == null ? Change.remove(attribute) : Change.pack(attribute, text);
  }

  private static Write update(Connector before, Connector after) {
    Item item = ConnectorItems.item(after);
    List<Change> changes = new ArrayList<>();
    changes.add(Change.set(ConnectorItems.NAME, item.text(ConnectorItems.NAME)));
    changes.add(Change.pack(ConnectorItems.CONFIG, item.text(ConnectorItems.CONFIG)));
    changes.add(Change.set(ConnectorItems.UPDATED, item.text(ConnectorItems.UPDATED)));
    changes.add(Change.add(ConnectorItems.VERSION, 1));
    if (after.beginsAnew(before)) {
      // The status is changed only by calls, unless the connector starts over.
      changes.add(Change.set(ConnectorItems.CREDENTIALS, item.text(ConnectorItems.CREDENTIALS)));
      // An authorisation that was begun for the earlier connector is useless now.
      changes.add(Change.remove(ConnectorItems.AUTHORIZING));
      changes.add(Change.remove(ConnectorItems.RENEWING));
      changes.add(Change.set(ConnectorItems.STATUS, item.text(ConnectorItems.STATUS)));
      changes.add(reason(after.statusReason()));
      changes.add(listed(after));
      changes.add(leftOut(after));
    }
    return Write.update(
        ConnectorItems.key(before.partition(), before.id()),
        Condition.and(
            Condition.equal(ConnectorItems.VERSION, before.version()),
            // The receipt's hash covers the status too, which calls may have changed since it was
            // read.
            Condition.equal(ConnectorItems.UPDATED, Timestamps.format(before.updatedAt()))),
        changes);
  }

  private Outcome<Connector> reread(Connector after) {
    Key key = ConnectorItems.key(after.partition(), after.id());
    return store
        .get(key)
        .map(item -> Outcome.done(items.connector(item)))
        .orElseGet(() -> Outcome.refused(Connectors.NOT_FOUND));
  }

  private static Item nameItem(Connector connector) {
    return Item.at(ConnectorItems.nameKey(connector.partition(), connector.name()))
        .with("id", connector.id().value())
        .build();
  }

  private Connector stored(Optional<Item> found) {
    return items.connector(found.orElseThrow());
  }

  private static Refusal nameTaken(String name) {
    return new Refusal.Conflict("Another connector already has the name " + name + ".");
  }

  private static Refusal quotaExceeded(int most) {
    return new Refusal.QuotaExceeded(
        "The tenant already has " + most + " connectors, the maximum. Uninstall one first.");
  }

  private static Refusal busy(Connector connector) {
    return new Refusal.Busy(
        "The connector " + connector.name() + " is being changed by another request.",
        Duration.ofSeconds(1));
  }
}
