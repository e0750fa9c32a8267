package io.actiongovernance.localstack.acceptance.people;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The issuer {@code oidc-provider} of npm, on loopback, for any browser. A person signs in with a
 * typed name, and is in one group, {@code <name>-desk}. It ends with its input. Not thread-safe.
 */
final class OidcProvider implements AutoCloseable {
  private static final int MOST_PAGES = 12;

  private final Process process;
  private final URI url;

  private OidcProvider(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  static OidcProvider start() throws IOException {
    Path script = Path.of("src/test/npm/oidc.mjs").toAbsolutePath();
    Path installed = Npm.file("oidc-provider/package.json").resolve("../../..").normalize();
    Process process =
        new ProcessBuilder("node", "--input-type=module", "-e", Files.readString(script))
            .directory(installed.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String first = said.readLine();
    assertThat(first).as("where it is").startsWith("http://127.0.0.1:");
    return new OidcProvider(process, URI.create(Objects.requireNonNull(first)));
  }

  String url() {
    return url.toString();
  }

  /** A client of it, with {@code client_id} and {@code client_secret}. */
  JsonNode register(String redirectUri) {
    ObjectNode client =
        Json.object()
            .put("scope", "openid profile email groups")
            .put("token_endpoint_auth_method", "client_secret_basic");
    client.putArray("redirect_uris").add(redirectUri);
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve("/reg"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(Json.write(client)))
            .build();
    HttpResponse<String> answer = send(HttpClient.newHttpClient(), request);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Json.read(answer.body());
  }

  /** Somebody signs in where a browser was sent to, and agrees: where it is sent back to. */
  URI signIn(String authorize, String name) {
    try (HttpClient browser = browser()) {
      URI at = URI.create(authorize);
      for (int pages = 0; pages < MOST_PAGES; pages++) {
        HttpResponse<String> page = send(browser, HttpRequest.newBuilder(at).build());
        if (page.statusCode() == 200) {
          page = send(browser, submitted(at, page.body(), name));
        }
        assertThat(page.statusCode()).as(page.body()).isBetween(300, 399);
        at = at.resolve(page.headers().firstValue("Location").orElseThrow());
        if (!at.getAuthority().equals(url.getAuthority())) {
          return at;
        }
      }
    }
    throw new AssertionError("The issuer goes round in circles.");
  }

  private static HttpClient browser() {
    return HttpClient.newBuilder()
        .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
        .followRedirects(HttpClient.Redirect.NEVER)
        .build();
  }

  /** Its page asks who one is, or whether one agrees. */
  private static HttpRequest submitted(URI page, String text, String name) {
    String form =
        text.contains("name=\"login\"")
            ? "prompt=login&password=any&login=" + name
            : "prompt=consent";
    return HttpRequest.newBuilder(page)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form))
        .build();
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
