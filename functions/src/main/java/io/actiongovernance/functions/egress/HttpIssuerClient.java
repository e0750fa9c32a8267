package io.actiongovernance.functions.egress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.actiongovernance.identity.IssuerClient;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to issuers over HTTP behind the egress guard, without retries. It may reach the
 * local stack's own issuer by its exact address, and nothing else on this machine. Thread-safe.
 */
public final class HttpIssuerClient implements IssuerClient {
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final EgressGuard guard;
  private final OutboundClient client;
  private final @Nullable Local local;

  /** The issuer of the local stack, and the client that reaches it. */
  private record Local(URI issuer, OutboundClient client) {
    /** Paths of the issuer that the service requests or sends a browser to. */
    private static final Set<String> BELOW =
        Set.of("", "/.well-known/openid-configuration", "/jwks", "/token", "/authorize");

    boolean has(URI url) {
      String own = issuer.toString();
      return url.toString().startsWith(own)
          && BELOW.contains(url.toString().substring(own.length()));
    }
  }

  private HttpIssuerClient(EgressGuard guard, OutboundClient client, @Nullable Local local) {
    this.guard = guard;
    this.client = client;
    this.local = local;
  }

  /**
   * Returns the client for a service.
   *
   * @param issuer the local stack's own; null if there is none
   */
  public static HttpIssuerClient of(
      EgressGuard guard, OutboundClient client, @Nullable URI issuer) {
    EgressGuard loopback = new EgressGuard(List.of("127.0.0.1/32", "::1/128"));
    return new HttpIssuerClient(
        guard,
        client,
        issuer == null
            ? null
            : new Local(issuer, new OutboundClient(loopback, TrustedRoots.tls(null))));
  }

  @Override
  public Optional<String> problem(URI url) {
    return local != null && local.has(url) ? Optional.empty() : guard.problem(url);
  }

  @Override
  public Answer get(URI url) {
    return ask(new Outbound("GET", url, Map.of("Accept", Outbound.JSON), null));
  }

  @Override
  public Answer post(URI url, @Nullable String authorization, Map<String, String> form) {
    Map<String, String> headers = new HashMap<>(Map.of("Accept", Outbound.JSON));
    if (authorization != null) {
      headers.put("Authorization", authorization);
    }
    String body =
        new TreeMap<>(form)
            .entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
    return ask(new Outbound("POST", url, headers, Outbound.FORM, body));
  }

  private Answer ask(Outbound request) {
    OutboundClient reaching = local != null && local.has(request.url()) ? local.client() : client;
    return switch (reaching.exchange(request, LONGEST)) {
      case Exchange.Answered answered -> new Answer.Response(answered.status(), json(answered));
      case Exchange.Forbidden(String why) -> new Answer.Failed(why);
      case Exchange.NotSent(String why) -> new Answer.Failed(why);
      case Exchange.Withheld(String why) -> new Answer.Failed(why);
      case Exchange.Lost(String why, _) -> new Answer.Failed(why);
    };
  }

  private static JsonNode json(Exchange.Answered answered) {
    JsonNode json = answered.members();
    return json.isContainerNode() ? json : MissingNode.getInstance();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
