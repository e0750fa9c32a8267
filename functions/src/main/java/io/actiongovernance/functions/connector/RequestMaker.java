package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.connector.Manifests;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes requests from manifests (contract, section 5). Stateless. */
final class RequestMaker {
  private RequestMaker() {}

  /** A request that cannot be made from these arguments: nothing is sent. */
  static final class Unmakeable extends Exception {
    private static final long serialVersionUID = 1L;

    Unmakeable(String message) {
      super(message);
    }
  }

  /** The request of a tool call. */
  static Outbound of(ToolCall call, Credentials credentials) throws Unmakeable {
    Tool.Request request = call.tool().request();
    JsonNode args = call.args();
    Map<String, String> headers = headers(call.connector(), credentials);
    ObjectNode own =
        Manifests.fillObject(request.headers(), args).orElseThrow(() -> unfilled("a header"));
    own.properties().forEach(header -> headers.put(header.getKey(), text(header.getValue())));
    headers.put(request.idempotencyHeader(), headerSafe(call.idempotencyKey()));
    headers.put("X-Correlation-Id", call.correlationId().value());
    checkHeaders(headers);
    String path = path(request.path(), args);
    ObjectNode query =
        Manifests.fillObject(request.query(), args).orElseThrow(() -> unfilled("the query"));
    boolean argsInQuery = request.body() == null && !request.method().hasBody();
    if (argsInQuery) {
      query = ((ObjectNode) args.deepCopy()).setAll(query);
    }
    return new Outbound(
        request.method().wire(),
        url(call.connector(), path, query),
        headers,
        argsInQuery ? null : body(request, args));
  }

  /** The request that tests a connector. */
  static Outbound of(Connector connector, Listing.TestRequest test, Credentials credentials) {
    return new Outbound(
        test.method().wire(),
        url(connector, test.path(), Json.object()),
        headers(connector, credentials),
        null);
  }

  private static @Nullable String body(Tool.Request request, JsonNode args) throws Unmakeable {
    JsonNode template = request.body();
    JsonNode body =
        template == null
            ? args
            : Manifests.fill(template, args).orElseThrow(() -> unfilled("the body"));
    boolean none = !request.method().hasBody() && body.isObject() && body.isEmpty();
    return none ? null : Json.write(body);
  }

  private static Map<String, String> headers(Connector connector, Credentials credentials) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Accept", "application/json");
    connector
        .listing()
        .headers()
        .properties()
        .forEach(header -> headers.put(header.getKey(), text(header.getValue())));
    headers.putAll(Authentication.headers(credentials));
    return headers;
  }

  private static URI url(Connector connector, String path, ObjectNode query) {
    String base = connector.baseUrl().toString().replaceAll("/+$", "");
    StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
    for (var parameter : query.properties()) {
      JsonNode value = parameter.getValue();
      if (value.isArray()) {
        value.forEach(
            element -> parameters.add(encode(parameter.getKey()) + "=" + encode(text(element))));
      } else {
        parameters.add(encode(parameter.getKey()) + "=" + encode(text(value)));
      }
    }
    return URI.create(base + path + parameters);
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : Json.write(value);
  }

  /** Percent-encodes everything but unreserved characters. */
  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /**
   * An argument must not make it another request: by being empty, or a step upwards, which
   * percent-encoding leaves as it is.
   */
  private static String path(String template, JsonNode args) throws Unmakeable {
    AtomicBoolean blank = new AtomicBoolean();
    String path =
        Manifests.fillPath(
                template,
                args,
                value -> {
                  blank.compareAndSet(false, value.isEmpty());
                  return encode(value);
                })
            .orElseThrow(() -> unfilled("the path"));
    if (blank.get() || (path + "/").matches(".*/\\.{1,2}/.*")) {
      throw new Unmakeable("an argument in the path is empty or a step upwards");
    }
    return path;
  }

  private static void checkHeaders(Map<String, String> headers) throws Unmakeable {
    for (var header : headers.entrySet()) {
      if (!header.getValue().chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
        throw new Unmakeable(
            "the value of the header " + header.getKey() + " is not printable ASCII");
      }
    }
  }

  /** A key as a header can carry it; different keys stay different. */
  private static String headerSafe(String key) {
    boolean asItIs =
        key.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?") && !key.contains("%");
    return asItIs ? key : encode(key);
  }

  private static Unmakeable unfilled(String what) {
    return new Unmakeable("a placeholder of " + what + " names an argument that was not given");
  }
}
