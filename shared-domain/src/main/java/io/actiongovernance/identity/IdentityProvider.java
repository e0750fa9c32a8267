package io.actiongovernance.identity;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.people.RoleBinding;
import io.actiongovernance.people.StandingIssuer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
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
 * @param boundSince of each of them, the version with which it came, and since which it has been
 *     there without a gap; 0 for those of which that is not known
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
    List<Long> boundSince,
    List<AgentClient> agentClients,
    long version,
    long heardSince,
    Instant createdAt,
    Instant updatedAt) {
  public IdentityProvider {
    scopes = List.copyOf(scopes);
    roleBindings = List.copyOf(roleBindings);
    boundSince = List.copyOf(boundSince);
    agentClients = List.copyOf(agentClients);
  }

  /**
   * The versions of bindings that take the place of these.
   *
   * @param next with which those come that are new
   */
  List<Long> boundSince(List<GroupBinding> others, long next) {
    return others.stream()
        .map(roleBindings::indexOf)
        .map(place -> place < 0 ? next : boundSince.get(place))
        .toList();
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
        IntStream.range(0, roleBindings.size()).mapToObj(this::standing).toList());
  }

  private StandingIssuer.GroupRole standing(int place) {
    GroupBinding binding = roleBindings.get(place);
    return new StandingIssuer.GroupRole(binding.group(), binding.ofPerson(), boundSince.get(place));
  }

  @Override
  public String toString() {
    return "IdentityProvider[" + id + "]";
  }
}
