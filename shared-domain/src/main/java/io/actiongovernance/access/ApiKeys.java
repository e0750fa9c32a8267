package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.api.Page;
import io.actiongovernance.api.PageRequest;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of tenants (specification, API keys; contract, section 9). Creating and revoking are one
 * transaction each, so that a key is never half there; a revoked key fails on its next request.
 * Thread-safe.
 */
public final class ApiKeys {
  /** Active keys of both modes a tenant may have. */
  public static final int QUOTA = 20;

  /** The one attribute that noting the use of a key changes. */
  public static final String NOTES_USE_IN = KeyItems.USED;

  /** How far behind {@code last_used_at} may be: a key is not written to more often. */
  static final Duration USED_PRECISION = Duration.ofMinutes(1);

  private final Store store;
  private final Transactions transactions;
  private final Tenants tenants;
  private final InstantSource clock;
  private final Secrets secrets;

  public ApiKeys(
      Store store,
      Transactions transactions,
      Tenants tenants,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.transactions = transactions;
    this.tenants = tenants;
    this.clock = clock;
    this.secrets = new Secrets(random);
  }

  /** Whom a secret belongs to. */
  public sealed interface Authentication {
    /** An active key's. */
    record Known(Caller caller, TenantLimits limits) implements Authentication {}

    /** Nobody's. */
    record Unrecognized() implements Authentication {}

    /** A revoked key's. */
    record Revoked() implements Authentication {}
  }

  /** What became of a creation. */
  public sealed interface Creation {
    /** It was created; this is the only time its secret is told. */
    record Issued(ApiKey key, String secret) implements Creation {}

    /** The caller may not make an unpinned key, or a live one. */
    record BeyondCaller(String why) implements Creation {}

    /** An active key has the name. */
    record NameTaken() implements Creation {}

    /** The tenant has {@value #QUOTA} active keys. */
    record QuotaExceeded() implements Creation {}

    /** An earlier attempt at this creation made the key, and it has been revoked since. */
    record RevokedSince() implements Creation {}
  }

  /** What became of a revocation. */
  public sealed interface Revocation {
    /** It is revoked, since {@link ApiKey#revokedAt()}. */
    record Done(ApiKey key) implements Revocation {}

    /** The caller sees no such key. */
    record NotFound() implements Revocation {}

    /** It is the tenant's last active admin key of its mode. */
    record LastAdminKey() implements Revocation {}
  }

  /** Finds out whom a secret belongs to, and notes that it was used. */
  public Authentication authenticate(RequestId requestId, String secret) {
    // The form is checked against the text's own checksum; then one read by its hash, whatever
    // comes
    // of it. No secret is ever compared with another.
    if (!Secrets.isWellFormed(secret)) {
      return new Authentication.Unrecognized();
    }
    Key at = KeyItems.bySecret(Secrets.hash(secret));
    Optional<Item> found = store.get(at);
    if (found.isEmpty()) {
      return new Authentication.Unrecognized();
    }
    if (!found.get().text(KeyItems.STATUS).equals(ApiKey.Status.ACTIVE.wire())) {
      return new Authentication.Revoked();
    }
    noteUse(at, found.get());
    return new Authentication.Known(
        KeyItems.caller(requestId, found.get()),
        Json.read(found.get().text("limits"), TenantLimits.class));
  }

  /** Whether the caller's key is still active: for requests that last. */
  public boolean isActive(Caller caller) {
    return store
        .get(KeyItems.listed(caller.partition().tenant(), caller.keyId()))
        .map(KeyItems::key)
        .filter(key -> key.revokedAt() == null)
        .isPresent();
  }

  private void noteUse(Key at, Item found) {
    long now = clock.millis();
    long due = now - USED_PRECISION.toMillis();
    if (found.whole(KeyItems.USED, 0) < due) {
      // Refused means that another request noted it meanwhile.
      store.write(
          Write.update(
              at,
              or(lacks(KeyItems.USED), less(KeyItems.USED, due)),
              Change.set(KeyItems.USED, now)));
    }
  }

  /**
   * Creates a key for a caller. Doing it again under the same identifier, as when the first attempt
   * died before it could answer, makes no second key: the first gets a new secret, since nobody was
   * told the old one.
   */
  public Creation create(Caller caller, KeyId id, NewKey wanted) {
    if (caller.workspaceId() != null && !caller.workspaceId().equals(wanted.workspaceId())) {
      return new Creation.BeyondCaller(
          "A key pinned to a workspace can only make keys pinned to it.");
    }
    if (caller.partition().mode() == Mode.TEST && wanted.mode() == Mode.LIVE) {
      return new Creation.BeyondCaller("A test key cannot make live keys.");
    }
    return create(tenants.find(caller.partition().tenant()).orElseThrow(), id, wanted);
  }

  /** Creates a key of a tenant, on nobody's behalf: for its first ones. */
  public Creation create(Tenant tenant, KeyId id, NewKey wanted) {
    String secret = secrets.next(wanted.mode());
    String hash = Secrets.hash(secret);
    ApiKey key =
        new ApiKey(
            id,
            new Partition(tenant.id(), wanted.mode()),
            wanted.name(),
            wanted.role(),
            wanted.scopes().stream().sorted().toList(),
            wanted.workspaceId(),
            Secrets.hint(wanted.mode(), secret),
            null,
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            null);
    Item name =
        Item.at(KeyItems.name(tenant.id(), key.name())).with(KeyItems.HOLDER, id.value()).build();
    Store.Transacted made =
        transactions.run(
            List.of(
                Write.insert(KeyItems.listed(key, hash)),
                Write.insert(name),
                Write.update(
                    KeyItems.counts(tenant.id()),
                    or(lacks(KeyItems.ACTIVE), less(KeyItems.ACTIVE, QUOTA)),
                    counting(key, 1)),
                Write.insert(KeyItems.bySecret(key, hash, tenant))));
    if (!(made instanceof Store.Transacted.Refused refused)) {
      return new Creation.Issued(key, secret);
    }
    if (refused.of(0).isPresent()) {
      return reissue(tenant, refused.of(0).get().found().orElseThrow(), secret);
    }
    return refused.of(1).isPresent() ? new Creation.NameTaken() : new Creation.QuotaExceeded();
  }

  private Creation reissue(Tenant tenant, Item listed, String secret) {
    ApiKey made = KeyItems.key(listed);
    if (made.revokedAt() != null) {
      return new Creation.RevokedSince();
    }
    ApiKey key =
        new ApiKey(
            made.id(),
            made.partition(),
            made.name(),
            made.role(),
            made.scopes(),
            made.workspaceId(),
            Secrets.hint(made.partition().mode(), secret),
            null,
            made.createdAt(),
            null);
    String hash = Secrets.hash(secret);
    Store.Transacted replaced =
        transactions.run(
            List.of(
                Write.put(
                    KeyItems.listed(key, hash),
                    Condition.and(
                        equal(KeyItems.HASH, listed.text(KeyItems.HASH)),
                        equal(KeyItems.STATUS, ApiKey.Status.ACTIVE.wire()))),
                Write.insert(KeyItems.bySecret(key, hash, tenant)),
                Write.delete(KeyItems.bySecret(listed.text(KeyItems.HASH)), always())));
    return replaced.done() ? new Creation.Issued(key, secret) : new Creation.RevokedSince();
  }

  /** The key, if the caller sees one of that identifier. */
  public Optional<ApiKey> find(Caller caller, KeyId id) {
    return listed(caller, id).map(item -> withUse(List.of(item)).getFirst());
  }

  private Optional<Item> listed(Caller caller, KeyId id) {
    return store
        .get(KeyItems.listed(caller.partition().tenant(), id))
        .filter(item -> visible(caller, KeyItems.key(item)));
  }

  /** Live keys see both modes, test keys their own; a pinned key sees its workspace's. */
  private static boolean visible(Caller caller, ApiKey key) {
    return caller.sees(key.workspaceId())
        && (caller.partition().mode() == Mode.LIVE || key.partition().mode() == Mode.TEST);
  }

  /** The keys a caller sees, newest first, revoked ones included unless a status is asked for. */
  public Page<ApiKey> list(
      Caller caller, ApiKey.@Nullable Status status, @Nullable Mode mode, PageRequest request) {
    TenantId tenant = caller.partition().tenant();
    Query query =
        status == null
            ? Query.of(Table.STATE, KeyItems.list(tenant))
            : Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, status));
    Page<Item> page =
        Listing.page(
            store,
            query,
            request,
            item -> item.key().range(),
            item ->
                Optional.of(item)
                    .filter(each -> visible(caller, KeyItems.key(each)))
                    .filter(each -> mode == null || KeyItems.key(each).partition().mode() == mode));
    return new Page<>(withUse(page.items()), page.next());
  }

  private List<ApiKey> withUse(List<Item> listed) {
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
              return KeyItems.used(KeyItems.key(item), used);
            })
        .toList();
  }

  /** Revokes a key for good; of a revoked one, changes nothing. */
  public Revocation revoke(Caller caller, KeyId id) {
    Optional<Item> listed = listed(caller, id);
    if (listed.isEmpty()) {
      return new Revocation.NotFound();
    }
    ApiKey key = KeyItems.key(listed.get());
    if (key.revokedAt() != null) {
      return new Revocation.Done(withUse(List.of(listed.get())).getFirst());
    }
    ApiKey revoked = KeyItems.revoked(key, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    Store.Transacted done = transactions.run(revocation(caller, listed.get(), revoked));
    if (!(done instanceof Store.Transacted.Refused refused)) {
      return new Revocation.Done(revoked);
    }
    // The item refuses when another request was first; then that one's result holds.
    return refused.of(0).isPresent() ? revoke(caller, id) : new Revocation.LastAdminKey();
  }

  private static List<Write> revocation(Caller caller, Item listed, ApiKey revoked) {
    TenantId tenant = revoked.partition().tenant();
    Mode mode = revoked.partition().mode();
    String hash = listed.text(KeyItems.HASH);
    // A caller of the same mode is itself such a key, unless another request has just revoked it:
    // two admins that revoke each
    // other at once must not both succeed.
    boolean mustLeaveOne = revoked.isUnpinnedAdmin() && caller.partition().mode() == mode;
    return List.of(
        Write.put(KeyItems.listed(revoked, hash), equal(KeyItems.DOC, listed.text(KeyItems.DOC))),
        Write.update(
            KeyItems.bySecret(hash),
            always(),
            Change.set(KeyItems.STATUS, ApiKey.Status.REVOKED.wire())),
        Write.delete(
            KeyItems.name(tenant, revoked.name()),
            or(absent(), equal(KeyItems.HOLDER, revoked.id().value()))),
        Write.update(
            KeyItems.counts(tenant),
            mustLeaveOne ? greater(KeyItems.admins(mode), 1) : always(),
            counting(revoked, -1)));
  }

  private static List<Change> counting(ApiKey key, long by) {
    List<Change> changes = new ArrayList<>(List.of(Change.add(KeyItems.ACTIVE, by)));
    if (key.isUnpinnedAdmin()) {
      changes.add(Change.add(KeyItems.admins(key.partition().mode()), by));
    }
    return changes;
  }
}
