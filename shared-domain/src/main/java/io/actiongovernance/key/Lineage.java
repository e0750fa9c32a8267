package io.actiongovernance.key;

import io.actiongovernance.access.Principal;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Store;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which keys go back to a person: they made it, or one of their keys did, or one that goes
 * back to them. A key's maker is fixed when it is made and older than it, so that this ends. What
 * was found is kept: for one question about a few keys. Not thread-safe.
 */
final class Lineage {
  private final Store store;
  private final TenantId tenant;
  private final PersonId person;
  private final Map<KeyId, Boolean> known = new HashMap<>();

  Lineage(Store store, TenantId tenant, PersonId person) {
    this.store = store;
    this.tenant = tenant;
    this.person = person;
  }

  /** Whether the key is the person's. */
  static boolean owns(PersonId person, ApiKey key) {
    return Principal.owning(key.owner()).filter(person::equals).isPresent();
  }

  /** Whether the person, or a key that is theirs or goes back to them, made it. */
  boolean goesBack(ApiKey key) {
    Set<KeyId> passed = new LinkedHashSet<>();
    Optional<ApiKey> next = Optional.of(key);
    boolean found = false;
    while (next.isPresent() && !found) {
      ApiKey at = next.get();
      passed.add(at.id());
      Principal maker = at.createdBy();
      found =
          known.getOrDefault(at.id(), false)
              || (maker != null && maker.id().equals(person.value()));
      next =
          maker == null || maker.type() != Principal.Type.KEY
              ? Optional.empty()
              : maker(new KeyId(maker.id()), passed);
      found = found || next.filter(one -> owns(person, one)).isPresent();
    }
    for (KeyId id : passed) {
      known.put(id, found);
    }
    return found;
  }

  /** Empty for one that does not go back to them, as it is known already. */
  private Optional<ApiKey> maker(KeyId id, Set<KeyId> passed) {
    return known.getOrDefault(id, true) && !passed.contains(id)
        ? store.get(KeyItems.listed(tenant, id)).map(KeyItems::key)
        : Optional.empty();
  }
}
