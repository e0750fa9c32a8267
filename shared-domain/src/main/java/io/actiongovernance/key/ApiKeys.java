package io.actiongovernance.key;

import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;
import static java.util.Comparator.comparing;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of tenants (specification, API keys; contract, section 9). Creating, changing and
 * revoking are one transaction each, so that a key is never half there; a revoked key, and one that
 * has come to its end, fail on their next request. Thread-safe.
 */
public final class ApiKeys {
  /** Active keys of both modes a tenant may have. */
  public static final int QUOTA = 20;

  /** The one attribute that noting the use of a key changes. */
  public static final String NOTES_USE_IN = KeyItems.USED;

  /** How far behind {@code last_used_at} may be: a key is not written to more often. */
  static final Duration USED_PRECISION = Duration.ofMinutes(1);

  private static final int MOST_TRIES = 8;

  private static final Refusal NOT_FOUND = new Refusal.NotFound("key");
  private static final Refusal NAME_TAKEN =
      new Refusal.Conflict("An active key with this name exists.");
  private static final Refusal FULL =
      new Refusal.QuotaExceeded("The tenant has " + QUOTA + " active keys already.");

  /** An earlier attempt at the same creation had made it. */
  private static final Refusal REVOKED_SINCE =
      new Refusal.Conflict("The key this request made has been revoked since.");

  private static final Refusal NO_OWNER =
      new Refusal.Invalid("owner", "There is no such person of the key's mode.");
  private static final Refusal OWN =
      new Refusal.BeyondKey("Nobody gives away a key that is theirs: another administrator does.");
  private static final Refusal ENDS_ITSELF =
      new Refusal.Conflict("The owner is suspended, and so would be the key that asks.");
  private static final Refusal NOT_ACTIVE =
      new Refusal.Conflict("The key is revoked, or has come to its end.");
  private static final Refusal LAST_ADMIN_KEY =
      new Refusal.Conflict("The tenant's last active admin key cannot be revoked.");

  private final Store store;
  private final Transactions transactions;
  private final Tenants tenants;
  private final InstantSource clock;
  private final Secrets secrets;
  private final People people;
  private final PublicForm<ApiKey> form;

  /**
   * @param form what the receipts of keys attest
   */
  public ApiKeys(
      Store store,
      Transactions transactions,
      Tenants tenants,
      InstantSource clock,
      RandomGenerator random,
      PublicForm<ApiKey> form) {
    this.store = store;
    this.transactions = transactions;
    this.tenants = tenants;
    this.clock = clock;
    this.secrets = new Secrets(random);
    this.people = new People(store);
    this.form = form;
  }

  /** Whom a secret belongs to. */
  public sealed interface Authentication {
    /** An active key's. */
    record Known(Caller caller, TenantLimits limits) implements Authentication {}

    /** Nobody's. */
    record Unrecognized() implements Authentication {}

    /** A revoked key's. */
    record Revoked() implements Authentication {}

    /** Of a key that has come to its end. */
    record Expired() implements Authentication {}

    /** Of a key whose owner is suspended. */
    record Suspended() implements Authentication {}
  }

  /** A key that was created; this is the only time its secret is told. */
  public record Issued(ApiKey key, String secret) {}

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
    if (found.get().has(KeyItems.ENDS) && found.get().whole(KeyItems.ENDS, 0) <= clock.millis()) {
      return new Authentication.Expired();
    }
    Optional<Person> owner = owner(found.get());
    if (owner.filter(person -> !person.isActive()).isPresent()) {
      return new Authentication.Suspended();
    }
    noteUse(at, found.get());
    return known(requestId, found.get(), listedOf(found.get()), owner);
  }

  /** The person who owns the key of an item; nobody does who is not named as a person. */
  private Optional<Person> owner(Item found) {
    return owner(Partition.parse(found.text("partition")), found.textOrNull(KeyItems.OWNER));
  }

  private Optional<Person> owner(Partition partition, @Nullable String owner) {
    return Principal.owning(owner).flatMap(id -> people.behind(partition, id));
  }

  /** The key in the list of its tenant, where its role has to be looked up. */
  private Optional<Item> listedOf(Item found) {
    return KeyItems.leavesRoleOpen(found)
        ? store.get(
            KeyItems.listed(
                Partition.parse(found.text("partition")).tenant(), new KeyId(found.text("key_id"))))
        : Optional.empty();
  }

  /**
   * An active key as it calls by a session of its own.
   *
   * @param begun when that began
   */
  public Optional<Authentication.Known> known(
      RequestId requestId, TenantId tenant, KeyId id, Instant begun) {
    Optional<Item> listed =
        store.get(KeyItems.listed(tenant, id)).filter(item -> admits(item, begun));
    return listed
        .flatMap(item -> store.get(KeyItems.bySecret(item.text(KeyItems.HASH))))
        .map(found -> known(requestId, found, listed, owner(found)));
  }

  private static Authentication.Known known(
      RequestId requestId, Item found, Optional<Item> listed, Optional<Person> owner) {
    return new Authentication.Known(
        KeyItems.caller(requestId, found, listed, owner.map(Person::subject).orElse(null)),
        Json.read(found.text("limits"), TenantLimits.class));
  }

  /**
   * Whether a key still admits anybody by what was begun as it: for what lasts longer than a
   * request, or outlives it. That ends when its owner is suspended, and when it gets another.
   *
   * @param begun when that was
   */
  public boolean admits(TenantId tenant, KeyId id, Instant begun) {
    return store.get(KeyItems.listed(tenant, id)).filter(item -> admits(item, begun)).isPresent();
  }

  private boolean admits(Item listed, Instant begun) {
    ApiKey key = asOfNow(listed);
    return key.status() == ApiKey.Status.ACTIVE
        && begun.toEpochMilli() >= listed.whole(KeyItems.OWNED_SINCE, 0)
        && owner(key.partition(), key.owner()).filter(person -> !person.admits(begun)).isEmpty();
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

  /** A stored key as it reads now: one that has come to its end is revoked. */
  private ApiKey asOfNow(Item listed) {
    return KeyItems.key(listed).asOf(clock.instant());
  }

  /**
   * Creates a key for a caller. Doing it again under the same identifier, as when the first attempt
   * died before it could answer, makes no second key: the first gets a new secret, since nobody was
   * told the old one.
   */
  public Outcome<Issued> create(Caller caller, KeyId id, NewKey wanted) {
    Instant end = wanted.expiresAt();
    if (end != null && !end.isAfter(clock.instant())) {
      return Outcome.refused(new Refusal.Invalid("expires_at", "expires_at must lie ahead."));
    }
    if (isUnknown(new Partition(caller.partition().tenant(), wanted.mode()), wanted.owner())) {
      return Outcome.refused(NO_OWNER);
    }
    Optional<String> beyond = beyond(caller, wanted);
    String request = id.value().substring(KeyId.PREFIX.length());
    return beyond.isPresent()
        ? Outcome.refused(new Refusal.BeyondKey(beyond.get()))
        : create(
            tenants.find(caller.partition().tenant()).orElseThrow(),
            id,
            wanted,
            caller.principal(),
            key -> receipt(caller, request, key, null, key));
  }

  /** Whether an owner is named as a person who could not own the key. */
  private boolean isUnknown(Partition partition, @Nullable String owner) {
    return Principal.owning(owner).filter(id -> people.behind(partition, id).isEmpty()).isPresent();
  }

  /** Creates a key of a tenant, on nobody's behalf: for its first ones. */
  public Outcome<Issued> create(Tenant tenant, KeyId id, NewKey wanted) {
    return create(tenant, id, wanted, null, _ -> Optional.empty());
  }

  /** Of the change of a key from one to the other. */
  private Optional<Write> receipt(
      Caller caller, String request, ApiKey key, @Nullable ApiKey before, ApiKey after) {
    return new ConfigChange(
            ConfigChange.Target.KEY,
            key.id().value(),
            key.partition(),
            key.workspaceId(),
            before == null ? null : form.of(before),
            form.of(after),
            Set.of())
        .receipt(caller, request, clock.instant());
  }

  /**
   * Why a key would reach further than the caller's own or live longer, if it would. Scopes are no
   * part of it: what creates keys comes with the admin role alone, which has all of them.
   */
  private Optional<String> beyond(Caller caller, NewKey wanted) {
    if (caller.workspaceId() != null && !caller.workspaceId().equals(wanted.workspaceId())) {
      return Optional.of("A key pinned to a workspace can only make keys pinned to it.");
    }
    if (caller.partition().mode() == Mode.TEST && wanted.mode() == Mode.LIVE) {
      return Optional.of("A test key cannot make live keys.");
    }
    if (caller.reach().isBound()
        && (wanted.operatorIds().isEmpty()
            || !caller.operatorIds().containsAll(wanted.operatorIds()))) {
      return Optional.of("A key bound to operators can only make keys bound to some of them.");
    }
    Instant end =
        caller
            .key()
            .flatMap(id -> store.get(KeyItems.listed(caller.partition().tenant(), id)))
            .map(KeyItems::key)
            .map(ApiKey::expiresAt)
            .orElse(null);
    boolean longer = end != null && (wanted.expiresAt() == null || wanted.expiresAt().isAfter(end));
    return longer
        ? Optional.of("A key that ends can only make keys that end no later.")
        : Optional.empty();
  }

  /**
   * @param receipt of a request's change; empty where nobody asked for it by one
   */
  private Outcome<Issued> create(
      Tenant tenant,
      KeyId id,
      NewKey wanted,
      @Nullable Principal by,
      Function<ApiKey, Optional<Write>> receipt) {
    Outcome<Issued> made = attempt(tenant, id, wanted, by, receipt);
    boolean crowded =
        made instanceof Refused(Refusal why) && (why.equals(NAME_TAKEN) || why.equals(FULL));
    return crowded && retireEnded(tenant.id()) ? attempt(tenant, id, wanted, by, receipt) : made;
  }

  private Outcome<Issued> attempt(
      Tenant tenant,
      KeyId id,
      NewKey wanted,
      @Nullable Principal by,
      Function<ApiKey, Optional<Write>> receipt) {
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
            wanted.operatorIds().stream().sorted(comparing(OperatorId::value)).toList(),
            wanted.expiresAt(),
            by,
            wanted.owner(),
            Secrets.hint(wanted.mode(), secret),
            null,
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            null);
    List<Write> writes = new ArrayList<>(KeyWrites.creating(tenant, key, hash));
    receipt.apply(key).ifPresent(writes::add);
    Store.Transacted made = transactions.run(writes);
    if (!(made instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(new Issued(key, secret));
    }
    if (refused.of(0).isPresent()) {
      return reissue(tenant, refused.of(0).get().found().orElseThrow(), secret);
    }
    return Outcome.refused(refused.of(1).isPresent() ? NAME_TAKEN : FULL);
  }

  /**
   * Gives back the names and the places in the quota of keys that have come to their end. It is
   * done when somebody wants one: until then nobody can tell the difference.
   *
   * @return whether there were any
   */
  private boolean retireEnded(TenantId tenant) {
    Query active =
        Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, ApiKey.Status.ACTIVE));
    List<Item> ended =
        store.query(active).items().stream()
            .filter(item -> asOfNow(item).status() == ApiKey.Status.REVOKED)
            .toList();
    // Refused means that another request was first, or that the index was late: all the same here.
    ended.forEach(item -> transactions.run(KeyWrites.retiring(item, asOfNow(item))));
    return !ended.isEmpty();
  }

  private Outcome<Issued> reissue(Tenant tenant, Item listed, String secret) {
    ApiKey made = asOfNow(listed);
    if (made.status() == ApiKey.Status.REVOKED) {
      return Outcome.refused(REVOKED_SINCE);
    }
    ApiKey key = made.reissued(Secrets.hint(made.partition().mode(), secret));
    String hash = Secrets.hash(secret);
    Store.Transacted replaced = transactions.run(KeyWrites.reissuing(tenant, listed, key, hash));
    return replaced.done() ? Outcome.done(new Issued(key, secret)) : Outcome.refused(REVOKED_SINCE);
  }

  /** Who is behind a key, whether it is active or not. */
  public Optional<KeyOrigin> origin(TenantId tenant, KeyId id) {
    return store
        .get(KeyItems.listed(tenant, id))
        .map(KeyItems::key)
        .map(key -> new KeyOrigin(key.owner(), key.createdBy()));
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

  /**
   * The keys a caller sees, newest first, revoked ones included unless a status is asked for. The
   * index by status is of what was recorded, and may hold keys as active that have come to their
   * end since; of those there are never more than the quota, so active ones are read from it, and
   * revoked ones from the list of all.
   */
  public Page<ApiKey> list(
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

  /**
   * The active keys that somebody has to do with.
   *
   * @param owned those that they own, which go by whether they are suspended
   * @param made those that they, or a key of theirs, have made, and so on, and that they do not own
   */
  public record Hand(List<ApiKey> owned, List<ApiKey> made) {}

  /** The active keys of both modes that a person owns, and that go back to them. */
  public Hand hand(TenantId tenant, PersonId person) {
    Query active =
        Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, ApiKey.Status.ACTIVE));
    List<Item> found =
        store.query(active).items().stream()
            .filter(item -> asOfNow(item).status() == ApiKey.Status.ACTIVE)
            .toList();
    Lineage lineage = new Lineage(store, tenant, person);
    return new Hand(
        withUse(found.stream().filter(item -> Lineage.owns(person, KeyItems.key(item))).toList()),
        withUse(
            found.stream()
                .filter(item -> !Lineage.owns(person, KeyItems.key(item)))
                .filter(item -> lineage.goesBack(KeyItems.key(item)))
                .toList()));
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
              ApiKey key = asOfNow(item);
              return used == 0 ? key : key.used(Instant.ofEpochMilli(used));
            })
        .toList();
  }

  /**
   * Says who the person behind a key is, or null for nobody; saying it again changes nothing, nor
   * does saying nothing.
   *
   * @param request minted for the request
   */
  public Outcome<ApiKey> own(Caller caller, KeyId id, Given<String> said, String request) {
    if (!said.isSaid()) {
      return find(caller, id).map(Outcome::done).orElseGet(() -> Outcome.refused(NOT_FOUND));
    }
    String owner = said.orNull();
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Optional<Item> listed = listed(caller, id);
      if (listed.isEmpty()) {
        return Outcome.refused(NOT_FOUND);
      }
      ApiKey key = asOfNow(listed.get());
      if (key.status() == ApiKey.Status.REVOKED) {
        return Outcome.refused(NOT_ACTIVE);
      }
      if (isUnknown(key.partition(), owner)) {
        return Outcome.refused(NO_OWNER);
      }
      boolean same = Objects.equals(owner, key.owner());
      if (!same && isTheirs(caller, key)) {
        return Outcome.refused(OWN);
      }
      if (caller.key().filter(id::equals).isPresent()
          && owner(key.partition(), owner).filter(person -> !person.isActive()).isPresent()) {
        return Outcome.refused(ENDS_ITSELF);
      }
      ApiKey seen = withUse(List.of(listed.get())).getFirst();
      List<Write> writes =
          new ArrayList<>(KeyWrites.owning(listed.get(), key.ownedBy(owner), clock.instant()));
      receipt(caller, request, key, seen, seen.ownedBy(owner)).ifPresent(writes::add);
      // Refused means that another request was first: then on what that one left.
      if (same || transactions.run(writes).done()) {
        return find(caller, id).map(Outcome::done).orElseGet(() -> Outcome.refused(NOT_FOUND));
      }
    }
    throw new StoreUnavailable(
        "The key " + id + " changed " + MOST_TRIES + " times meanwhile.", null);
  }

  /**
   * Whether who calls is the owner of a key, or calls by a key that is theirs or goes back to them:
   * whoever may not approve what they proposed does not cease to be behind it by saying so.
   */
  private boolean isTheirs(Caller caller, ApiKey key) {
    String owner = key.owner();
    if (owner == null) {
      return false;
    }
    TenantId tenant = caller.partition().tenant();
    boolean own = caller.principal().is(new Principal(Principal.Type.PERSON, owner, owner, null));
    return own
        || Principal.owning(owner)
            .map(person -> new Lineage(store, tenant, person))
            .filter(
                lineage ->
                    caller
                        .key()
                        .flatMap(id -> store.get(KeyItems.listed(tenant, id)))
                        .map(KeyItems::key)
                        .filter(lineage::goesBack)
                        .isPresent())
            .isPresent();
  }

  /**
   * Revokes a key for good; of a revoked one, changes nothing.
   *
   * @param request minted for the request
   */
  public Outcome<ApiKey> revoke(Caller caller, KeyId id, String request) {
    Optional<Item> listed = listed(caller, id);
    if (listed.isEmpty()) {
      return Outcome.refused(NOT_FOUND);
    }
    ApiKey key = asOfNow(listed.get());
    if (key.status() == ApiKey.Status.REVOKED) {
      return Outcome.done(withUse(List.of(listed.get())).getFirst());
    }
    Instant revokedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ApiKey revoked = key.revoked(revokedAt);
    ApiKey seen = withUse(List.of(listed.get())).getFirst();
    List<Write> writes = new ArrayList<>(KeyWrites.revoking(caller, listed.get(), revoked));
    receipt(caller, request, key, seen, seen.revoked(revokedAt)).ifPresent(writes::add);
    Store.Transacted done = transactions.run(writes);
    if (!(done instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(revoked);
    }
    // The item refuses when another request was first; then that one's result holds.
    return refused.of(0).isPresent()
        ? revoke(caller, id, request)
        : Outcome.refused(LAST_ADMIN_KEY);
  }
}
