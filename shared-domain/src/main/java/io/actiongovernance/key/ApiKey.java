package io.actiongovernance.key;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Reach;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An API key, without its secret (specification, API key object; contract, section 9).
 *
 * @param role null if it was created from explicit scopes
 * @param scopes the scopes that it got when it was created
 * @param workspaceId the workspace it is pinned to, or null for the whole tenant
 * @param operatorIds the operators it is bound to; empty if it is bound to none
 * @param expiresAt when it expires, or null if never
 * @param createdBy its creator; null for a tenant's first keys
 * @param owner the person behind it, or null
 * @param lastUsedAt null if never used; may be a minute old
 * @param revokedAt null while active
 */
public record ApiKey(
    KeyId id,
    Partition partition,
    String name,
    @Nullable Role role,
    List<Scope> scopes,
    @Nullable String workspaceId,
    List<OperatorId> operatorIds,
    @Nullable Instant expiresAt,
    @Nullable Principal createdBy,
    @Nullable String owner,
    String hint,
    @Nullable Instant lastUsedAt,
    Instant createdAt,
    @Nullable Instant revokedAt) {
  public ApiKey {
    scopes = List.copyOf(scopes);
    operatorIds = List.copyOf(operatorIds);
  }

  public enum Status {
    ACTIVE("active"),
    REVOKED("revoked");

    private final String wire;

    Status(String wire) {
      this.wire = wire;
    }

    @JsonValue
    public String wire() {
      return wire;
    }

    public static Optional<Status> parse(String text) {
      return Arrays.stream(values()).filter(status -> status.wire.equals(text)).findFirst();
    }
  }

  /** Returns the recorded status; {@link #asOf} also takes expiry into account. */
  public Status status() {
    return revokedAt == null ? Status.ACTIVE : Status.REVOKED;
  }

  /** Returns the key as of an instant. An expired key counts as revoked since its expiry. */
  ApiKey asOf(Instant now) {
    return revokedAt == null && expiresAt != null && !now.isBefore(expiresAt)
        ? revoked(expiresAt)
        : this;
  }

  ApiKey revoked(Instant at) {
    return with(owner, hint, lastUsedAt, at);
  }

  ApiKey ownedBy(@Nullable String person) {
    return with(person, hint, lastUsedAt, revokedAt);
  }

  ApiKey used(Instant at) {
    return with(owner, hint, at, revokedAt);
  }

  ApiKey reissued(String newHint) {
    return with(owner, newHint, lastUsedAt, revokedAt);
  }

  private ApiKey with(
      @Nullable String newOwner,
      String newHint,
      @Nullable Instant newLastUsedAt,
      @Nullable Instant newRevokedAt) {
    return new ApiKey(
        id,
        partition,
        name,
        role,
        scopes,
        workspaceId,
        operatorIds,
        expiresAt,
        createdBy,
        newOwner,
        newHint,
        newLastUsedAt,
        createdAt,
        newRevokedAt);
  }

  Reach reach() {
    return new Reach(workspaceId, Set.copyOf(operatorIds));
  }

  /**
   * Returns whether it is an admin key without a workspace; a tenant must keep at least one such
   * key.
   */
  boolean isUnpinnedAdmin() {
    return role == Role.ADMIN && workspaceId == null;
  }
}
