package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An authorisation server that takes nothing on trust (RFC 6749, RFC 7636), and the API that its
 * tokens open. A code is good once, a refresh token too; the client authenticates with HTTP Basic;
 * a second use of a refresh token ends everything that was granted with it. Thread-safe.
 */
final class Authority implements AutoCloseable {
  static final String CLIENT = "acme client";
  static final String SCOPE = "tasks:read tasks:write";

  final String clientSecret;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final Set<String> refreshTokens = ConcurrentHashMap.newKeySet();
  private final Set<String> accessTokens = ConcurrentHashMap.newKeySet();
  private final List<String> granted = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final AtomicInteger refreshes = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Duration lifetime = Duration.ofHours(1);
  private volatile int failure;

  Authority() {
    this(0, "client-secret-" + UUID.randomUUID(), List.of());
  }

  /**
   * One that was there before.
   *
   * @param port 0 for a free one
   * @param refreshTokens what it has granted, and will take once
   */
  Authority(int port, String clientSecret, Collection<String> refreshTokens) {
    this.clientSecret = clientSecret;
    this.refreshTokens.addAll(refreshTokens);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/authorize", exchange -> answer(exchange, this::authorize));
    server.createContext("/token", exchange -> answer(exchange, this::token));
    server.createContext("/api/", exchange -> answer(exchange, this::call));
    server.setExecutor(threads);
    server.start();
  }

  /** An answer to be: its status, its headers, and JSON or nothing. */
  private record Said(int status, Map<String, String> headers, @Nullable ObjectNode body) {}

  @FunctionalInterface
  private interface Answering {
    Said to(HttpExchange exchange, Map<String, String> parameters);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** How long the access tokens are good that are granted from now on, as they are told to be. */
  void lifetime(Duration lifetime) {
    this.lifetime = lifetime;
  }

  /** Has the token URL answer with this status; 0 for as it should. */
  void failing(int status) {
    failure = status;
  }

  /** Has the API reject every access token there is. */
  void revokeAccess() {
    accessTokens.clear();
  }

  /** Has everything that was granted end. */
  void revokeAll() {
    accessTokens.clear();
    refreshTokens.clear();
  }

  /** Every code and token it ever granted. */
  List<String> granted() {
    return granted;
  }

  /** What was asked of it that it should not have been asked. */
  List<String> complaints() {
    return complaints;
  }

  int refreshes() {
    return refreshes.get();
  }

  /** How often its API was called with a token that is good. */
  int calls() {
    return calls.get();
  }

  /**
   * A browser that an authorisation server has sent back.
   *
   * @param path where it comes back to, below our base URL
   * @param cookie what it shows; empty where it was given none
   */
  record Back(String path, String cookie) {
    /** What it is answered: it has no key. */
    Answer come(Api api) {
      return cookie.isEmpty() ? api.as(null).get(path) : api.as(null).get(path, "Cookie", cookie);
    }
  }

  /** Opens an address as a browser whose user consents to everything. */
  static Back consent(Api api, String authorizationUrl) throws IOException, InterruptedException {
    URI at = URI.create(authorizationUrl);
    String cookie = "";
    while (!at.getPath().endsWith("/v1/oauth/callback")) {
      HttpResponse<Void> answer =
          api.client()
              .send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.discarding());
      cookie = answer.headers().firstValue("Set-Cookie").orElse(cookie).split(";", 2)[0];
      at = URI.create(answer.headers().firstValue("Location").orElseThrow());
    }
    return new Back(api.below(at) + "?" + at.getRawQuery(), cookie);
  }

  private Said authorize(HttpExchange exchange, Map<String, String> asked) {
    for (String name :
        List.of(
            "response_type=code",
            "client_id=" + CLIENT,
            "scope=" + SCOPE,
            "code_challenge_method=S256",
            "prompt=consent")) {
      String[] wanted = name.split("=", 2);
      require(wanted[1].equals(asked.get(wanted[0])), name + " was not asked for: " + asked);
    }
    String code = grant("code");
    codes.put(code, asked);
    String back =
        asked.get("redirect_uri")
            + "?code="
            + code
            + "&session_state=x&state="
            + asked.get("state");
    return new Said(302, Map.of("Location", back), null);
  }

  private Said token(HttpExchange exchange, Map<String, String> form) {
    if (failure != 0) {
      return new Said(failure, Map.of(), Json.object().put("error", "temporarily_unavailable"));
    }
    String basic = "acme+client:" + clientSecret;
    String expected = "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(UTF_8));
    if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))
        || form.containsKey("client_secret")) {
      return refused(401, "invalid_client");
    }
    return switch (form.getOrDefault("grant_type", "")) {
      case "authorization_code" -> exchanged(form);
      case "refresh_token" -> refreshed(form);
      default -> refused(400, "unsupported_grant_type");
    };
  }

  private Said exchanged(Map<String, String> form) {
    Secrets.add(form.getOrDefault("code_verifier", ""), "code_verifier");
    Map<String, String> asked = codes.remove(form.getOrDefault("code", ""));
    if (asked == null) {
      return refused(400, "invalid_grant");
    }
    require(
        Objects.equals(asked.get("redirect_uri"), form.get("redirect_uri")),
        "Another redirect URI: " + form);
    require(
        challenge(form.getOrDefault("code_verifier", "")).equals(asked.get("code_challenge")),
        "Not the verifier: " + form);
    return tokens();
  }

  private Said refreshed(Map<String, String> form) {
    refreshes.incrementAndGet();
    if (!refreshTokens.remove(form.getOrDefault("refresh_token", ""))) {
      // Somebody else has it too.
      revokeAll();
      return refused(400, "invalid_grant");
    }
    return tokens();
  }

  private Said tokens() {
    String access = grant("access");
    String refresh = grant("refresh");
    accessTokens.add(access);
    refreshTokens.add(refresh);
    return new Said(
        200,
        Map.of(),
        Json.object()
            .put("access_token", access)
            .put("token_type", "Bearer")
            .put("expires_in", lifetime.toSeconds())
            .put("refresh_token", refresh)
            .put("scope", SCOPE));
  }

  private Said call(HttpExchange exchange, Map<String, String> parameters) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !accessTokens.contains(header.replace("Bearer ", ""))) {
      // It says what it was sent, as some do.
      return new Said(401, Map.of(), Json.object().put("error", "no good: " + header));
    }
    int number = calls.incrementAndGet();
    ObjectNode body = Json.object();
    body.putObject("data").put("gid", String.valueOf(number)).put("echo", header);
    return new Said(200, Map.of(), body);
  }

  private static Said refused(int status, String error) {
    return new Said(status, Map.of(), Json.object().put("error", error));
  }

  private String grant(String kind) {
    String text = kind + "-" + UUID.randomUUID();
    granted.add(text);
    Secrets.add(text, kind + " that the authorisation server granted");
    return text;
  }

  private void require(boolean held, String otherwise) {
    if (!held) {
      complaints.add(otherwise);
    }
  }

  private static String challenge(String verifier) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(HttpExchange exchange, Answering answering) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String query = exchange.getRequestURI().getRawQuery();
      boolean isForm =
          "application/x-www-form-urlencoded"
              .equals(exchange.getRequestHeaders().getFirst("Content-Type"));
      Map<String, String> parameters = new HashMap<>(parameters(query));
      parameters.putAll(parameters(isForm ? body : null));
      Said said = answering.to(exchange, parameters);
      said.headers().forEach(exchange.getResponseHeaders()::add);
      byte[] bytes = said.body() == null ? new byte[0] : Json.write(said.body()).getBytes(UTF_8);
      exchange.sendResponseHeaders(said.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** The parameters of a query or a form. */
  static Map<String, String> parameters(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return Map.of();
    }
    return Arrays.stream(text.split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
  }

  static Map<String, String> parameters(URI url) {
    return parameters(url.getRawQuery());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
