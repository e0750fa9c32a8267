package io.actiongovernance.localstack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The event that a request becomes, and what the gateway answers by itself. */
final class GatewayTest {
  static EmbeddedStack stack;
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    stack = TestService.start(data);
  }

  @AfterAll
  static void stop() {
    stack.close();
    CLIENT.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/plans, /v1/plans",
    "/v1/plans/pl_1, /v1/plans/{plan_id}",
    "/v1/plans/pl_1/veto, /v1/plans/{plan_id}/veto",
    "/v1/receipts/exports, /v1/receipts/exports",
    "/v1/receipts/rc_1, /v1/receipts/{receipt_id}",
    "/v1/pl%61ns, /v1/plans",
  })
  void aPathIsOfTheResourceWithTheMostFixedSegments(String path, String resource) throws Exception {
    assertThat(get(path).path("resource").textValue()).isEqualTo(resource);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/v2/plans", "/v1/plans/", "/v1/plans//veto", "/v1/plans/a/b/c", "//"})
  void aPathOfNoResourceGoesToTheFunctionWithoutOne(String path) throws Exception {
    JsonNode seen =
        Json.read(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").body());
    assertThat(seen.path("resource").isNull()).isTrue();
    assertThat(seen.path("path").textValue()).isEqualTo(path);
  }

  @Test
  void pathParametersKeepTheirEncodingAndQueryParametersLoseIt() throws Exception {
    JsonNode seen = get("/v1/plans/a%2Fb%20c?entity=order%3A1%20042&entity=b+c&empty=&bare");
    assertThat(seen.at("/parameters/plan_id").textValue()).isEqualTo("a%2Fb%20c");
    assertThat(seen.at("/multi_query/entity").toString()).isEqualTo("[\"order:1 042\",\"b c\"]");
    assertThat(seen.at("/query/entity").textValue()).isEqualTo("b c");
    assertThat(seen.at("/query/empty").textValue()).isEmpty();
    assertThat(seen.at("/query/bare").textValue()).isEmpty();
  }

  @Test
  void aBodyComesInBase64AndByteForByte() throws Exception {
    String sent = "{\"a\":\"é\\u0000\"}";
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(uri("/v1/plans/pl_1/veto"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(sent))
                .build(),
            BodyHandlers.ofString());
    JsonNode seen = Json.read(answer.body());
    assertThat(seen.path("body").textValue()).isEqualTo(sent);
    assertThat(seen.path("base64").booleanValue()).isTrue();
    assertThat(seen.path("method").textValue()).isEqualTo("POST");
    assertThat(seen.path("source_ip").textValue()).isEqualTo("127.0.0.1");
    assertThat(seen.path("remaining_millis").intValue()).isBetween(1, 2000);
    assertThat(answer.headers().firstValue("X-Echo")).hasValue("yes");
  }

  @Test
  void everyHeaderNameComesThrough() throws Exception {
    String head =
        """
        GET /v1/plans HTTP/1.1
        Host: x
        Connection: close
        x-amzn-odd!#$: 1
        Idempotency-Key: "k"
        ACCEPT: a
        accept: b
        Expect: 100-continue

        """;
    Answer answer = raw(head.replace("\n", "\r\n"));
    JsonNode seen = Json.read(answer.body());
    assertThat(seen.at("/headers/x-amzn-odd!#$").textValue()).isEqualTo("1");
    assertThat(seen.at("/headers/Idempotency-Key").textValue()).isEqualTo("\"k\"");
    assertThat(seen.at("/multi_headers").toString())
        .containsIgnoringCase("\"accept\":[\"a\",\"b\"]");
  }

  @Test
  void everyOtherMethodReachesTheFunction() throws Exception {
    for (String method : new String[] {"OPTIONS", "PUT", "TRACE", "PROPFIND"}) {
      Answer answer =
          raw(
              method
                  + " /v1/plans HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      assertThat(Json.read(answer.body()).path("method").textValue()).isEqualTo(method);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/plans/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/plans?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/plans HTTP/1.1\r\n\r\n",
        "GET /v1/plans HTTP/9.9\r\nHost: x\r\n\r\n",
        "G@T /v1/plans HTTP/1.1\r\nHost: x\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET /v1/plans HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n",
        "GET /v1/plans HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n",
        "POST /v1/plans HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /v1/pl\u0001ans HTTP/1.1\r\nHost: x\r\n\r\n",
      })
  void aMalformedRequestIsRefusedInTheFormOfTheContract(String request) throws Exception {
    assertRefused(raw(request), 400, "invalid_request");
  }

  @Test
  void headersThatAreTooLargeAreRefused() throws Exception {
    String request = "GET /v1/plans HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(40_000) + "\r\n\r\n";
    assertRefused(raw(request), 400, "invalid_request");
  }

  @Test
  void aTooLongPathIsRefused() throws Exception {
    String request = "GET /" + "x".repeat(40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n";
    assertRefused(raw(request), 400, "invalid_request");
  }

  @Test
  void aBodyBeyondTenMegabytesIsRefused() throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(uri("/v1/plans"))
                .POST(BodyPublishers.ofByteArray(new byte[10 * 1024 * 1024 + 1]))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Json.read(answer.body()).at("/error/code").textValue()).isEqualTo("invalid_request");
  }

  @Test
  void aFunctionThatThrowsIsAnInternalError() throws Exception {
    Answer answer = raw("GET /v1/broken HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertRefused(answer, 500, "internal_error");
    assertThat(answer.body()).doesNotContain("on purpose");
  }

  @Test
  void aFunctionThatOutlastsItsTimeoutIsUnavailable() throws Exception {
    Answer answer = raw("GET /v1/slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertRefused(answer, 503, "service_unavailable");
    assertThat(answer.head()).containsIgnoringCase("Retry-After: 1");
  }

  @Test
  void manyWaitingRequestsDoNotBlockOthers() throws Exception {
    String head =
        "POST /v1/plans HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    List<Socket> waiting = new ArrayList<>();
    try {
      for (int at = 0; at < 300; at++) {
        Socket socket = new Socket(stack.baseUrl().getHost(), stack.baseUrl().getPort());
        waiting.add(socket);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(head.getBytes(UTF_8));
        // It is said when the gateway begins to wait for the body.
        assertThat(new String(socket.getInputStream().readNBytes(25), UTF_8))
            .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      }
      for (Socket socket : waiting) {
        socket.getOutputStream().write("{}".getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
            .startsWith("HTTP/1.1 200 ");
      }
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static void assertRefused(Answer answer, int status, String code) {
    assertThat(answer.head()).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer.head())
        .containsIgnoringCase("X-Request-Id: req_")
        .containsIgnoringCase("Service-Version: 2")
        .containsIgnoringCase("X-RateLimit-Limit: ")
        .containsIgnoringCase("X-RateLimit-Remaining: ")
        .containsIgnoringCase("X-RateLimit-Reset: ")
        .containsIgnoringCase("Content-Type: application/json")
        .containsIgnoringCase("Cache-Control: no-store");
    JsonNode error = Json.read(answer.body()).path("error");
    assertThat(error.path("code").textValue()).isEqualTo(code);
    assertThat(error.path("doc_url").textValue()).endsWith("/docs/errors#" + code);
    assertThat(answer.head()).contains(error.path("request_id").textValue());
    assertThat(error.has("param") && error.has("details")).isTrue();
  }

  private static JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    return Json.read(answer.body());
  }

  private static URI uri(String path) {
    return URI.create(stack.baseUrl() + path);
  }

  private record Answer(String head, String body) {}

  /** Sends bytes as they are and reads until the connection ends. */
  private static Answer raw(String request) throws IOException {
    try (Socket socket = new Socket(stack.baseUrl().getHost(), stack.baseUrl().getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      String answer = new String(in.readAllBytes(), UTF_8);
      if (answer.startsWith("HTTP/1.1 100 ")) {
        answer = answer.substring(answer.indexOf("\r\n\r\n") + 4);
      }
      int end = answer.indexOf("\r\n\r\n");
      return end < 0
          ? new Answer(answer, "")
          : new Answer(answer.substring(0, end), answer.substring(end + 4));
    }
  }
}
