package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A service in the SDKs' protocol AWS JSON: the operation is in a header, and request and response
 * are JSON.
 */
public abstract class AwsJsonFront extends Handler.Abstract {
  /** Maximum size of a call in bytes, as on AWS. */
  private static final int LARGEST = 1024 * 1024;

  private final String service;
  private final String contentType;

  /**
   * @param service the prefix of the operation in the target header
   * @param version the version of the protocol: 1.0 or 1.1
   */
  protected AwsJsonFront(String service, String version) {
    this.service = service;
    this.contentType = "application/x-amz-json-" + version;
  }

  /** A refusal that AWS answers with status 400 and with this code. */
  public static final class Refused extends Exception {
    private final String code;
    private final String reason;

    public Refused(String code, String reason) {
      super(reason);
      this.code = code;
      this.reason = reason;
    }

    String code() {
      return code;
    }

    String reason() {
      return reason;
    }
  }

  protected abstract ObjectNode call(String operation, JsonNode request) throws Refused;

  @Override
  public final boolean handle(Request request, Response response, Callback callback)
      throws Exception {
    ObjectNode answer;
    try {
      String target = String.valueOf(request.getHeaders().get("X-Amz-Target"));
      answer = call(target.replace(service + ".", ""), body(request));
    } catch (Refused e) {
      response.setStatus(400);
      answer = Json.object().put("__type", e.code).put("message", e.reason);
    }
    response.getHeaders().put("Content-Type", contentType);
    response.getHeaders().put("x-amzn-RequestId", UUID.randomUUID().toString());
    response.write(
        true, ByteBuffer.wrap(Json.write(answer).getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }

  private static JsonNode body(Request request) throws Exception {
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST + 1);
    if (body.length > LARGEST) {
      throw new Refused("ValidationException", "The request is too large.");
    }
    return parse(body, "SerializationException", "The request is not valid JSON.");
  }

  protected static Refused unknown(String service, String... operations) {
    return new Refused(
        "UnknownOperationException",
        "This stack supports of " + service + " only " + String.join(", ", operations) + ".");
  }

  /**
   * Parses JSON that a caller sent.
   *
   * @throws Refused with this code and message if the JSON is not valid
   */
  static JsonNode parse(byte[] json, String code, String message) throws Refused {
    try {
      return Json.parse(json);
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      throw new Refused(code, message);
    }
  }
}
