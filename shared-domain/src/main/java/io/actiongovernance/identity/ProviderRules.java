package io.actiongovernance.identity;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Rules that a provider must meet before its issuer is asked. Thread-safe. */
final class ProviderRules {
  private static final String OPENID = "openid";

  /** Permitted form of a scope (RFC 6749, section 3.3). */
  private static final String SCOPE = "[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}";

  private static final String VISIBLE = "[\\x21-\\x7e]+";

  private final Function<URI, Optional<String>> egress;
  private final BiPredicate<Partition, OperatorId> isOperator;

  /**
   * @param egress returns why a URL must not be connected to, as {@code must …}
   */
  ProviderRules(
      Function<URI, Optional<String>> egress, BiPredicate<Partition, OperatorId> isOperator) {
    this.egress = egress;
    this.isOperator = isOperator;
  }

  /**
   * @throws Problem that names the first field that breaks its rule
   */
  void check(IdentityProvider provider) {
    require(provider.clientId().matches(VISIBLE), "client_id", "must be visible ASCII characters");
    for (int at = 0; at < provider.scopes().size(); at++) {
      require(provider.scopes().get(at).matches(SCOPE), "scopes[" + at + "]", "must be a scope");
    }
    require(provider.scopes().contains(OPENID), "scopes", "must include openid");
    checkRoles(provider.roleBindings());
    checkAgents(provider);
    checkIssuer(provider.issuer());
  }

  void checkSecret(String secret) {
    require(secret.matches(VISIBLE), "client_secret", "must be visible ASCII characters");
  }

  private void checkIssuer(String issuer) {
    URI url = url(issuer);
    String rule =
        "must be an absolute https URL without user information, query or fragment, spelled as in its tokens";
    require(
        url.getHost() != null
            && url.getRawUserInfo() == null
            && url.getRawQuery() == null
            && url.getRawFragment() == null
            && url.normalize().equals(url),
        "issuer",
        rule);
    egress.apply(url).ifPresent(must -> refuse("issuer", must));
  }

  private static URI url(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw Problem.invalid("issuer", "issuer must be a URL.");
    }
  }

  private static void checkRoles(List<GroupBinding> bindings) {
    Set<GroupBinding> seen = new HashSet<>();
    for (int at = 0; at < bindings.size(); at++) {
      require(seen.add(bindings.get(at)), "role_bindings[" + at + "]", "must not be listed twice");
    }
  }

  private void checkAgents(IdentityProvider provider) {
    Set<String> clients = new HashSet<>();
    List<AgentClient> agents = provider.agentClients();
    for (int at = 0; at < agents.size(); at++) {
      String path = "agent_clients[" + at + "]";
      AgentClient agent = agents.get(at);
      require(clients.add(agent.clientId()), path + ".client_id", "must not be listed twice");
      List<OperatorId> operators = agent.operatorIds();
      for (int of = 0; of < operators.size(); of++) {
        require(
            isOperator.test(provider.partition(), operators.get(of)),
            path + ".operator_ids[" + of + "]",
            "must be the id of an operator");
      }
    }
  }

  private static void require(boolean fine, String path, String rule) {
    if (!fine) {
      refuse(path, rule);
    }
  }

  private static void refuse(String path, String rule) {
    throw Problem.invalid(path, path + " " + rule + ".");
  }
}
