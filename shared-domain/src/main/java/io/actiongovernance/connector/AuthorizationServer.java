package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Authorisation server of a connector of type {@code oauth2} (RFC 6749). Immutable.
 *
 * @param authorizationUrl where the owner's browser is sent
 * @param tokenUrl where codes and refresh tokens are exchanged
 * @param scopes requested scopes; empty for the server's default
 * @param tokenEndpointAuth how the client presents its secret at the token URL
 * @param issuer the name that the server gives when it sends a browser back (RFC 9207); null if not
 *     known
 */
public record AuthorizationServer(
    URI authorizationUrl,
    URI tokenUrl,
    List<String> scopes,
    ClientAuth tokenEndpointAuth,
    @Nullable String issuer) {
  /** Member of a manifest, and of {@code config}, from which it is read. */
  static final String OAUTH2 = "oauth2";

  private static final int MOST_SCOPES = 100;

  /** Parameters that a request must not repeat (RFC 6749, section 3.1). */
  private static final Pattern OURS =
      Pattern.compile(
          "(^|&)(response_type|client_id|redirect_uri|scope|state|code_challenge(_method)?)(=|&|$)");

  public AuthorizationServer {
    scopes = List.copyOf(scopes);
  }

  /**
   * Returns whether a browser comes back from this server (RFC 9207, section 2.4). If the server's
   * issuer is known, {@code iss} must be that issuer. If not, {@code iss} may be absent; otherwise
   * it must name the host of the authorization URL. Without this check, a code of another server
   * could be exchanged here.
   *
   * @param iss as the browser brings it, or null
   */
  boolean isIssuer(@Nullable String iss) {
    if (issuer != null || iss == null) {
      return Objects.equals(issuer, iss);
    }
    try {
      String host = new URI(iss).getHost();
      return host != null && host.equalsIgnoreCase(authorizationUrl.getHost());
    } catch (URISyntaxException _) {
      return false;
    }
  }

  /** Client authentication at the token URL, with the names of RFC 8414. */
  public enum ClientAuth {
    /** {@code Authorization: Basic}, which every authorisation server accepts. */
    CLIENT_SECRET_BASIC,
    /** In the form's fields. */
    CLIENT_SECRET_POST;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ClientAuth> parse(String text) {
      return Arrays.stream(values()).filter(one -> one.wire().equals(text)).findFirst();
    }
  }

  /**
   * Returns the URL that the owner's browser is sent to for a code (RFC 6749, section 4.1.1; RFC
   * 7636, section 4.3).
   *
   * @param challenge the challenge, by the method S256
   */
  URI url(String clientId, URI redirectUri, String state, String challenge) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", clientId);
    parameters.put("redirect_uri", redirectUri.toString());
    if (!scopes.isEmpty()) {
      parameters.put("scope", String.join(" ", scopes));
    }
    parameters.put("state", state);
    parameters.put("code_challenge", challenge);
    parameters.put("code_challenge_method", "S256");
    String query =
        parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + encode(each.getValue()))
            .collect(Collectors.joining("&"));
    String own = authorizationUrl.getRawQuery();
    String before = own == null ? "?" : own.isEmpty() ? "" : "&";
    return URI.create(authorizationUrl + before + query);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static @Nullable AuthorizationServer readOrNull(@Nullable Fields fields) {
    return fields == null ? null : read(fields, null, url -> Optional.empty());
  }

  /**
   * Returns the server that a config results in: the config's own fields, and the listing's for the
   * rest. Null if neither names a server.
   *
   * @param problem the egress guard's objection to a URL, as {@code must be …}
   */
  static @Nullable AuthorizationServer readOrNull(
      Listing listing, Fields config, Function<URI, Optional<String>> problem) {
    Fields own = config.fieldsOrNull(OAUTH2);
    return own == null ? listing.oauth2() : read(own, listing.oauth2(), problem);
  }

  private static AuthorizationServer read(
      Fields fields,
      @Nullable AuthorizationServer listed,
      Function<URI, Optional<String>> problem) {
    URI authorization =
        url(fields, "authorization_url", listed == null ? null : listed.authorizationUrl, problem);
    URI token = url(fields, "token_url", listed == null ? null : listed.tokenUrl, problem);
    List<String> scopes = fields.textsOrNull("scopes", 0, MOST_SCOPES, 200);
    ClientAuth auth =
        fields.choiceOrNull(
            "token_endpoint_auth", ClientAuth::parse, "client_secret_basic or client_secret_post");
    String issuer = fields.textOrNull("issuer", 1, 500);
    fields.done();
    if (scopes != null && !scopes.stream().allMatch(AuthorizationServer::isScope)) {
      String param = fields.param("scopes");
      throw Problem.invalid(param, param + " must contain scopes, each without spaces.");
    }
    return new AuthorizationServer(
        authorization,
        token,
        scopes != null ? scopes : listed == null ? List.of() : listed.scopes,
        auth != null
            ? auth
            : listed == null ? ClientAuth.CLIENT_SECRET_BASIC : listed.tokenEndpointAuth,
        issuer != null || listed == null ? issuer : listed.issuer);
  }

  private static URI url(
      Fields fields, String name, @Nullable URI listed, Function<URI, Optional<String>> problem) {
    String text = fields.textOrNull(name, 1, 500);
    if (text != null) {
      URI url = BaseUrl.readEndpoint(fields.param(name), text, problem);
      if (url.getRawQuery() != null && OURS.matcher(url.getRawQuery()).find()) {
        throw Problem.invalid(
            fields.param(name),
            fields.param(name)
                + " must not have query parameters that this service sets for OAuth.");
      }
      return url;
    }
    if (listed == null) {
      throw Problem.missing(fields.param(name));
    }
    return listed;
  }

  /** Accepts the characters of RFC 6749, section 3.3. */
  private static boolean isScope(String scope) {
    return scope.chars().allMatch(c -> c > 0x20 && c < 0x7f && c != '"' && c != '\\');
  }
}
