package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An issuer of ID tokens, at which whoever comes is Dana in a group. It keeps its rules, unless a
 * test has it break one: a code is good once, with the verifier and the redirect URI that it was
 * asked for with. Thread-safe.
 */
final class SomeIssuer implements AutoCloseable {
  private final HttpServer server;
  private final ECKey key;
  private volatile Consumer<ObjectNode> spoiling = _ -> {};
  private volatile int status = 200;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private volatile Consumer<JWTClaimsSet.Builder> saying = _ -> {};
  private volatile UnaryOperator<String> forging = UnaryOperator.identity();

  SomeIssuer() {
    try {
      key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    server.createContext(
        "/.well-known/openid-configuration", exchange -> answer(exchange, this::metadata));
    server.createContext("/keys", exchange -> answer(exchange, this::keys));
    server.createContext("/token", this::exchange);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What it signs with. */
  ECKey key() {
    return key;
  }

  /** Has its metadata be wrong in a way; what was wrong before is right again. */
  void spoil(Consumer<ObjectNode> how) {
    spoiling = how;
  }

  /** Has it answer with this status. */
  void answering(int other) {
    status = other;
  }

  /** Has its tokens claim something else; what they claimed before they claim no more. */
  void claiming(Consumer<JWTClaimsSet.Builder> what) {
    saying = what;
  }

  /** Has it answer with another token than the one that it made. */
  void forging(UnaryOperator<String> how) {
    forging = how;
  }

  /** Its public key, as a JSON Web Key. */
  String publicKey() {
    return key.toPublicJWK().toJSONString();
  }

  /** The parameters of an address, decoded. */
  static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String one : text.replaceFirst("^[^?]*\\?", "").split("&")) {
      String[] parts = one.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    return query;
  }

  /** Somebody signs in where a browser was sent to: the code that it brings back. */
  String code(String authorize) {
    assertThat(authorize).startsWith(url() + "/authorize?");
    String code = Given.unique("code");
    codes.put(code, query(authorize));
    return code;
  }

  private void exchange(HttpExchange exchange) throws IOException {
    Map<String, String> form = query(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    Map<String, String> asked = codes.remove(form.getOrDefault("code", ""));
    boolean fits =
        asked != null
            && Objects.equals(form.get("redirect_uri"), asked.get("redirect_uri"))
            && Objects.equals(challenge(form), asked.get("code_challenge"));
    if (fits) {
      answer(exchange, () -> token(asked));
    } else {
      write(exchange, 400, "{\"error\":\"invalid_grant\"}");
    }
  }

  private static String challenge(Map<String, String> form) {
    byte[] verifier = form.getOrDefault("code_verifier", "").getBytes(UTF_8);
    try {
      return Base64URL.encode(MessageDigest.getInstance("SHA-256").digest(verifier)).toString();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String token(Map<String, String> asked) {
    Instant now = Instant.now();
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(url())
            .audience(asked.get("client_id"))
            .subject("sub-dana")
            .claim("name", "Dana Reyes")
            .claim("groups", List.of("admins"))
            .claim("nonce", asked.get("nonce"))
            .claim("auth_time", now.getEpochSecond())
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(300)));
    saying.accept(claims);
    return Json.write(Json.object().put("id_token", forging.apply(signed(claims.build()))));
  }

  /** These claims as it signs them. */
  String signed(JWTClaimsSet claims) {
    return signed(key, claims);
  }

  /** These claims as somebody else signs them, under the name of its key. */
  static String forged(JWTClaimsSet claims) {
    try {
      return signed(new ECKeyGenerator(Curve.P_256).keyID("one").generate(), claims);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String signed(ECKey key, JWTClaimsSet claims) {
    try {
      JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new ECDSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a token claims. */
  static JWTClaimsSet claims(String token) {
    try {
      return SignedJWT.parse(token).getJWTClaimsSet();
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  private String metadata() {
    ObjectNode metadata =
        Json.object()
            .put("issuer", url())
            .put("authorization_endpoint", url() + "/authorize")
            .put("token_endpoint", url() + "/token")
            .put("jwks_uri", url() + "/keys");
    metadata.putArray("id_token_signing_alg_values_supported").add("ES256");
    spoiling.accept(metadata);
    return Json.write(metadata);
  }

  private String keys() {
    return new JWKSet(key).toString(true);
  }

  private void answer(HttpExchange exchange, Supplier<String> text) throws IOException {
    write(exchange, status, text.get());
  }

  private static void write(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
