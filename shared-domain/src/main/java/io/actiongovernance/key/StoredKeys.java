package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the stored keys of tenants, in their present state. Thread-safe. */
final class StoredKeys {
  /** The given owner of the key is a person who does not exist. */
  static final Refusal NO_OWNER =
      new Refusal.Invalid("owner", "There is no such person in the key's mode.");

  private final Store store;
  private final InstantSource clock;
  private final People people;

  StoredKeys(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.people = new People(store);
  }

  /**
   * Returns the person who owns the key of an item; empty if its owner does not identify a person.
   */
  Optional<Person> owner(Item found) {
    return owner(Partition.parse(found.text("partition")), found.textOrNull(KeyItems.OWNER));
  }

  Optional<Person> owner(Partition partition, @Nullable String owner) {
    return Principal.owning(owner).flatMap(id -> people.behind(partition, id));
  }

  /** Returns a stored key in its present state. An expired key counts as revoked. */
  ApiKey asOfNow(Item listed) {
    return KeyItems.key(listed).asOf(clock.instant());
  }

  /** Returns whether an owner identifies a person who could not own the key. */
  boolean isUnknown(Partition partition, @Nullable String owner) {
    return Principal.owning(owner).filter(id -> people.behind(partition, id).isEmpty()).isPresent();
  }

  Optional<KeyOrigin> origin(TenantId tenant, KeyId id) {
    return store
        .get(KeyItems.listed(tenant, id))
        .map(KeyItems::key)
        .map(key -> new KeyOrigin(key.owner(), key.createdBy()));
  }

  Optional<ApiKey> find(Caller caller, KeyId id) {
    return listed(caller, id).map(item -> withUse(List.of(item)).getFirst());
  }

  Optional<Item> listed(Caller caller, KeyId id) {
    return store
        .get(KeyItems.listed(caller.partition().tenant(), id))
        .filter(item -> visible(caller, KeyItems.key(item)));
  }

  /**
   * Returns whether the caller sees a key. Live keys see keys of both modes, test keys only those
   * of their own. A pinned key sees only the keys of its workspace.
   */
  private static boolean visible(Caller caller, ApiKey key) {
    return caller.sees(key.workspaceId())
        && (caller.partition().mode() == Mode.LIVE || key.partition().mode() == Mode.TEST);
  }

  Page<ApiKey> list(
      Caller caller, ApiKey.@Nullable Status status, @Nullable Mode mode, PageRequest request) {
    TenantId tenant = caller.partition().tenant();
    Query query =
        status == ApiKey.Status.ACTIVE
            ? Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, status))
            : Query.of(Table.STATE, KeyItems.list(tenant));
    Page<Item> page =
        Listing.page(
            store,
            query,
            request,
            item -> item.key().range(),
            item ->
                Optional.of(item)
                    .filter(each -> visible(caller, KeyItems.key(each)))
                    .filter(each -> status == null || asOfNow(each).status() == status)
                    .filter(each -> mode == null || KeyItems.key(each).partition().mode() == mode));
    return new Page<>(withUse(page.items()), page.next());
  }

  ApiKeys.Hand hand(TenantId tenant, PersonId person) {
    Query active =
        Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, ApiKey.Status.ACTIVE));
    List<Item> found =
        store.query(active).items().stream()
            .filter(item -> asOfNow(item).status() == ApiKey.Status.ACTIVE)
            .toList();
    Lineage lineage = new Lineage(store, tenant, person);
    return new ApiKeys.Hand(
        withUse(found.stream().filter(item -> Lineage.owns(person, KeyItems.key(item))).toList()),
        withUse(
            found.stream()
                .filter(item -> !Lineage.owns(person, KeyItems.key(item)))
                .filter(item -> lineage.goesBack(KeyItems.key(item)))
                .toList()));
  }

  List<ApiKey> withUse(List<Item> listed) {
    Map<Key, Item> bySecret =
        store
            .getAll(
                listed.stream().map(item -> KeyItems.bySecret(item.text(KeyItems.HASH))).toList())
            .stream()
            .collect(Collectors.toMap(Item::key, Function.identity()));
    return listed.stream()
        .map(
            item -> {
              Item secret = bySecret.get(KeyItems.bySecret(item.text(KeyItems.HASH)));
              long used = secret == null ? 0 : secret.whole(KeyItems.USED, 0);
              ApiKey key = asOfNow(item);
              return used == 0 ? key : key.used(Instant.ofEpochMilli(used));
            })
        .toList();
  }
}
