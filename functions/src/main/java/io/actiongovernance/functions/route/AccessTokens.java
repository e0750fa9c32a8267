package io.actiongovernance.functions.route;

import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.identity.AgentIssuers;
import io.actiongovernance.identity.AgentTokens;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens that agents present instead of an API key, on the routes that accept them (contract
 * for people, section 7). Thread-safe.
 */
public final class AccessTokens {
  /** Path prefix of the documents that tell clients where to get tokens (RFC 9728). */
  public static final String METADATA = "/.well-known/oauth-protected-resource";

  private static final String OPERATOR = "operator_id";

  /** Three base64url parts separated by dots; no API key contains a dot. */
  private static final String FORM = "[\\w-]+\\.[\\w-]*\\.[\\w-]*";

  private final Wiring wiring;
  private final AgentIssuers issuers;
  private final URI baseUrl;

  /** Created when the first token is presented, so that callers with API keys do not load it. */
  private @Nullable AgentTokens judge;

  AccessTokens(Wiring wiring) {
    this.wiring = wiring;
    this.issuers = wiring.agentIssuers();
    this.baseUrl = wiring.settings().baseUrl();
  }

  /** The URL that a token is valid for, which is the token's audience. */
  public static URI resource(URI baseUrl, Route route, OperatorId operator) {
    return BaseUrl.at(baseUrl, path(route, operator));
  }

  private static String path(Route route, OperatorId operator) {
    return route.path(_ -> operator.value());
  }

  /** Returns whether to verify the credential as an access token rather than as an API key. */
  boolean isOne(RouteFinder.Match match, String shown) {
    return takes(match.route()) && operator(match).isPresent() && shown.matches(FORM);
  }

  private static boolean takes(Route route) {
    return route.access().credentials() == Route.Credentials.KEY_OR_TOKEN;
  }

  private static Optional<OperatorId> operator(RouteFinder.Match match) {
    return OperatorId.parse(match.parameters().getOrDefault(OPERATOR, ""));
  }

  /** Finds the person or agent that the token belongs to. */
  AgentTokens.Shown judge(RequestId requestId, RouteFinder.Match match, String token) {
    OperatorId operator = operator(match).orElseThrow();
    return judge()
        .judge(requestId, operator, resource(baseUrl, match.route(), operator).toString(), token);
  }

  private synchronized AgentTokens judge() {
    AgentTokens made = judge == null ? wiring.agentTokens() : judge;
    judge = made;
    return made;
  }

  /**
   * The {@code WWW-Authenticate} challenge for an unauthenticated caller (RFC 6750, RFC 9728);
   * empty if it would contain only the scheme.
   */
  Optional<String> challenge(RouteFinder.Match match, HttpRequest request) {
    if (!takes(match.route())) {
      return Optional.empty();
    }
    String error = request.header("Authorization") == null ? "" : "error=\"invalid_token\", ";
    return operator(match)
        .filter(operator -> issuers.of(operator).isPresent())
        .map(operator -> BaseUrl.at(baseUrl, METADATA + path(match.route(), operator)))
        .map(url -> "Bearer %sresource_metadata=\"%s\"".formatted(error, url));
  }
}
