package io.actiongovernance.access;

import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, derived from the key alone.
 *
 * @param workspaceId the workspace the key is pinned to, or null for the whole tenant
 */
public record Caller(
    RequestId requestId,
    Partition partition,
    @Nullable String resellerId,
    KeyId keyId,
    String keyName,
    Set<Scope> scopes,
    @Nullable String workspaceId) {
  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /**
   * Whether the key may see an object of this workspace, null standing for a tenant-wide one
   * (contract, section 9).
   */
  public boolean sees(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /**
   * The workspace of an object that the caller makes: the one it names, or the key's own.
   *
   * @throws ApiException if the key is pinned to another one
   */
  public @Nullable String workspaceFor(@Nullable String named) {
    if (named == null) {
      return workspaceId;
    }
    if (!sees(named)) {
      throw new ApiException(
          ErrorCode.INSUFFICIENT_SCOPE,
          "The key is pinned to another workspace than " + named + ".");
    }
    return named;
  }
}
