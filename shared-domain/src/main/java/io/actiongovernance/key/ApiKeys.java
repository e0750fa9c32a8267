package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The keys of tenants (specification, API keys; contract, section 9). Each creation, change and
 * revocation is one transaction, so that no key is half created. A revoked or expired key fails on
 * its next request. Thread-safe.
 */
public final class ApiKeys {
  /** Maximum number of a tenant's active keys, both modes together. */
  public static final int QUOTA = 20;

  /** The only attribute that changes when the use of a key is recorded. */
  public static final String NOTES_USE_IN = KeyItems.USED;

  private final KeyAuthentication authentication;
  private final IssueKeys issue;
  private final StoredKeys stored;
  private final ChangeKeys change;

  /**
   * @param form the published form of a key, whose hash receipts contain
   */
  public ApiKeys(
      Store store,
      Transactions transactions,
      Tenants tenants,
      InstantSource clock,
      RandomGenerator random,
      PublicForm<ApiKey> form) {
    KeyReceipts receipts = new KeyReceipts(form, clock);
    this.stored = new StoredKeys(store, clock);
    this.authentication = new KeyAuthentication(store, clock, stored);
    this.issue = new IssueKeys(store, stored, transactions, tenants, new Secrets(random), receipts);
    this.change = new ChangeKeys(store, stored, transactions, receipts);
  }

  /** Result of authenticating a secret. */
  public sealed interface Authentication {
    record Known(Caller caller, TenantLimits limits) implements Authentication {}

    /** The secret belongs to no key. */
    record Unrecognized() implements Authentication {}

    record Revoked() implements Authentication {}

    record Expired() implements Authentication {}

    /** The owner of the key is suspended. */
    record Suspended() implements Authentication {}
  }

  /** A new key, with its secret, which is shown only this once. */
  public record Issued(ApiKey key, String secret) {}

  /**
   * The active keys that a person controls.
   *
   * @param owned the keys that they own, which end with the person's suspension
   * @param made the keys that go back to them but are not owned by them: created by them, or by a
   *     key that goes back to them
   */
  public record Hand(List<ApiKey> owned, List<ApiKey> made) {}

  /** Authenticates a secret, and records its use. */
  public Authentication authenticate(RequestId requestId, String secret) {
    return authentication.authenticate(requestId, secret);
  }

  /**
   * Returns the caller for a session of an active key.
   *
   * @param begun when the session began
   */
  public Optional<Authentication.Known> known(
      RequestId requestId, TenantId tenant, KeyId id, Instant begun) {
    return authentication.known(requestId, tenant, id, begun);
  }

  /**
   * Returns whether a key still admits work that began under it and outlasts a request. It no
   * longer does once its owner is suspended, or it has another owner.
   *
   * @param begun when the work began
   */
  public boolean admits(TenantId tenant, KeyId id, Instant begun) {
    return authentication.admits(tenant, id, begun);
  }

  /**
   * Creates a key for a caller. If it is repeated under the same identifier, for example because
   * the first attempt died before it could answer, no second key is created. The first key gets a
   * new secret, since nobody received the old one.
   */
  public Outcome<Issued> create(Caller caller, KeyId id, NewKey wanted) {
    return issue.create(caller, id, wanted);
  }

  /** Creates a tenant's first keys. They have no creator. */
  public Outcome<Issued> create(Tenant tenant, KeyId id, NewKey wanted) {
    return issue.create(tenant, id, wanted);
  }

  /** Returns the people behind a key, active or not. */
  public Optional<KeyOrigin> origin(TenantId tenant, KeyId id) {
    return stored.origin(tenant, id);
  }

  public Optional<ApiKey> find(Caller caller, KeyId id) {
    return stored.find(caller, id);
  }

  /**
   * Returns the keys that a caller sees, newest first. Revoked keys are included unless a status is
   * given. The index by status has recorded states, in which expired keys may still be active.
   * There are never more of them than the quota permits, so active keys are read from that index,
   * and revoked ones from the list of all keys.
   */
  public Page<ApiKey> list(
      Caller caller, ApiKey.@Nullable Status status, @Nullable Mode mode, PageRequest request) {
    return stored.list(caller, status, mode, request);
  }

  /** Returns the active keys of both modes that a person owns, or that go back to them. */
  public Hand hand(TenantId tenant, PersonId person) {
    return stored.hand(tenant, person);
  }

  /**
   * Sets the person behind a key; null removes the owner. An omitted or unchanged value has no
   * effect.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<ApiKey> own(Caller caller, KeyId id, Given<String> said, String request) {
    return change.own(caller, id, said, request);
  }

  /**
   * Revokes a key permanently. Does nothing if the key is already revoked.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<ApiKey> revoke(Caller caller, KeyId id, String request) {
    return change.revoke(caller, id, request);
  }
}
