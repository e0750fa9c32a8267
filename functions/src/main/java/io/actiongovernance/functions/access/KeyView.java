package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key as the API answers it. */
public record KeyView(
    KeyId id,
    String object,
    String name,
    Mode mode,
    @Nullable Role role,
    List<Scope> scopes,
    @Nullable String workspaceId,
    @Nullable List<OperatorId> operatorIds,
    @Nullable Instant expiresAt,
    @Nullable ObjectNode createdBy,
    @Nullable String owner,
    String hint,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String secret,
    ApiKey.Status status,
    @Nullable Instant lastUsedAt,
    Instant createdAt,
    @Nullable Instant revokedAt) {
  static KeyView of(ApiKey key) {
    return created(key, null);
  }

  /** A key as it is retrieved. */
  public static ObjectNode form(ApiKey key) {
    return (ObjectNode) Json.tree(of(key));
  }

  /** The one answer with the secret. */
  static KeyView created(ApiKey key, @Nullable String secret) {
    Principal maker = key.createdBy();
    return new KeyView(
        key.id(),
        "api_key",
        key.name(),
        key.partition().mode(),
        key.role(),
        key.scopes(),
        key.workspaceId(),
        key.operatorIds().isEmpty() ? null : key.operatorIds(),
        key.expiresAt(),
        maker == null ? null : maker.wire(),
        key.owner(),
        key.hint(),
        secret,
        key.status(),
        key.lastUsedAt(),
        key.createdAt(),
        key.revokedAt());
  }

  /** A key as an element of the list. */
  record Listed(
      KeyId id,
      String object,
      String name,
      Mode mode,
      @Nullable Role role,
      String hint,
      ApiKey.Status status,
      @Nullable Instant lastUsedAt,
      Instant createdAt) {
    static Listed of(ApiKey key) {
      return new Listed(
          key.id(),
          "api_key",
          key.name(),
          key.partition().mode(),
          key.role(),
          key.hint(),
          key.status(),
          key.lastUsedAt(),
          key.createdAt());
    }
  }

  /** What a revocation answers. */
  record RevokedKey(
      KeyId id, String object, String name, ApiKey.Status status, @Nullable Instant revokedAt) {
    static RevokedKey of(ApiKey key) {
      return new RevokedKey(key.id(), "api_key", key.name(), key.status(), key.revokedAt());
    }
  }
}
