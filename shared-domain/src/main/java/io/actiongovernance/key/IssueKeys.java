package io.actiongovernance.key;

import static java.util.Comparator.comparing;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates keys (specification, API keys; contract, section 9). One transaction writes a key, its
 * name, its place in the quota and the receipt of its creation. Thread-safe.
 */
final class IssueKeys {
  private static final Refusal NAME_TAKEN =
      new Refusal.Conflict("An active key with this name already exists.");
  private static final Refusal FULL =
      new Refusal.QuotaExceeded(
          "The tenant already has "
              + ApiKeys.QUOTA
              + " active keys, the maximum. Revoke one first.");

  /** An earlier attempt of the same request created the key. */
  private static final Refusal REVOKED_SINCE =
      new Refusal.Conflict("The key that this request created has since been revoked.");

  private final Store store;
  private final StoredKeys stored;
  private final Transactions transactions;
  private final Tenants tenants;
  private final InstantSource clock;
  private final Secrets secrets;
  private final KeyReceipts receipts;

  IssueKeys(
      Store store,
      StoredKeys stored,
      Transactions transactions,
      Tenants tenants,
      Secrets secrets,
      KeyReceipts receipts) {
    this.store = store;
    this.stored = stored;
    this.transactions = transactions;
    this.tenants = tenants;
    this.clock = receipts.clock();
    this.secrets = secrets;
    this.receipts = receipts;
  }

  Outcome<ApiKeys.Issued> create(Caller caller, KeyId id, NewKey wanted) {
    Instant end = wanted.expiresAt();
    if (end != null && !end.isAfter(clock.instant())) {
      return Outcome.refused(
          new Refusal.Invalid("expires_at", "expires_at must be in the future."));
    }
    if (stored.isUnknown(
        new Partition(caller.partition().tenant(), wanted.mode()), wanted.owner())) {
      return Outcome.refused(StoredKeys.NO_OWNER);
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
            key -> receipts.of(caller, request, key, null, key));
  }

  Outcome<ApiKeys.Issued> create(Tenant tenant, KeyId id, NewKey wanted) {
    return create(tenant, id, wanted, null, _ -> Optional.empty());
  }

  /**
   * Returns why a new key would reach further or live longer than the caller's own, if so. Scopes
   * are not checked, because only the admin role, which has all scopes, may create keys.
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
        ? Optional.of("A key that expires can only make keys that expire no later.")
        : Optional.empty();
  }

  /**
   * @param receipt returns the receipt of a request's change; empty if no request asked for it
   */
  private Outcome<ApiKeys.Issued> create(
      Tenant tenant,
      KeyId id,
      NewKey wanted,
      @Nullable Principal by,
      Function<ApiKey, Optional<Write>> receipt) {
    Outcome<ApiKeys.Issued> made = attempt(tenant, id, wanted, by, receipt);
    boolean crowded =
        made instanceof Refused(Refusal why) && (why.equals(NAME_TAKEN) || why.equals(FULL));
    return crowded && retireEnded(tenant.id()) ? attempt(tenant, id, wanted, by, receipt) : made;
  }

  private Outcome<ApiKeys.Issued> attempt(
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
      return Outcome.done(new ApiKeys.Issued(key, secret));
    }
    if (refused.of(0).isPresent()) {
      return reissue(tenant, refused.of(0).get().found().orElseThrow(), secret);
    }
    return Outcome.refused(refused.of(1).isPresent() ? NAME_TAKEN : FULL);
  }

  /**
   * Frees the names and the quota places of expired keys. This is done only when a place or a name
   * is needed, because nobody can notice the difference before.
   *
   * @return whether there were any expired keys
   */
  private boolean retireEnded(TenantId tenant) {
    Query active =
        Query.of(Table.STATE, KeyItems.BY_STATUS, KeyItems.listOf(tenant, ApiKey.Status.ACTIVE));
    List<Item> ended =
        store.query(active).items().stream()
            .filter(item -> stored.asOfNow(item).status() == ApiKey.Status.REVOKED)
            .toList();
    // A refusal means that another request was first, or that the index was late; neither matters
    // here.
    ended.forEach(item -> transactions.run(KeyWrites.retiring(item, stored.asOfNow(item))));
    return !ended.isEmpty();
  }

  private Outcome<ApiKeys.Issued> reissue(Tenant tenant, Item listed, String secret) {
    ApiKey made = stored.asOfNow(listed);
    if (made.status() == ApiKey.Status.REVOKED) {
      return Outcome.refused(REVOKED_SINCE);
    }
    ApiKey key = made.reissued(Secrets.hint(made.partition().mode(), secret));
    String hash = Secrets.hash(secret);
    Store.Transacted replaced = transactions.run(KeyWrites.reissuing(tenant, listed, key, hash));
    return replaced.done()
        ? Outcome.done(new ApiKeys.Issued(key, secret))
        : Outcome.refused(REVOKED_SINCE);
  }
}
