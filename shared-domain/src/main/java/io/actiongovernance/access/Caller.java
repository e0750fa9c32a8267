package io.actiongovernance.access;

import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, derived from the key alone.
 *
 * @param workspaceId the workspace the key is pinned to, or null for the whole tenant
 * @param owner the person behind the key, or null
 * @param operatorIds the operators the key is bound to; empty for a key that is bound to none
 */
public record Caller(
    RequestId requestId,
    Partition partition,
    @Nullable String resellerId,
    KeyId keyId,
    String keyName,
    Set<Scope> scopes,
    @Nullable String workspaceId,
    @Nullable String owner,
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
    this(requestId, partition, resellerId, keyId, keyName, scopes, workspaceId, null, Set.of());
  }

  /** Who calls, as plans, receipts and records name them. */
  public Principal principal() {
    return new Principal(Principal.Type.KEY, keyId.value(), keyName, owner);
  }

  /**
   * Whether it has the role of those who administer the tenant: the only one with this scope, which
   * no list of scopes may name.
   */
  public boolean isAdmin() {
    return scopes.contains(Scope.KEYS_WRITE);
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
