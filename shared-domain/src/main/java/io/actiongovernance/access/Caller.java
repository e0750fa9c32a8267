package io.actiongovernance.access;

import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, derived from the credential alone.
 *
 * @param workspaceId the workspace the key is pinned to, or that was chosen when the person signed
 *     in; null for the whole tenant
 * @param operatorIds the operators the key is bound to; empty for whoever is bound to none
 */
public record Caller(
    RequestId requestId,
    Partition partition,
    @Nullable String resellerId,
    Credential credential,
    Set<Scope> scopes,
    @Nullable String workspaceId,
    Set<OperatorId> operatorIds) {
  public Caller {
    scopes = Set.copyOf(scopes);
    operatorIds = Set.copyOf(operatorIds);
  }

  /** A caller whose key has no owner and is bound to no operators. */
  public Caller(
      RequestId requestId,
      Partition partition,
      @Nullable String resellerId,
      KeyId keyId,
      String keyName,
      Set<Scope> scopes,
      @Nullable String workspaceId) {
    this(
        requestId,
        partition,
        resellerId,
        new Credential.Key(keyId, keyName, null),
        scopes,
        workspaceId,
        Set.of());
  }

  /** The same, as it calls by another credential of its own. */
  public Caller showing(Credential other) {
    return new Caller(requestId, partition, resellerId, other, scopes, workspaceId, operatorIds);
  }

  /** Who calls, as plans, receipts and records name them. */
  public Principal principal() {
    return credential.principal();
  }

  /** What receipts and records call them: the key's name, or the person's. */
  public String name() {
    return principal().name();
  }

  /**
   * The key whose secret or session it is; empty for a person and for an agent. What is counted for
   * each caller goes by {@link #principal()}, which both have.
   */
  public Optional<KeyId> key() {
    return switch (credential) {
      case Credential.Key key -> Optional.of(key.id());
      case Credential.KeySession session -> Optional.of(session.key().id());
      case Credential.PersonSession _, Credential.Agent _ -> Optional.empty();
    };
  }

  /** The person who is signed in; empty for a key, for a session of one, and for an agent. */
  public Optional<PersonId> person() {
    return credential instanceof Credential.PersonSession session
        ? Optional.of(session.person())
        : Optional.empty();
  }

  /** The session that it calls by; empty for the secret of a key, and for an access token. */
  public Optional<SessionId> session() {
    return switch (credential) {
      case Credential.Key _, Credential.Agent _ -> Optional.empty();
      case Credential.KeySession session -> Optional.of(session.session());
      case Credential.PersonSession session -> Optional.of(session.session());
    };
  }

  /**
   * Whether it has the role of those who administer the tenant: the only one with this scope, which
   * no list of scopes may name.
   */
  public boolean isAdmin() {
    return scopes.contains(Scope.KEYS_WRITE);
  }

  /** The agent that calls by an access token; empty for all others. */
  public Optional<Credential.Agent> agent() {
    return credential instanceof Credential.Agent agent ? Optional.of(agent) : Optional.empty();
  }

  /**
   * Whether it may know what came of all that is within its reach (contract for agents, section 1):
   * a key that is bound to operators, and whoever administers the tenant. All others may of what
   * they proposed themselves.
   */
  public boolean knowsAllResults() {
    return isAdmin() || (reach().isBound() && agent().isEmpty());
  }

  /** Whether it may read events: with the scope, unless it is bound to operators. */
  public boolean readsEvents() {
    return scopes.contains(Scope.EVENTS_READ) && !reach().isBound();
  }

  /**
   * The part of its tenant's rates that it may take: half if it is bound to operators; half of each
   * reserve if it proposes and decides nothing, as unbound agents do.
   */
  public Share share() {
    if (reach().isBound()) {
      return Share.HALF;
    }
    return scopes.contains(Scope.PLANS_PROPOSE) && !scopes.contains(Scope.PLANS_APPROVE)
        ? Share.HALF_RESERVE
        : Share.WHOLE;
  }

  /** How far the key reaches within the data of its tenant and mode. */
  public Reach reach() {
    return new Reach(workspaceId, operatorIds);
  }

  /** Whether the key reaches what is of this operator: a key bound to operators, theirs alone. */
  public boolean reaches(OperatorId operator) {
    return reach().covers(operator);
  }

  /**
   * Whether the key may see an object of this workspace, null standing for a tenant-wide one
   * (contract, section 9).
   */
  public boolean sees(@Nullable String workspace) {
    return reach().covers(workspace);
  }

  /** Whether the key may see an object of this workspace and this operator. */
  public boolean sees(@Nullable String workspace, OperatorId operator) {
    return reach().covers(workspace, operator);
  }

  /**
   * The workspace of an object that the caller makes: the one it names, or the key's own.
   *
   * @throws Problem if the key is pinned to another one
   */
  public @Nullable String workspaceFor(@Nullable String named) {
    if (named == null) {
      return workspaceId;
    }
    beyondKey(named)
        .ifPresent(
            refusal -> {
              throw new Problem(refusal);
            });
    return named;
  }

  /** Why the caller may not make an object of the workspace it names, if it may not. */
  public Optional<Refusal> beyondKey(@Nullable String named) {
    return named == null || sees(named)
        ? Optional.empty()
        : Optional.of(
            new Refusal.BeyondKey("The key is pinned to another workspace than " + named + "."));
  }
}
