package io.actiongovernance.localstack.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Sends a function's answer as a response. The answer has the form of a REST API's Lambda proxy
 * integration. Stateless.
 */
public final class ProxyAnswer {
  private ProxyAnswer() {}

  /** Sends the answer; always returns true, because the request is handled. */
  public static boolean write(byte[] json, Response response, Callback callback) {
    JsonNode answer = Json.read(new String(json, StandardCharsets.UTF_8));
    response.setStatus(answer.path("statusCode").intValue());
    for (Map.Entry<String, JsonNode> header : answer.path("headers").properties()) {
      response.getHeaders().put(header.getKey(), header.getValue().asText());
    }
    for (Map.Entry<String, JsonNode> header : answer.path("multiValueHeaders").properties()) {
      response.getHeaders().remove(header.getKey());
      header
          .getValue()
          .forEach(value -> response.getHeaders().add(header.getKey(), value.asText()));
    }
    String text = answer.path("body").asText("");
    byte[] body =
        answer.path("isBase64Encoded").booleanValue()
            ? Base64.getDecoder().decode(text)
            : text.getBytes(StandardCharsets.UTF_8);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
