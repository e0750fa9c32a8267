package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Storage of keys. A key is two items. One is under the hash of its secret, with everything that is
 * needed to admit a request. The other is in its tenant's list, with the fields that the API shows.
 * Another item reserves its name, and one counts the tenant's active keys.
 */
final class KeyItems {
  static final String STATUS = "status";
  static final String HASH = "hash";
  static final String DOC = "doc";
  static final String BY_STATUS = "by_status";
  static final String HOLDER = "holder";

  static final String OWNER = "owner";

  /**
   * Unix millisecond since which the key has its present owner; 0 if it never had another owner.
   */
  static final String OWNED_SINCE = "owned_since";

  /** Unix millisecond at which the key expires. */
  static final String ENDS = "ends";

  /** Unix millisecond at which the key was last seen in use. */
  static final String USED = "used";

  static final String ACTIVE = "active";

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

  /** Returns the attribute that counts the unpinned admin keys of a mode. */
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
            .with("scopes", key.scopes().stream().map(Scope::wire).collect(Collectors.toSet()))
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
    return item.build();
  }

  static Item listed(ApiKey key, String hash) {
    return listing(key, hash).build();
  }

  /** Returns the listed item of a key whose owner changes at this instant. */
  static Item listed(ApiKey key, String hash, Instant ownedSince) {
    return listing(key, hash).with(OWNED_SINCE, ownedSince.toEpochMilli()).build();
  }

  private static Item.Builder listing(ApiKey key, String hash) {
    return Item.at(listed(key.partition().tenant(), key.id()))
        .with("kind", "key")
        .with("id", key.id().value())
        .with("partition", key.partition().key())
        .with("ordered", key.id().value())
        .with(BY_STATUS, listOf(key.partition().tenant(), key.status()))
        .with(STATUS, key.status().wire())
        .with(HASH, hash)
        .with(DOC, Json.write(key));
  }

  /**
   * Returns the caller for the item that was found by a secret.
   *
   * @param owner the key owner's subject at their issuer; null if none
   */
  static Caller caller(RequestId requestId, Item found, @Nullable Subject owner) {
    return new Caller(
        requestId,
        Partition.parse(found.text("partition")),
        found.textOrNull("reseller_id"),
        new Credential.Key(
            new KeyId(found.text("key_id")), found.text("name"), found.textOrNull(OWNER), owner),
        found.texts("scopes").stream()
            .map(wire -> Scope.parse(wire).orElseThrow())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class))),
        found.textOrNull("workspace_id"),
        found.texts("operator_ids").stream()
            .map(OperatorId::new)
            .collect(Collectors.toUnmodifiableSet()));
  }

  static ApiKey key(Item listed) {
    return Json.read(listed.text(DOC), ApiKey.class);
  }
}
