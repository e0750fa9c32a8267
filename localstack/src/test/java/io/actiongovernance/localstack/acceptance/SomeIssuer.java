package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** An issuer of ID tokens: its metadata and its keys. Thread-safe. */
final class SomeIssuer implements AutoCloseable {
  private final HttpServer server;
  private final ECKey key;
  private volatile Consumer<ObjectNode> spoiling = _ -> {};
  private volatile int status = 200;

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
    byte[] bytes = text.get().getBytes(UTF_8);
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
