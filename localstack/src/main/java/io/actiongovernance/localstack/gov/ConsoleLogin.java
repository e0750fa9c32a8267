package io.actiongovernance.localstack.gov;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.json.CanonicalJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server on the loopback address that waits for one key. The user signs in to the console and
 * creates the key there, as they specify. Their browser sends the key here in the body of a form,
 * so that no address contains it. The console's address has a random {@code state} that must come
 * back with the key, so that no other page can supply one. Both sides show a code that is derived
 * from the state, by which the user recognizes this program.
 */
final class ConsoleLogin implements AutoCloseable {
  private static final int BYTES = 32;
  private static final int MOST_BYTES = 4_096;

  private final HttpServer server;
  private final String state;
  private final CompletableFuture<String> key = new CompletableFuture<>();

  private ConsoleLogin(HttpServer server, String state) {
    this.server = server;
    this.state = state;
  }

  static ConsoleLogin waiting() throws IOException {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String state = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    ConsoleLogin login = new ConsoleLogin(server, state);
    server.createContext("/", login::answer);
    server.start();
    return login;
  }

  /** Returns the address of the console's page that creates the key. */
  URI page(URI baseUrl) {
    return URI.create("%s/console#/login/%s.%s".formatted(baseUrl, port(), state));
  }

  private int port() {
    return server.getAddress().getPort();
  }

  /** Returns the code that this program and the console show. */
  String code() {
    String hex = CanonicalJson.sha256(state).toUpperCase(Locale.ROOT);
    return hex.substring(0, 4) + "-" + hex.substring(4, 8);
  }

  /**
   * Waits for the key.
   *
   * @throws Failure if no key arrives within {@code patience}
   */
  String key(Duration patience) throws Failure, InterruptedException {
    try {
      return key.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw Failure.of("No key was given within " + patience.toMinutes() + " minutes.");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
    Map<String, String> form = form(new String(body, UTF_8));
    boolean asked =
        exchange.getRequestMethod().equals("POST")
            && ("127.0.0.1:" + port()).equals(exchange.getRequestHeaders().getFirst("Host"))
            && MessageDigest.isEqual(
                form.getOrDefault("state", "").getBytes(UTF_8), state.getBytes(UTF_8));
    boolean taken = asked && form.containsKey("key") && !key.isDone();
    say(
        exchange,
        taken ? 200 : 403,
        taken
            ? "The command line has its key. You can close this page."
            : "No login is waiting for this key.");
    if (taken) {
      // Only this lets the command continue, and stop this server.
      key.complete(form.get("key"));
    }
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    // The page loads nothing, because this server stops after sending it.
    PlainPage page = PlainPage.card("gov", "<h1>gov</h1><p>" + PlainPage.escaped(text) + "</p>");
    byte[] bytes = page.html().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            page.loads() + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static Map<String, String> form(String text) {
    Map<String, String> form = new HashMap<>();
    for (String field : text.split("&")) {
      String[] parts = field.split("=", 2);
      if (parts.length == 2) {
        try {
          form.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
        } catch (IllegalArgumentException e) {
          // Ignored, because no form sends this.
        }
      }
    }
    return form;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
