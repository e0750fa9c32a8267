package io.actiongovernance.key;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes for each change of a key. Each list is one transaction. The position of a refused write
 * tells which condition did not hold.
 */
final class KeyWrites {
  private KeyWrites() {}

  /**
   * Returns the writes for a new key. The first is refused if the key exists, the second if its
   * name is taken, the third if the quota is used up.
   */
  static List<Write> creating(Tenant tenant, ApiKey key, String hash) {
    Item name =
        Item.at(KeyItems.name(tenant.id(), key.name()))
            .with(KeyItems.HOLDER, key.id().value())
            .build();
    return List.of(
        Write.insert(KeyItems.listed(key, hash)),
        Write.insert(name),
        Write.update(
            KeyItems.counts(tenant.id()),
            or(lacks(KeyItems.ACTIVE), less(KeyItems.ACTIVE, ApiKeys.QUOTA)),
            counting(key, 1)),
        Write.insert(KeyItems.bySecret(key, hash, tenant)));
  }

  /** Returns the writes that give a key another secret, because nobody received its first one. */
  static List<Write> reissuing(Tenant tenant, Item listed, ApiKey key, String hash) {
    return List.of(
        Write.put(
            KeyItems.listed(key, hash),
            and(
                equal(KeyItems.HASH, listed.text(KeyItems.HASH)),
                equal(KeyItems.DOC, listed.text(KeyItems.DOC)))),
        Write.insert(KeyItems.bySecret(key, hash, tenant)),
        Write.delete(KeyItems.bySecret(listed.text(KeyItems.HASH)), always()));
  }

  /**
   * Returns the writes that set another owner, or none. The first is refused if the key has
   * changed.
   */
  static List<Write> owning(Item listed, ApiKey owned, Instant at) {
    String hash = listed.text(KeyItems.HASH);
    String owner = owned.owner();
    return List.of(
        Write.put(KeyItems.listed(owned, hash, at), equal(KeyItems.DOC, listed.text(KeyItems.DOC))),
        Write.update(
            KeyItems.bySecret(hash),
            always(),
            owner == null ? Change.remove(KeyItems.OWNER) : Change.set(KeyItems.OWNER, owner)));
  }

  /**
   * Returns the writes for a revocation at a caller's request. The first is refused if the key has
   * changed since it was read. Any other is refused if it is the last admin key of its mode.
   */
  static List<Write> revoking(Caller caller, Item listed, ApiKey revoked) {
    TenantId tenant = revoked.partition().tenant();
    Mode mode = revoked.partition().mode();
    String hash = listed.text(KeyItems.HASH);
    // A caller of the same mode is itself such a key, unless another request has just revoked it.
    // If two admins revoke each other at the same time, at most one may succeed.
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

  /**
   * Returns the writes that free the name and the place of an expired key. Its secret stays, and
   * still reports that the key has expired. The first write is refused if the key has changed since
   * it was read.
   */
  static List<Write> retiring(Item listed, ApiKey ended) {
    TenantId tenant = ended.partition().tenant();
    return List.of(
        Write.put(
            KeyItems.listed(ended, listed.text(KeyItems.HASH)),
            equal(KeyItems.DOC, listed.text(KeyItems.DOC))),
        Write.delete(
            KeyItems.name(tenant, ended.name()),
            or(absent(), equal(KeyItems.HOLDER, ended.id().value()))),
        Write.update(KeyItems.counts(tenant), always(), counting(ended, -1)));
  }

  private static List<Change> counting(ApiKey key, long by) {
    List<Change> changes = new ArrayList<>(List.of(Change.add(KeyItems.ACTIVE, by)));
    if (key.isUnpinnedAdmin()) {
      changes.add(Change.add(KeyItems.admins(key.partition().mode()), by));
    }
    return changes;
  }
}
