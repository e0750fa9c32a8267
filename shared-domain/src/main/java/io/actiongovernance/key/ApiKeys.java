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
 * The keys of tenants (specification, API keys; contract, section 9). Creating, changing and
 * revoking are one transaction each, so that a key is never half there; a revoked key, and one that
 * has come to its end, fail on their next request. Thread-safe.
 */
public final class ApiKeys {
  /** Active keys of both modes a tenant may have. */
  public static final int QUOTA = 20;

  /** The one attribute that noting the use of a key changes. */
  public static final String NOTES_USE_IN = KeyItems.USED;

  private final KeyAuthentication authentication;
  private final IssueKeys issue;
  private final StoredKeys stored;
  private final ChangeKeys change;

  /**
   * @param form what the receipts of keys attest
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

  /** Whom a secret belongs to. */
  public sealed interface Authentication {
    /** An active key's. */
    record Known(Caller caller, TenantLimits limits) implements Authentication {}

    /** Nobody's. */
    record Unrecognized() implements Authentication {}

    /** A revoked key's. */
    record Revoked() implements Authentication {}

    /** Of a key that has come to its end. */
    record Expired() implements Authentication {}

    /** Of a key whose owner is suspended. */
    record Suspended() implements Authentication {}
  }

  /** A key that was created; this is the only time its secret is told. */
  public record Issued(ApiKey key, String secret) {}

  /**
   * The active keys that somebody has to do with.
   *
   * @param owned those that they own, which go by whether they are suspended
   * @param made those that they, or a key of theirs, have made, and so on, and that they do not own
   */
  public record Hand(List<ApiKey> owned, List<ApiKey> made) {}

  /** Finds out whom a secret belongs to, and notes that it was used. */
  public Authentication authenticate(RequestId requestId, String secret) {
    return authentication.authenticate(requestId, secret);
  }

  /**
   * An active key as it calls by a session of its own.
   *
   * @param begun when that began
   */
  public Optional<Authentication.Known> known(
      RequestId requestId, TenantId tenant, KeyId id, Instant begun) {
    return authentication.known(requestId, tenant, id, begun);
  }

  /**
   * Whether a key still admits anybody by what was begun as it: for what lasts longer than a
   * request, or outlives it. That ends when its owner is suspended, and when it gets another.
   *
   * @param begun when that was
   */
  public boolean admits(TenantId tenant, KeyId id, Instant begun) {
    return authentication.admits(tenant, id, begun);
  }

  /**
   * Creates a key for a caller. Doing it again under the same identifier, as when the first attempt
   * died before it could answer, makes no second key: the first gets a new secret, since nobody was
   * told the old one.
   */
  public Outcome<Issued> create(Caller caller, KeyId id, NewKey wanted) {
    return issue.create(caller, id, wanted);
  }

  /** Creates a key of a tenant, on nobody's behalf: for its first ones. */
  public Outcome<Issued> create(Tenant tenant, KeyId id, NewKey wanted) {
    return issue.create(tenant, id, wanted);
  }

  /** Who is behind a key, whether it is active or not. */
  public Optional<KeyOrigin> origin(TenantId tenant, KeyId id) {
    return stored.origin(tenant, id);
  }

  /** The key, if the caller sees one of that identifier. */
  public Optional<ApiKey> find(Caller caller, KeyId id) {
    return stored.find(caller, id);
  }

  /**
   * The keys a caller sees, newest first, revoked ones included unless a status is asked for. The
   * index by status is of what was recorded, and may hold keys as active that have come to their
   * end since; of those there are never more than the quota, so active ones are read from it, and
   * revoked ones from the list of all.
   */
  public Page<ApiKey> list(
      Caller caller, ApiKey.@Nullable Status status, @Nullable Mode mode, PageRequest request) {
    return stored.list(caller, status, mode, request);
  }

  /** The active keys of both modes that a person owns, and that go back to them. */
  public Hand hand(TenantId tenant, PersonId person) {
    return stored.hand(tenant, person);
  }

  /**
   * Says who the person behind a key is, or null for nobody; saying it again changes nothing, nor
   * does saying nothing.
   *
   * @param request minted for the request
   */
  public Outcome<ApiKey> own(Caller caller, KeyId id, Given<String> said, String request) {
    return change.own(caller, id, said, request);
  }

  /**
   * Revokes a key for good; of a revoked one, changes nothing.
   *
   * @param request minted for the request
   */
  public Outcome<ApiKey> revoke(Caller caller, KeyId id, String request) {
    return change.revoke(caller, id, request);
  }
}
