package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Revokes keys, and sets their owners (contract, section 9; contract for people, section 1). Each
 * change is one transaction with its receipt. Thread-safe.
 */
final class ChangeKeys {
  private static final int MOST_TRIES = 8;

  private static final Refusal NOT_FOUND = new Refusal.NotFound("key");
  private static final Refusal OWN =
      new Refusal.BeyondKey("You cannot give away a key that is yours. Ask another administrator.");
  private static final Refusal ENDS_ITSELF =
      new Refusal.Conflict(
          "That owner is suspended, so this change would suspend the key you are using. Use another key.");
  private static final Refusal NOT_ACTIVE =
      new Refusal.Conflict("The key is revoked or has expired.");
  private static final Refusal LAST_ADMIN_KEY =
      new Refusal.Conflict(
          "The tenant's last active admin key cannot be revoked. Create another one first.");

  private final Store store;
  private final StoredKeys stored;
  private final Transactions transactions;
  private final InstantSource clock;
  private final KeyReceipts receipts;

  ChangeKeys(Store store, StoredKeys stored, Transactions transactions, KeyReceipts receipts) {
    this.store = store;
    this.stored = stored;
    this.transactions = transactions;
    this.clock = receipts.clock();
    this.receipts = receipts;
  }

  Outcome<ApiKey> own(Caller caller, KeyId id, Given<String> said, String request) {
    if (!said.isSaid()) {
      return stored.find(caller, id).map(Outcome::done).orElseGet(() -> Outcome.refused(NOT_FOUND));
    }
    String owner = said.orNull();
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Optional<Item> listed = stored.listed(caller, id);
      if (listed.isEmpty()) {
        return Outcome.refused(NOT_FOUND);
      }
      ApiKey key = stored.asOfNow(listed.get());
      if (key.status() == ApiKey.Status.REVOKED) {
        return Outcome.refused(NOT_ACTIVE);
      }
      if (stored.isUnknown(key.partition(), owner)) {
        return Outcome.refused(StoredKeys.NO_OWNER);
      }
      boolean same = Objects.equals(owner, key.owner());
      if (!same && isTheirs(caller, key)) {
        return Outcome.refused(OWN);
      }
      if (caller.key().filter(id::equals).isPresent()
          && stored
              .owner(key.partition(), owner)
              .filter(person -> !person.isActive())
              .isPresent()) {
        return Outcome.refused(ENDS_ITSELF);
      }
      ApiKey seen = stored.withUse(List.of(listed.get())).getFirst();
      List<Write> writes =
          new ArrayList<>(KeyWrites.owning(listed.get(), key.ownedBy(owner), clock.instant()));
      receipts.of(caller, request, key, seen, seen.ownedBy(owner)).ifPresent(writes::add);
      // A refusal means that another request was first: continue from its result.
      if (same || transactions.run(writes).done()) {
        return stored
            .find(caller, id)
            .map(Outcome::done)
            .orElseGet(() -> Outcome.refused(NOT_FOUND));
      }
    }
    throw new StoreUnavailable(
        "The key " + id + " changed " + MOST_TRIES + " times meanwhile.", null);
  }

  /**
   * Returns whether the caller owns a key, or calls by a key that its owner has or that goes back
   * to its owner. A person who may not approve their own proposals cannot escape that rule by
   * giving the key away.
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

  Outcome<ApiKey> revoke(Caller caller, KeyId id, String request) {
    Optional<Item> listed = stored.listed(caller, id);
    if (listed.isEmpty()) {
      return Outcome.refused(NOT_FOUND);
    }
    ApiKey key = stored.asOfNow(listed.get());
    if (key.status() == ApiKey.Status.REVOKED) {
      return Outcome.done(stored.withUse(List.of(listed.get())).getFirst());
    }
    Instant revokedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ApiKey revoked = key.revoked(revokedAt);
    ApiKey seen = stored.withUse(List.of(listed.get())).getFirst();
    List<Write> writes = new ArrayList<>(KeyWrites.revoking(caller, listed.get(), revoked));
    receipts.of(caller, request, key, seen, seen.revoked(revokedAt)).ifPresent(writes::add);
    Store.Transacted done = transactions.run(writes);
    if (!(done instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(revoked);
    }
    // If another request was first, the write of the key's item is refused; that request's result
    // then counts.
    return refused.of(0).isPresent()
        ? revoke(caller, id, request)
        : Outcome.refused(LAST_ADMIN_KEY);
  }
}
