package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.AuthorizationServer;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.TokenEndpoint;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests a token URL behind the egress guard, once, without following redirects (RFC 6749,
 * sections 2.3.1, 3.2 and 5). Thread-safe.
 */
final class HttpTokenEndpoint implements TokenEndpoint {
  private static final long LONGEST_LIFETIME = Duration.ofDays(3650).toSeconds();

  private final OutboundClient client;
  private final InstantSource clock;

  HttpTokenEndpoint(OutboundClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public Answer ask(
      AuthorizationServer server,
      Credentials.OAuth2 oauth,
      Map<String, String> grant,
      Duration within) {
    Map<String, String> form = new TreeMap<>(grant);
    Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json"));
    String secret = oauth.clientSecret();
    if (secret != null
        && server.tokenEndpointAuth() == AuthorizationServer.ClientAuth.CLIENT_SECRET_BASIC) {
      headers.put("Authorization", "Basic " + basic(oauth.clientId(), secret));
    } else {
      form.put("client_id", oauth.clientId());
      if (secret != null) {
        form.put("client_secret", secret);
      }
    }
    Outbound request =
        new Outbound("POST", server.tokenUrl(), headers, Outbound.FORM, written(form));
    return switch (client.exchange(request, within)) {
      case Exchange.Forbidden(String why) -> new Answer.Failed(why);
      case Exchange.NotSent(String why) ->
          new Answer.Failed("authorization server unreachable: " + why);
      case Exchange.Withheld(String why) -> new Answer.Failed(why);
      case Exchange.Lost(String why, _) ->
          new Answer.Failed("authorization server reply lost: " + why);
      case Exchange.Answered answered -> judge(answered, redaction(oauth, grant));
    };
  }

  private Answer judge(Exchange.Answered answered, Redaction redaction) {
    JsonNode body = answered.members();
    String error = describe(answered.status(), body, redaction);
    // Some servers answer 200 and name an error.
    boolean refused =
        answered.status() == 400
            || answered.status() == 401
            || answered.status() == 403
            || answered.hasStatusOfSuccess() && body.path("error").isTextual();
    if (refused) {
      return new Answer.Rejected(error);
    }
    String accessToken = token(body, "access_token");
    String type = body.path("token_type").asText("bearer");
    if (!answered.hasStatusOfSuccess() || accessToken == null || !type.equalsIgnoreCase("bearer")) {
      return new Answer.Failed(
          answered.hasStatusOfSuccess() ? error + " (without a bearer token)" : error,
          answered.retryAfter(clock.instant()).orElse(null));
    }
    return new Answer.Granted(accessToken, token(body, "refresh_token"), lifetime(body));
  }

  private static String describe(int status, JsonNode body, Redaction redaction) {
    String said =
        (body.path("error").asText("") + " " + body.path("error_description").asText("")).strip();
    return "authorization server answered "
        + status
        + (said.isEmpty() ? "" : ": " + redaction.excerpt(said));
  }

  /** The token in a field of the body; null if it does not fit in a header. */
  private static @Nullable String token(JsonNode body, String name) {
    String token = body.path(name).asText("");
    return token.matches("[\\x21-\\x7e]{1,10000}") ? token : null;
  }

  private static @Nullable Duration lifetime(JsonNode body) {
    long seconds = body.path("expires_in").asLong(0);
    return seconds > 0 ? Duration.ofSeconds(Math.min(seconds, LONGEST_LIFETIME)) : null;
  }

  /** Both parts are form-encoded first (section 2.3.1). */
  private static String basic(String clientId, String secret) {
    byte[] both = (encode(clientId) + ":" + encode(secret)).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(both);
  }

  private static Redaction redaction(Credentials.OAuth2 oauth, Map<String, String> grant) {
    List<String> secrets = new ArrayList<>(oauth.secrets());
    List.of("code", "code_verifier", "refresh_token")
        .forEach(name -> secrets.add(grant.getOrDefault(name, "")));
    String secret = oauth.clientSecret();
    if (secret != null) {
      secrets.add(basic(oauth.clientId(), secret));
    }
    return new Redaction(secrets);
  }

  private static String written(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
