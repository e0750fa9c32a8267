package io.actiongovernance.identity;

import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request's changes to an identity provider; null fields stay unchanged. */
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
