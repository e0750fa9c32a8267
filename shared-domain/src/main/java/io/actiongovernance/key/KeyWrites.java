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
 * The writes of each change of a key: what is in one list is one transaction. Which of the
 * conditions refused is told by the place of its write.
 */
final class KeyWrites {
  private KeyWrites() {}

  /**
   * A new key. Refused in the first place if the key is there already, in the second if its name is
   * taken, in the third if the quota is used up.
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

  /** Another secret for a key that nobody was told the first one of. */
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

  /** Another owner, or none. Refused in the first place if the key has changed meanwhile. */
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
   * A revocation at the request of a caller. Refused in the first place if the key has changed
   * meanwhile, else if it is the last admin key of its mode.
   */
  static List<Write> revoking(Caller caller, Item listed, ApiKey revoked) {
    TenantId tenant = revoked.partition().tenant();
    Mode mode = revoked.partition().mode();
    String hash = listed.text(KeyItems.HASH);
    // A caller of the same mode is itself such a key, unless another request has just revoked it:
    // two admins that revoke each other at once must not both succeed.
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
   * The end of a key that has come to it: its name and its place are free. Its secret is left as it
   * is, and goes on telling that the key has expired. Refused in the first place if the key has
   * changed meanwhile.
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
