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
 * The caller of a request, derived only from the credential.
 *
 * @param workspaceId the workspace that the key is pinned to, or that was chosen at sign-in; null
 *     for the whole tenant
 * @param operatorIds the operators that the key is bound to; empty if it is bound to none
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

  /** Returns this caller with another of its credentials. */
  public Caller showing(Credential other) {
    return new Caller(requestId, partition, resellerId, other, scopes, workspaceId, operatorIds);
  }

  /** Returns the principal by which plans, receipts and records name the caller. */
  public Principal principal() {
    return credential.principal();
  }

  public String name() {
    return principal().name();
  }

  /**
   * Returns the key whose secret or session the caller uses; empty for a person or an agent.
   * Per-caller counts use {@link #principal()} instead, which every caller has.
   */
  public Optional<KeyId> key() {
    return switch (credential) {
      case Credential.Key key -> Optional.of(key.id());
      case Credential.KeySession session -> Optional.of(session.key().id());
      case Credential.PersonSession _, Credential.Agent _ -> Optional.empty();
    };
  }

  /** Returns the signed-in person; empty for a key, a key's session or an agent. */
  public Optional<PersonId> person() {
    return credential instanceof Credential.PersonSession session
        ? Optional.of(session.person())
        : Optional.empty();
  }

  /**
   * Returns the session that the caller uses; empty if it uses a key's secret or an access token.
   */
  public Optional<SessionId> session() {
    return switch (credential) {
      case Credential.Key _, Credential.Agent _ -> Optional.empty();
      case Credential.KeySession session -> Optional.of(session.session());
      case Credential.PersonSession session -> Optional.of(session.session());
    };
  }

  /**
   * Returns whether the caller is an administrator. Only that role has this scope, because no
   * explicit list of scopes may contain it.
   */
  public boolean isAdmin() {
    return scopes.contains(Scope.KEYS_WRITE);
  }

  /** Returns the agent that calls with an access token; empty for all other callers. */
  public Optional<Credential.Agent> agent() {
    return credential instanceof Credential.Agent agent ? Optional.of(agent) : Optional.empty();
  }

  /**
   * Returns whether the caller may know all results within its reach (contract for agents, section
   * 1). Administrators may, and keys that are bound to operators. All other callers may know the
   * results of their own proposals.
   */
  public boolean knowsAllResults() {
    return isAdmin() || (reach().isBound() && agent().isEmpty());
  }

  /**
   * Returns whether the caller may read events. It needs the scope, and must not be bound to
   * operators.
   */
  public boolean readsEvents() {
    return scopes.contains(Scope.EVENTS_READ) && !reach().isBound();
  }

  /**
   * Returns the part of the tenant's rates that the caller may use. A caller that is bound to
   * operators may use half. A caller that may propose but not approve, such as an unbound agent,
   * may use half of each reserve.
   */
  public Share share() {
    if (reach().isBound()) {
      return Share.HALF;
    }
    return scopes.contains(Scope.PLANS_PROPOSE) && !scopes.contains(Scope.PLANS_APPROVE)
        ? Share.HALF_RESERVE
        : Share.WHOLE;
  }

  /** Returns the key's reach within the data of its tenant and mode. */
  public Reach reach() {
    return new Reach(workspaceId, operatorIds);
  }

  /**
   * Returns whether the key reaches what belongs to this operator. A key that is bound to operators
   * reaches only what belongs to these operators.
   */
  public boolean reaches(OperatorId operator) {
    return reach().covers(operator);
  }

  /**
   * Returns whether the key may see an object of this workspace; null stands for a tenant-wide
   * object (contract, section 9).
   */
  public boolean sees(@Nullable String workspace) {
    return reach().covers(workspace);
  }

  public boolean sees(@Nullable String workspace, OperatorId operator) {
    return reach().covers(workspace, operator);
  }

  /**
   * Returns the workspace of an object that the caller creates: the one it names, or the key's own.
   *
   * @throws Problem if the key is pinned to another workspace
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

  /** Returns the refusal if the caller may not create an object of the named workspace. */
  public Optional<Refusal> beyondKey(@Nullable String named) {
    return named == null || sees(named)
        ? Optional.empty()
        : Optional.of(
            new Refusal.BeyondKey("The key is pinned to a workspace other than " + named + "."));
  }
}
