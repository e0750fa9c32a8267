package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requests of a walk, over HTTP with an admin's key. Thread-safe. */
public class AdminCalls implements Walk.Calls {
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI base;
  private final String key;

  public AdminCalls(URI base, String key) {
    this.base = base;
    this.key = key;
  }

  @Override
  public Walk.Answered send(
      String method, String path, @Nullable String body, @Nullable String secret) throws Exception {
    return request(method, path, body, secret, "Accept", "*/*");
  }

  @Override
  public void stream(String path, String until) throws Exception {
    HttpResponse<Stream<String>> response =
        http.send(
            HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + key)
                .build(),
            BodyHandlers.ofLines());
    assertThat(response.statusCode()).isEqualTo(200);
    try (Stream<String> lines = response.body()) {
      assertThat(lines.anyMatch(until::equals)).isTrue();
    }
  }

  /** Sends a request with these headers. */
  Walk.Answered request(
      String method, String path, @Nullable String body, @Nullable String secret, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Authorization", "Bearer " + (secret == null ? key : secret))
            .headers(headers);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .method(method, BodyPublishers.ofString(body));
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    return new Walk.Answered(response.statusCode(), response.body());
  }
}
