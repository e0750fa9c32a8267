package io.actiongovernance.key;

import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.people.Person;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Authenticates secrets, and decides which callers a key still admits (contract, section 9).
 * Thread-safe.
 */
final class KeyAuthentication {
  /** Maximum delay of {@code last_used_at}. A key is not written more often than that. */
  static final Duration USED_PRECISION = Duration.ofMinutes(1);

  private final Store store;
  private final InstantSource clock;
  private final StoredKeys stored;

  KeyAuthentication(Store store, InstantSource clock, StoredKeys stored) {
    this.store = store;
    this.clock = clock;
    this.stored = stored;
  }

  ApiKeys.Authentication authenticate(RequestId requestId, String secret) {
    // The form is checked by the text's own checksum. Then the key is read once by the secret's
    // hash, whatever the result. No secret is ever compared with another.
    if (!Secrets.isWellFormed(secret)) {
      return new ApiKeys.Authentication.Unrecognized();
    }
    Key at = KeyItems.bySecret(Secrets.hash(secret));
    Optional<Item> found = store.get(at);
    if (found.isEmpty()) {
      return new ApiKeys.Authentication.Unrecognized();
    }
    if (!found.get().text(KeyItems.STATUS).equals(ApiKey.Status.ACTIVE.wire())) {
      return new ApiKeys.Authentication.Revoked();
    }
    if (found.get().has(KeyItems.ENDS) && found.get().whole(KeyItems.ENDS, 0) <= clock.millis()) {
      return new ApiKeys.Authentication.Expired();
    }
    Optional<Person> owner = stored.owner(found.get());
    if (owner.filter(person -> !person.isActive()).isPresent()) {
      return new ApiKeys.Authentication.Suspended();
    }
    noteUse(at, found.get());
    return known(requestId, found.get(), owner);
  }

  Optional<ApiKeys.Authentication.Known> known(
      RequestId requestId, TenantId tenant, KeyId id, Instant begun) {
    return store
        .get(KeyItems.listed(tenant, id))
        .filter(item -> admits(item, begun))
        .flatMap(item -> store.get(KeyItems.bySecret(item.text(KeyItems.HASH))))
        .map(found -> known(requestId, found, stored.owner(found)));
  }

  private static ApiKeys.Authentication.Known known(
      RequestId requestId, Item found, Optional<Person> owner) {
    return new ApiKeys.Authentication.Known(
        KeyItems.caller(requestId, found, owner.map(Person::subject).orElse(null)),
        Json.read(found.text("limits"), TenantLimits.class));
  }

  boolean admits(TenantId tenant, KeyId id, Instant begun) {
    return store.get(KeyItems.listed(tenant, id)).filter(item -> admits(item, begun)).isPresent();
  }

  private boolean admits(Item listed, Instant begun) {
    ApiKey key = stored.asOfNow(listed);
    return key.status() == ApiKey.Status.ACTIVE
        && begun.toEpochMilli() >= listed.whole(KeyItems.OWNED_SINCE, 0)
        && stored
            .owner(key.partition(), key.owner())
            .filter(person -> !person.admits(begun))
            .isEmpty();
  }

  private void noteUse(Key at, Item found) {
    long now = clock.millis();
    long due = now - USED_PRECISION.toMillis();
    if (found.whole(KeyItems.USED, 0) < due) {
      // A refusal means that another request has already recorded the use.
      store.write(
          Write.update(
              at,
              or(lacks(KeyItems.USED), less(KeyItems.USED, due)),
              Change.set(KeyItems.USED, now)));
    }
  }
}
