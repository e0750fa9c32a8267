package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Subject;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How keys are stored. A key is two items: one found by the hash of its secret, with all that
 * admitting a request needs, and one in its tenant's list, with what the API shows. Beside them, an
 * item holds its name, and one counts the tenant's active keys.
 */
final class KeyItems {
  static final String STATUS = "status";
  static final String HASH = "hash";
  static final String DOC = "doc";
  static final String BY_STATUS = "by_status";
  static final String HOLDER = "holder";

  /** The person behind the key. */
  static final String OWNER = "owner";

  /**
   * The millisecond of the epoch since when it has the owner that it has; 0 if it never had
   * another.
   */
  static final String OWNED_SINCE = "owned_since";

  /** The millisecond of the epoch at which the key ends. */
  static final String ENDS = "ends";

  /** The millisecond of the epoch at which the key was last seen used. */
  static final String USED = "used";

  /** How many keys the tenant has active. */
  static final String ACTIVE = "active";

  private static final String ROLE = "role";

  /** Stands for the role of a key whose scopes were listed one by one. */
  private static final String NO_ROLE = "none";

  private KeyItems() {}

  static Key bySecret(String hash) {
    return Key.single(Table.STATE, "secret#" + hash);
  }

  static Key listed(TenantId tenant, KeyId id) {
    return new Key(Table.STATE, list(tenant), id.value());
  }

  static String list(TenantId tenant) {
    return tenant.value() + "#key";
  }

  static String listOf(TenantId tenant, ApiKey.Status status) {
    return list(tenant) + "#" + status.wire();
  }

  static Key name(TenantId tenant, String name) {
    return new Key(Table.STATE, tenant.value() + "#key_name", name);
  }

  static Key counts(TenantId tenant) {
    return Key.single(Table.STATE, tenant.value() + "#key_counts");
  }

  /** The counter of unpinned admin keys of a mode. */
  static String admins(Mode mode) {
    return "admins_" + mode.wire();
  }

  static Item bySecret(ApiKey key, String hash, Tenant tenant) {
    Item.Builder item =
        Item.at(bySecret(hash))
            .with("key_id", key.id().value())
            .with("partition", key.partition().key())
            .with("reseller_id", tenant.resellerId())
            .with("name", key.name())
            .with(
                "scopes",
                StoredScopes.known(key.scopes()).stream()
                    .map(Scope::wire)
                    .collect(Collectors.toSet()))
            .with(ROLE, key.role() == null ? NO_ROLE : key.role().wire())
            .with("workspace_id", key.workspaceId())
            .with(OWNER, key.owner())
            .with("limits", Json.write(tenant.limits()))
            .with(STATUS, ApiKey.Status.ACTIVE.wire())
            .with(
                "operator_ids",
                key.operatorIds().stream().map(OperatorId::value).collect(Collectors.toSet()));
    if (key.expiresAt() != null) {
      item.with(ENDS, key.expiresAt().toEpochMilli());
    }
    return StoredScopes.writeLater(item, key).build();
  }

  static Item listed(ApiKey key, String hash) {
    return listing(key, hash).build();
  }

  /** The same of one that has another owner from this instant on. */
  static Item listed(ApiKey key, String hash, Instant ownedSince) {
    return listing(key, hash).with(OWNED_SINCE, ownedSince.toEpochMilli()).build();
  }

  private static Item.Builder listing(ApiKey key, String hash) {
    Item.Builder item =
        Item.at(listed(key.partition().tenant(), key.id()))
            .with("kind", "key")
            .with("id", key.id().value())
            .with("partition", key.partition().key())
            .with("ordered", key.id().value())
            .with(BY_STATUS, listOf(key.partition().tenant(), key.status()))
            .with(STATUS, key.status().wire())
            .with(HASH, hash)
            .with(DOC, Json.write(key.granting(StoredScopes.known(key.scopes()))));
    return StoredScopes.writeLater(item, key);
  }

  /** What the item found by a secret grants of what release 1.0 knows. */
  private static Set<Scope> knownScopes(Item found) {
    return found.texts("scopes").stream()
        .map(wire -> Scope.parse(wire).orElseThrow())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
  }

  /**
   * Whether only the list tells of which role the key is: release 1.0 does not say it in the item
   * found by the secret, and whoever lists all that {@code operate} granted has no role for it.
   */
  static boolean leavesRoleOpen(Item found) {
    return !found.has(ROLE) && StoredScopes.areOf(Role.OPERATE, knownScopes(found));
  }

  /**
   * The caller that the item found by a secret stands for.
   *
   * @param listed the key in the list of its tenant, where {@link #leavesRoleOpen}
   * @param owner who the key's owner is to their issuer; null where there is none
   */
  static Caller caller(
      RequestId requestId, Item found, Optional<Item> listed, @Nullable Subject owner) {
    Set<Scope> known = knownScopes(found);
    Role role = listed.map(KeyItems::key).map(ApiKey::role).orElse(null);
    if (found.has(ROLE)) {
      role = Role.parse(found.text(ROLE)).orElse(null);
    } else if (known.contains(Scope.KEYS_WRITE)) {
      // No list may have what only this role grants.
      role = Role.ADMIN;
    }
    return new Caller(
        requestId,
        Partition.parse(found.text("partition")),
        found.textOrNull("reseller_id"),
        new Credential.Key(
            new KeyId(found.text("key_id")), found.text("name"), found.textOrNull(OWNER), owner),
        StoredScopes.all(known, found, role),
        found.textOrNull("workspace_id"),
        found.texts("operator_ids").stream()
            .map(OperatorId::new)
            .collect(Collectors.toUnmodifiableSet()));
  }

  static ApiKey key(Item listed) {
    ApiKey key = Json.read(listed.text(DOC), ApiKey.class);
    return key.granting(StoredScopes.all(key.scopes(), listed, key.role()));
  }
}
