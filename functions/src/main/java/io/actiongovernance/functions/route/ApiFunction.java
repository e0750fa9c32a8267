package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers API Gateway's proxy events (REST API) for every route. Each deployed function receives
 * the events of one route. One function receives the rest and answers that there is no such route.
 * Thread-safe.
 */
public final class ApiFunction
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  /**
   * The longest text returned unencoded, in bytes. JSON escapes can double its size, and Lambda
   * limits a function's response to 6 MB.
   */
  private static final int LONGEST_TEXT = 3_000_000;

  private final Pipeline pipeline;

  /**
   * @param routes the routes to serve; those that stream cannot be answered here
   */
  public ApiFunction(Wiring wiring, List<Route> routes) {
    this.pipeline = new Pipeline(wiring, routes, false);
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    try (LogIds ids = LogIds.of(context)) {
      return answer(event, ids);
    }
  }

  private APIGatewayProxyResponseEvent answer(APIGatewayProxyRequestEvent event, LogIds ids) {
    return proxied(pipeline.answer(ProxyRequests.of(event), ids));
  }

  /** The response in the form that Lambda expects from a function. */
  static APIGatewayProxyResponseEvent proxied(HttpResponse response) {
    APIGatewayProxyResponseEvent answer =
        new APIGatewayProxyResponseEvent()
            .withStatusCode(response.status())
            .withHeaders(response.headers());
    if (!response.repeated().isEmpty()) {
      answer.setMultiValueHeaders(response.repeated());
    }
    return response.content() instanceof Content.Bytes(byte[] bytes)
        ? text(bytes).map(text -> sized(answer, text)).orElseGet(() -> encoded(answer, bytes))
        : sized(answer, response.text());
  }

  /** Decodes bytes that are UTF-8 text; empty for images, fonts and compressed data. */
  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /**
   * Sets the text as the body, encoded in base64 if it is too long. Inside the function's JSON
   * response, each quote takes two characters.
   */
  private static APIGatewayProxyResponseEvent sized(
      APIGatewayProxyResponseEvent answer, String text) {
    if (text.length() <= LONGEST_TEXT / 3) {
      return answer.withBody(text).withIsBase64Encoded(false);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= LONGEST_TEXT
        ? answer.withBody(text).withIsBase64Encoded(false)
        : encoded(answer, bytes);
  }

  private static APIGatewayProxyResponseEvent encoded(
      APIGatewayProxyResponseEvent answer, byte[] bytes) {
    return answer.withBody(Base64.getEncoder().encodeToString(bytes)).withIsBase64Encoded(true);
  }
}
