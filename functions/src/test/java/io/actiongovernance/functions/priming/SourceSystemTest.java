package io.actiongovernance.functions.priming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

final class SourceSystemTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> post(URI url) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(url)
            .POST(HttpRequest.BodyPublishers.ofString("{\"text\":\"hello\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void everyRequestIsAnswered() throws Exception {
    try (SourceSystem system = new SourceSystem()) {
      for (int at = 0; at < 3; at++) {
        HttpResponse<String> answer = post(system.url("http"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"id\":\"re_1\"");
      }
    }
  }

  @Test
  void oneOfItsPathsNeverReplies() throws Exception {
    try (SourceSystem system = new SourceSystem()) {
      assertThatThrownBy(() -> post(system.url("http").resolve(SourceSystem.LOST)))
          .isInstanceOf(IOException.class);
      assertThat(post(system.url("http")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aTlsConnectionIsClosed() {
    try (SourceSystem system = new SourceSystem()) {
      assertThatThrownBy(() -> post(system.url("https"))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aClosedSystemRefusesConnections() {
    SourceSystem system = new SourceSystem();
    URI url = system.url("http");
    system.close();
    assertThatThrownBy(() -> post(url)).isInstanceOf(ConnectException.class);
  }

  @Test
  void itsAddressIsALoopbackAddress() throws Exception {
    try (SourceSystem system = new SourceSystem()) {
      assertThat(InetAddress.getByName(system.url("http").getHost()).isLoopbackAddress()).isTrue();
    }
  }
}
