package io.actiongovernance.functions.route;

import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.identity.AgentTokens;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Authentication;
import java.util.Optional;

/**
 * Identifies the caller by the {@code Authorization} header: an API key, or an agent's access token
 * on the routes that take one. Thread-safe.
 */
final class Bearers {
  private static final String SCHEME = "Bearer";

  private final ApiKeys keys;
  private final AccessTokens tokens;

  Bearers(Wiring wiring) {
    this.keys = wiring.apiKeys();
    this.tokens = new AccessTokens(wiring);
  }

  sealed interface Shown {
    record Known(Authentication.Known known) implements Shown {}

    /** A known caller who may not make this request. */
    record Beyond(Principal who, String why) implements Shown {}

    record Nobody(ErrorCode code, String why) implements Shown {}

    /** The caller cannot be identified at the moment. */
    record Unknown(String why) implements Shown {}
  }

  Shown find(RequestId requestId, RouteFinder.Match match, HttpRequest request) {
    String header = request.header("Authorization");
    String[] parts = header == null ? new String[0] : header.strip().split(" +", 2);
    if (parts.length < 2 || !parts[0].equalsIgnoreCase(SCHEME)) {
      return new Shown.Nobody(
          ErrorCode.UNAUTHENTICATED, "The header Authorization: Bearer <API_KEY> is required.");
    }
    return tokens.isOne(match, parts[1])
        ? ofToken(tokens.judge(requestId, match, parts[1]))
        : ofKey(keys.authenticate(requestId, parts[1]));
  }

  /** Challenges an unauthenticated caller; empty if the challenge would contain only the scheme. */
  Optional<String> challenge(RouteFinder.Match match, HttpRequest request) {
    return tokens.challenge(match, request);
  }

  private static Shown ofToken(AgentTokens.Shown shown) {
    return switch (shown) {
      case AgentTokens.Shown.Known(Authentication.Known known) -> new Shown.Known(known);
      case AgentTokens.Shown.Beyond(Principal agent, String why) -> new Shown.Beyond(agent, why);
      case AgentTokens.Shown.Suspended _ ->
          new Shown.Nobody(
              ErrorCode.KEY_SUSPENDED, "The person who owns the access token is suspended.");
      case AgentTokens.Shown.Nobody(String why) ->
          new Shown.Nobody(
              ErrorCode.UNAUTHENTICATED, "The access token is not accepted: " + why + ".");
      case AgentTokens.Shown.Unknown(String why) -> new Shown.Unknown(why);
    };
  }

  private static Shown ofKey(Authentication shown) {
    return switch (shown) {
      case Authentication.Known known -> new Shown.Known(known);
      case Authentication.Unrecognized _ ->
          new Shown.Nobody(ErrorCode.KEY_INVALID, "The API key is not recognized.");
      case Authentication.Revoked _ ->
          new Shown.Nobody(ErrorCode.KEY_REVOKED, "The API key has been revoked.");
      case Authentication.Expired _ ->
          new Shown.Nobody(ErrorCode.KEY_EXPIRED, "The API key has expired.");
      case Authentication.Suspended _ ->
          new Shown.Nobody(
              ErrorCode.KEY_SUSPENDED, "The person who owns the API key is suspended.");
    };
  }
}
