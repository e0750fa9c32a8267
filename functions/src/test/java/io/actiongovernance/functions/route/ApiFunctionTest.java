package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large an answer may be, and how it is handed over to Lambda. */
final class ApiFunctionTest {
  /** Bytes of the JSON that Lambda takes for an answer of a function. */
  private static final int LAMBDA_TAKES = 6_291_556;

  /**
   * Whatever the text is made of, the answer with it fits, and says how it is to be read. The last
   * is the largest answer that there is.
   */
  @ParameterizedTest
  @CsvSource({
    "x,  10,        false",
    "x,  1000000,   false",
    "x,  1000001,   false",
    "x,  3000000,   false",
    "x,  3000001,   true",
    "é,  1500000,   false",
    "é,  1500001,   true",
    "\\, 3000000,   false",
    "\\, 3000001,   true",
    "😀, 750000,    false",
    "😀, 750001,    true",
    "x,  4650000,   true",
    "\\, 4650000,   true",
  })
  void anAnswerFitsLambdasLimitAndIsReadBackUnchanged(String of, int times, boolean encoded) {
    String text = of.repeat(times);
    APIGatewayProxyResponseEvent answer =
        ApiFunction.proxied(new HttpResponse(200, Map.of(), Map.of(), new Content.Text(text)));
    assertThat(answer.getIsBase64Encoded()).isEqualTo(encoded);
    String body = answer.getBody();
    String read =
        encoded ? new String(Base64.getDecoder().decode(body), StandardCharsets.UTF_8) : body;
    assertThat(read.equals(text)).isTrue();
    String payload =
        Json.write(
            Json.object().put("statusCode", 200).put("body", body).put("isBase64Encoded", encoded));
    // Besides, an answer has some hundred bytes of headers.
    assertThat(payload.getBytes(StandardCharsets.UTF_8).length).isLessThan(LAMBDA_TAKES - 10_000);
  }

  /** Clients, and HTTP/2 by itself, send cookies in several headers. */
  @Test
  void aHeaderSentTwiceIsReadAsBothInAnyCase() {
    APIGatewayProxyRequestEvent event =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod("GET")
            .withPath("/v1/me")
            .withHeaders(Map.of("cookie", "b=2", "Accept", "text/html"))
            .withMultiValueHeaders(
                Map.of(
                    "Cookie", List.of("a=1"),
                    "cookie", List.of("b=2,c", "d=4"),
                    "Accept", List.of("a/b", "text/html")));
    HttpRequest request = ProxyRequests.of(event);
    assertThat(String.valueOf(request.header("COOKIE")).split("; "))
        .containsExactlyInAnyOrder("a=1", "b=2,c", "d=4");
    assertThat(request.header("accept")).isEqualTo("a/b, text/html");
  }

  /** LocalStack's gateway passes base64 on as it is, and the console stayed at "Loading …". */
  @Test
  void bytesThatAreTextAreHandedOverAsText() {
    byte[] script = "const é = '😀';".getBytes(StandardCharsets.UTF_8);
    APIGatewayProxyResponseEvent answer = proxied(script);
    assertThat(answer.getIsBase64Encoded()).isFalse();
    assertThat(answer.getBody()).isEqualTo("const é = '😀';");
  }

  @Test
  void imagesFontsAndCompressedBodiesStayBinary() throws IOException {
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    byte[] font = {'w', 'O', 'F', '2', 0, 1, 0, 0, (byte) 0xc0, 0};
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write("text".getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] binary : List.of(png, font, out.toByteArray())) {
      APIGatewayProxyResponseEvent answer = proxied(binary);
      assertThat(answer.getIsBase64Encoded()).isTrue();
      assertThat(Base64.getDecoder().decode(answer.getBody())).isEqualTo(binary);
    }
  }

  private static APIGatewayProxyResponseEvent proxied(byte[] bytes) {
    return ApiFunction.proxied(new HttpResponse(200, Map.of(), Map.of(), new Content.Bytes(bytes)));
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:4566/_aws/execute-api/abc/live, false",
    "https://abc.execute-api.eu-west-1.amazonaws.com/live, true",
    "http://localhost:8080, true"
  })
  void theConsoleIsNotCompressedWhereTheGatewayPassesBase64On(URI baseUrl, boolean compressed) {
    PackagedFunction function =
        new PackagedFunction(
            new OneScript(), baseUrl, new Ids(InstantSource.system(), new SecureRandom()));
    APIGatewayProxyResponseEvent answer =
        function
            .answer(
                new APIGatewayProxyRequestEvent()
                    .withHttpMethod("GET")
                    .withPath("/script.js")
                    .withHeaders(Map.of("Accept-Encoding", "gzip")),
                null)
            .orElseThrow();
    assertThat(answer.getIsBase64Encoded()).isEqualTo(compressed);
    assertThat(answer.getHeaders().containsKey("Content-Encoding")).isEqualTo(compressed);
    if (!compressed) {
      assertThat(answer.getBody()).isEqualTo(OneScript.TEXT);
    }
  }

  /** A script, and nothing else. */
  private static final class OneScript implements PackagedFunction.Packaged {
    static final String TEXT = "alert(1);";

    @Override
    public boolean has(String path) {
      return true;
    }

    @Override
    public Optional<Reply> find(String path, Opener opener) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(TEXT.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Optional.of(new Reply.Asset("text/javascript; charset=utf-8", out.toByteArray()));
    }
  }
}
