package io.actiongovernance.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of an identity provider to create.
 *
 * @param clientSecret null for a client without a secret
 */
public record NewIdentityProvider(
    String issuer,
    String clientId,
    @Nullable String clientSecret,
    List<String> scopes,
    String groupsClaim,
    List<GroupBinding> roleBindings,
    List<AgentClient> agentClients) {
  @Override
  public String toString() {
    return "NewIdentityProvider[" + issuer + "]";
  }
}
