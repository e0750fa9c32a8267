package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An issuer that keeps its rules, unless a test has it break one: a code is single-use and needs
 * the verifier and the redirect URI of its request. Not thread-safe.
 */
final class IssuerInMemory implements IssuerClient {
  static final String ISSUER = "https://login.acme.example";

  private final InstantSource clock;
  private final Map<String, Map<String, String>> codes = new HashMap<>();

  ECKey key = key("one");
  List<JWK> published = List.of(key.toPublicJWK());
  Consumer<ObjectNode> metadata = _ -> {};
  Consumer<JWTClaimsSet.Builder> claims = _ -> {};
  UnaryOperator<String> token = UnaryOperator.identity();
  @Nullable Integer status;
  int keysAsked;
  Runnable whenAsked = () -> {};
  final List<Map<String, String>> exchanged = new ArrayList<>();

  IssuerInMemory(InstantSource clock) {
    this.clock = clock;
  }

  static ECKey key(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The parameters of an address. */
  static Map<String, String> query(URI url) {
    return Arrays.stream(url.getRawQuery().split("&"))
        .map(one -> one.split("=", 2))
        .collect(
            Collectors.toMap(
                one -> one[0], one -> URLDecoder.decode(one[1], StandardCharsets.UTF_8)));
  }

  /** Somebody signs in where a browser was sent to: the code that the browser brings back. */
  String code(URI authorize) {
    String code = "code-" + (codes.size() + 1);
    codes.put(code, query(authorize));
    return code;
  }

  @Override
  public Optional<String> problem(URI url) {
    return "https".equals(url.getScheme()) ? Optional.empty() : Optional.of("must be https");
  }

  @Override
  public Answer get(URI url) {
    if (status != null) {
      return new Answer.Response(status, Json.object());
    }
    if (url.getPath().endsWith("/keys")) {
      keysAsked++;
      return new Answer.Response(200, Json.read(new JWKSet(published).toString(true)));
    }
    ObjectNode said =
        Json.object()
            .put("issuer", ISSUER)
            .put("authorization_endpoint", ISSUER + "/authorize?tenant=acme")
            .put("token_endpoint", ISSUER + "/token")
            .put("jwks_uri", ISSUER + "/keys");
    metadata.accept(said);
    return new Answer.Response(200, said);
  }

  @Override
  public Answer post(URI url, @Nullable String authorization, Map<String, String> form) {
    exchanged.add(form);
    whenAsked.run();
    if (status != null) {
      return new Answer.Response(status, Json.object());
    }
    Map<String, String> asked = codes.remove(form.get("code"));
    boolean fits =
        asked != null
            && Objects.equals(form.get("redirect_uri"), asked.get("redirect_uri"))
            && RandomText.sha256(form.getOrDefault("code_verifier", ""))
                .equals(asked.get("code_challenge"));
    if (!fits) {
      return new Answer.Response(400, Json.object().put("error", "invalid_grant"));
    }
    Instant now = clock.instant();
    JWTClaimsSet.Builder said =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(asked.get("client_id"))
            .subject("sub-dana")
            .claim("name", "Dana Reyes")
            .claim("groups", List.of("support-leads"))
            .claim("nonce", asked.get("nonce"))
            .claim("auth_time", now.getEpochSecond())
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(300)));
    claims.accept(said);
    return new Answer.Response(
        200, Json.object().put("id_token", token.apply(signed(key, said.build()))));
  }

  static String signed(ECKey key, JWTClaimsSet claims) {
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
      jwt.sign(new ECDSASigner(key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
