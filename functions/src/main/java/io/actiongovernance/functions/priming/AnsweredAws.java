package io.actiongovernance.functions.priming;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.utils.BinaryUtils;
import software.amazon.awssdk.utils.Md5Utils;

/**
 * An HTTP client for AWS clients that connects to nothing: requests are answered within the
 * process.
 *
 * @param answers answers the requests
 */
public record AnsweredAws(Answers answers) implements SdkHttpClient {
  /** The header that names the operation, for services that use JSON. */
  static final String TARGET = "X-Amz-Target";

  @FunctionalInterface
  public interface Answers {
    /**
     * @param operation such as {@code AmazonSQS.SendMessage}; empty if the service does not use
     *     JSON
     */
    Answer to(String operation, JsonNode request);
  }

  /** An HTTP status and a body. */
  public record Answer(int status, JsonNode body) {
    public static Answer ok(JsonNode body) {
      return new Answer(200, body);
    }

    /**
     * The response to a sent message. It contains the digest of the body, which the client checks.
     */
    public static Answer sent(JsonNode message) {
      byte[] body = message.path("MessageBody").textValue().getBytes(StandardCharsets.UTF_8);
      return ok(
          Json.object()
              .put("MessageId", "1")
              .put("MD5OfMessageBody", BinaryUtils.toHex(Md5Utils.computeMD5Hash(body))));
    }
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return response(answer(request));
      }

      @Override
      public void abort() {
        // No request is in progress.
      }
    };
  }

  private Answer answer(HttpExecuteRequest request) throws IOException {
    String operation = request.httpRequest().firstMatchingHeader(TARGET).orElse("");
    if (operation.isEmpty()) {
      return answers.to(operation, Json.object());
    }
    try (InputStream content = request.contentStreamProvider().orElseThrow().newStream()) {
      String body = new String(content.readAllBytes(), StandardCharsets.UTF_8);
      return answers.to(operation, Json.read(body));
    }
  }

  private static HttpExecuteResponse response(Answer answer) {
    byte[] body = Json.write(answer.body()).getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(answer.status())
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
