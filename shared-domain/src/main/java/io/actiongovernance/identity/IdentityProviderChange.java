package io.actiongovernance.identity;

import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request says of an identity provider that is to be changed; null keeps what there is. */
public record IdentityProviderChange(
    @Nullable String issuer,
    @Nullable String clientId,
    Given<String> clientSecret,
    @Nullable List<String> scopes,
    @Nullable String groupsClaim,
    @Nullable List<GroupBinding> roleBindings,
    @Nullable List<AgentClient> agentClients) {
  @Override
  public String toString() {
    return "IdentityProviderChange";
  }
}
