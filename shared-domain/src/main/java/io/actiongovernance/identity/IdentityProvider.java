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
 * The issuer at which the people of a tenant and mode sign in (contract for people, section 1).
 * There is one for each tenant and mode. Immutable.
 *
 * @param issuer the issuer's name in its tokens
 * @param clientId this service's client identifier at the issuer
 * @param sealedSecret the client's secret, sealed; null for a client without a secret
 * @param groupsClaim the claim of ID tokens that names a person's groups
 * @param boundSince for each binding, the version that added it, if it has existed ever since; 0 if
 *     unknown
 * @param agentClients the clients whose access tokens the MCP gateway accepts
 * @param version number of its changes
 * @param heardSince the version from which on its statements about people count: the version of the
 *     last change of issuer, client or claim
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
   * Returns the versions for the bindings that replace these.
   *
   * @param next the version for new bindings
   */
  List<Long> boundSince(List<GroupBinding> others, long next) {
    return others.stream()
        .map(roleBindings::indexOf)
        .map(place -> place < 0 ? next : boundSince.get(place))
        .toList();
  }

  /** Path at which a browser begins to sign in, below the base URL. */
  public static String signInPath(IdentityProviderId id) {
    return "/v1/sign_in/" + id.value();
  }

  /** Path to which the issuer sends the browser back, below the base URL. */
  public static String callbackPath(IdentityProviderId id) {
    return signInPath(id) + "/callback";
  }

  public List<RoleBinding> roles(Collection<String> groups) {
    return roleBindings.stream()
        .filter(binding -> groups.contains(binding.group()))
        .map(GroupBinding::ofPerson)
        .distinct()
        .toList();
  }

  /** Returns the state that decides whether people of the mode count. */
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
