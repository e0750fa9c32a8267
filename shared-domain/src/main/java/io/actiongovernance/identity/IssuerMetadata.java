package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The part of an issuer's metadata that is needed (OpenID Connect Discovery 1.0, section 3).
 *
 * @param announcesIss whether its answers to browsers name the issuer (RFC 9207)
 * @param secretInHeader whether clients present their secrets in the header {@code Authorization}
 *     rather than in the form
 */
record IssuerMetadata(
    String issuer,
    URI authorizationEndpoint,
    URI tokenEndpoint,
    URI jwksUri,
    boolean announcesIss,
    boolean secretInHeader) {
  private static final String PATH = "/.well-known/openid-configuration";
  private static final String BASIC = "client_secret_basic";
  private static final String POST = "client_secret_post";

  /** Returns the URL of the metadata. */
  static URI url(String issuer) {
    return URI.create(issuer.replaceFirst("/$", "") + PATH);
  }

  /** Valid metadata, or the reason why it is invalid. */
  sealed interface Reading {
    record Read(IssuerMetadata metadata) implements Reading {}

    record Wrong(String why) implements Reading {}
  }

  /**
   * Reads metadata.
   *
   * @param issuer the issuer that must have published it
   * @param egress returns why a URL must not be connected to, as {@code must …}
   */
  static Reading read(JsonNode said, String issuer, Function<URI, Optional<String>> egress) {
    if (!said.path("issuer").asText().equals(issuer)) {
      return new Reading.Wrong("its metadata names an issuer other than " + issuer);
    }
    URI authorization = endpoint(said, "authorization_endpoint", egress);
    URI token = endpoint(said, "token_endpoint", egress);
    URI jwks = endpoint(said, "jwks_uri", egress);
    if (authorization == null || token == null || jwks == null) {
      return new Reading.Wrong(
          "its metadata lacks an authorization_endpoint, token_endpoint or jwks_uri that may be"
              + " reached");
    }
    List<String> algorithms = texts(said.path("id_token_signing_alg_values_supported"));
    if (!algorithms.isEmpty() && algorithms.stream().noneMatch(SignedTokens::takes)) {
      return new Reading.Wrong("it signs ID tokens with no algorithm that this service accepts");
    }
    List<String> methods = texts(said.path("token_endpoint_auth_methods_supported"));
    return new Reading.Read(
        new IssuerMetadata(
            issuer,
            authorization,
            token,
            jwks,
            said.path("authorization_response_iss_parameter_supported").asBoolean(),
            methods.contains(BASIC) || !methods.contains(POST)));
  }

  private static @Nullable URI endpoint(
      JsonNode said, String name, Function<URI, Optional<String>> egress) {
    try {
      URI url = new URI(said.path(name).asText());
      boolean fine =
          url.getHost() != null
              && url.getRawUserInfo() == null
              && url.getRawFragment() == null
              && egress.apply(url).isEmpty();
      return fine ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
