package io.actiongovernance.localstack.gov;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code gov watch} says where it cannot watch, in one line with exit code 1. */
final class WatchCommandTest {
  @SuppressWarnings("NullAway.Init") // set before each test
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aMissingEventStreamIsReportedWithAnAlternative() {
    refuse(404, "not_found", "There is no such path.");
    assertThat(watch())
        .isEqualTo(
            "error: There is no event stream at "
                + url()
                + " (LocalStack's gateway does not stream). List GET /v1/events from time to time"
                + " instead, or watch a stack that localstack/up runs without --docker.");
  }

  @Test
  void otherRefusalsAreReportedInTheServicesWords() {
    refuse(401, "key_invalid", "There is no such key.");
    assertThat(watch()).isEqualTo("error: key_invalid: There is no such key.");
  }

  /** Has the service answer so who opens the stream, and have nothing for who looks for plans. */
  private void refuse(int status, String code, String message) {
    answer("/", 200, "{\"data\":[],\"has_more\":false}");
    answer(
        "/v1/events/stream",
        status,
        "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code, message));
  }

  private void answer(String path, int status, String text) {
    byte[] body = text.getBytes(UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Watches until that is refused, and yields all that was said. */
  private String watch() {
    Ran ran = Ran.of("watch", "--url", url(), "--key", "sk_live_x");
    assertThat(ran.code()).isEqualTo(1);
    return (ran.out() + ran.err()).strip();
  }
}
