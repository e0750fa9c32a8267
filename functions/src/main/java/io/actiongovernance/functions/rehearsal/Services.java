package io.actiongovernance.functions.rehearsal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.utils.BinaryUtils;
import software.amazon.awssdk.utils.Md5Utils;

/**
 * AWS, as far as its clients can tell: takes whatever they ask for, and answers as if it had been
 * done. Nothing leaves the process. A message is handed on while it is being sent. Not thread-safe.
 */
final class Services implements SdkHttpClient {
  /** Names the operation of services that speak JSON. */
  static final String TARGET = "X-Amz-Target";

  /** Thirty-two bytes in base64. */
  private static final String DATA_KEY = "A".repeat(43) + "=";

  private final BiConsumer<String, String> messages;
  private ObjectNode ofTables = Json.object();

  /**
   * @param messages takes the name of the queue and the body of each message that is sent
   */
  Services(BiConsumer<String, String> messages) {
    this.messages = messages;
  }

  /** Makes requests to the tables, which are answered with this. */
  <T> T answering(ObjectNode answer, Supplier<T> requests) {
    ofTables = answer;
    try {
      return requests.get();
    } finally {
      ofTables = Json.object();
    }
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return response(Json.write(answer(request)).getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void abort() {
        // There is nothing under way.
      }
    };
  }

  private ObjectNode answer(HttpExecuteRequest request) throws IOException {
    String operation = request.httpRequest().firstMatchingHeader(TARGET).orElse("");
    return switch (operation) {
      case "AmazonSQS.GetQueueUrl" -> {
        String queue = body(request).path("QueueName").textValue();
        yield Json.object().put("QueueUrl", "https://queues.invalid/" + queue);
      }
      case "AmazonSQS.SendMessage" -> sent(body(request));
      case "AWSEvents.PutEvents" -> {
        ObjectNode taken = Json.object().put("FailedEntryCount", 0);
        ArrayNode entries = taken.putArray("Entries");
        body(request).path("Entries").forEach(_ -> entries.addObject().put("EventId", "1"));
        yield taken;
      }
      // Wrapped it is what it is: nothing is kept.
      case "TrentService.GenerateDataKey" ->
          Json.object().put("CiphertextBlob", DATA_KEY).put("Plaintext", DATA_KEY);
      case "TrentService.Decrypt" ->
          Json.object().put("Plaintext", body(request).path("CiphertextBlob").textValue());
      case "AWSStepFunctions.StartExecution" ->
          Json.object().put("executionArn", "arn:aws:states:::execution").put("startDate", 0);
      default -> operation.startsWith("DynamoDB_") ? ofTables : Json.object();
    };
  }

  private ObjectNode sent(JsonNode message) {
    String queue = message.path("QueueUrl").textValue().replaceFirst(".*/", "");
    String body = message.path("MessageBody").textValue();
    messages.accept(queue, body);
    return Json.object()
        .put("MessageId", "1")
        .put(
            "MD5OfMessageBody",
            BinaryUtils.toHex(Md5Utils.computeMD5Hash(body.getBytes(StandardCharsets.UTF_8))));
  }

  private static JsonNode body(HttpExecuteRequest request) throws IOException {
    try (InputStream content = request.contentStreamProvider().orElseThrow().newStream()) {
      return Json.read(new String(content.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static HttpExecuteResponse response(byte[] body) {
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(200)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  @Override
  public void close() {
    // There is nothing open.
  }
}
