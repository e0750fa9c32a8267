package io.actiongovernance.identity;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.people.RoleBinding;
import io.actiongovernance.people.StandingIssuer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The issuer at which the people of a tenant and mode sign in (contract for people, section 1; one
 * for each). Immutable.
 *
 * @param issuer as its tokens name it
 * @param clientId what this service is called there
 * @param sealedSecret the client's secret, sealed; null for a client without one
 * @param scopes what is asked for
 * @param groupsClaim the claim of ID tokens that names somebody's groups
 * @param roleBindings which groups have which roles
 * @param agentClients the clients whose access tokens the MCP gateway takes
 * @param version counts its changes
 * @param heardSince the version from which on what it heard of people counts: that of the last
 *     change of issuer, client or claim
 */
public record IdentityProvider(
    IdentityProviderId id,
    Partition partition,
    String issuer,
    String clientId,
    @Nullable String sealedSecret,
    List<String> scopes,
    String groupsClaim,
    List<GroupBinding> roleBindings,
    List<AgentClient> agentClients,
    long version,
    long heardSince,
    Instant createdAt,
    Instant updatedAt) {
  public IdentityProvider {
    scopes = List.copyOf(scopes);
    roleBindings = List.copyOf(roleBindings);
    agentClients = List.copyOf(agentClients);
  }

  /** Where a browser begins to sign in, below the base URL. */
  public static String signInPath(IdentityProviderId id) {
    return "/v1/sign_in/" + id.value();
  }

  /** Where the issuer sends it back to, below the base URL. */
  public static String callbackPath(IdentityProviderId id) {
    return signInPath(id) + "/callback";
  }

  /** The roles that whoever is in these groups has. */
  public List<RoleBinding> roles(Collection<String> groups) {
    return roleBindings.stream()
        .filter(binding -> groups.contains(binding.group()))
        .map(GroupBinding::ofPerson)
        .distinct()
        .toList();
  }

  /** What people of the mode count by. */
  StandingIssuer standing() {
    return new StandingIssuer(
        id,
        issuer,
        version,
        heardSince,
        roleBindings.stream()
            .map(each -> new StandingIssuer.GroupRole(each.group(), each.ofPerson()))
            .toList());
  }

  @Override
  public String toString() {
    return "IdentityProvider[" + id + "]";
  }
}
