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
 * Finds the keys that go back to a person: keys created by the person, by one of their keys, or by
 * a key that goes back to them. A key's creator is fixed and older than the key, so the search
 * ends. Results are kept for one question about a few keys. Not thread-safe.
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

  static boolean owns(PersonId person, ApiKey key) {
    return Principal.owning(key.owner()).filter(person::equals).isPresent();
  }

  /**
   * Returns whether the person, or a key that the person owns or that goes back to them, created
   * it.
   */
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

  /**
   * Returns the key that created another; empty for a key that is known not to go back to the
   * person.
   */
  private Optional<ApiKey> maker(KeyId id, Set<KeyId> passed) {
    return known.getOrDefault(id, true) && !passed.contains(id)
        ? store.get(KeyItems.listed(tenant, id)).map(KeyItems::key)
        : Optional.empty();
  }
}
