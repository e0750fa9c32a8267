package io.actiongovernance.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of an identity provider that is to be made.
 *
 * @param clientSecret null for a client without one
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
