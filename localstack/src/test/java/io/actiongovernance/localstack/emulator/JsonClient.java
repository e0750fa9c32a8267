package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Calls services in the protocol AWS JSON, whose requests are written much as the properties of
 * resources are. Thread-safe.
 */
record JsonClient(URI endpoint, HttpClient client) {
  /** Nobody checks it, but there has to be one. */
  private static final String SIGNATURE =
      "AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/local/aws4_request,"
          + " SignedHeaders=host, Signature=0";

  /**
   * The service's answer.
   *
   * @param target service and operation
   */
  JsonNode call(String target, JsonNode request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(endpoint)
                .header("X-Amz-Target", target)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("Authorization", SIGNATURE)
                .POST(BodyPublishers.ofString(Json.write(request)))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new Refused("%s: %s".formatted(target, answer.body()));
    }
    return Json.read(answer.body());
  }
}
