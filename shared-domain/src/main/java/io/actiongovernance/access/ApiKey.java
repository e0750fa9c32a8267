package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.id.KeyId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An API key, without its secret (specification, API key object).
 *
 * @param role null when it was created from explicit scopes
 * @param scopes as they were when it was created
 * @param workspaceId the workspace it is pinned to, or null for the whole tenant
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
    String hint,
    @Nullable Instant lastUsedAt,
    Instant createdAt,
    @Nullable Instant revokedAt) {
  public ApiKey {
    scopes = List.copyOf(scopes);
  }

  /** Whether requests with its secret are admitted. */
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

  public Status status() {
    return revokedAt == null ? Status.ACTIVE : Status.REVOKED;
  }

  /** Whether it is one of the keys of which a tenant must not revoke its last. */
  boolean isUnpinnedAdmin() {
    return role == Role.ADMIN && workspaceId == null;
  }
}
