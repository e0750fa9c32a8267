package io.actiongovernance.key;

import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.store.Item;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the scopes of a key are kept. Release 1.0 has no word for those that came after it, and reads
 * no row that has one among its {@code scopes}; so they stand apart there. What a role grants of
 * them is not stored at all, but added when the key is read: so keys that release 1.0 stored have
 * it too.
 */
final class StoredScopes {
  /** Those that release 1.0 does not know. */
  private static final Set<Scope> LATER =
      EnumSet.of(Scope.PLANS_AMEND, Scope.PEOPLE_READ, Scope.PEOPLE_WRITE);

  /** The attribute with those of them that were listed one by one. */
  private static final String LATER_ATTRIBUTE = "later_scopes";

  private StoredScopes() {}

  /** Those that release 1.0 reads. */
  static Set<Scope> known(Collection<Scope> scopes) {
    return scopes.stream()
        .filter(Predicate.not(LATER::contains))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
  }

  /** Adds those that are not among {@link #known} and that no role grants. */
  static Item.Builder writeLater(Item.Builder item, ApiKey key) {
    return key.role() == null
        ? item.with(
            LATER_ATTRIBUTE,
            key.scopes().stream()
                .filter(LATER::contains)
                .map(Scope::wire)
                .collect(Collectors.toSet()))
        : item;
  }

  /**
   * All that a key grants.
   *
   * @param known what of it was stored as release 1.0 does
   * @param item that {@link #writeLater} added to
   * @param role null for a key whose scopes were listed one by one
   */
  static Set<Scope> all(Collection<Scope> known, Item item, @Nullable Role role) {
    Set<Scope> all = EnumSet.noneOf(Scope.class);
    all.addAll(known);
    item.texts(LATER_ATTRIBUTE).forEach(wire -> all.add(Scope.parse(wire).orElseThrow()));
    if (role != null) {
      role.scopes().stream().filter(LATER::contains).forEach(all::add);
    }
    return all;
  }

  /** Whether these are what a role granted when release 1.0 made a key of it. */
  static boolean areOf(Role role, Set<Scope> known) {
    return known.equals(known(role.scopes()));
  }
}
