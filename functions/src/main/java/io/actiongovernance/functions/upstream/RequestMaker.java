package io.actiongovernance.functions.upstream;

import static io.actiongovernance.functions.egress.Outbound.encode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.ArgumentNames;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Engine;
import io.actiongovernance.connector.FormField;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.connector.Manifests;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.functions.egress.Authentication;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests from manifests (contract, section 5). The request shown to an approver also comes
 * from here, so it is the actual request. Stateless.
 */
final class RequestMaker {
  /** Placeholder for the URL of a call that never leaves the service. */
  private static final String SANDBOX = "sandbox:";

  private RequestMaker() {}

  /** The arguments make no valid request, so nothing is sent. */
  static class Unmakeable extends Exception {
    private static final long serialVersionUID = 1L;

    Unmakeable(String message) {
      super(message);
    }
  }

  /** The arguments may never be sent. */
  static final class Barred extends Unmakeable {
    private static final long serialVersionUID = 1L;

    /** Receipt reason for an argument that would redirect a path. */
    private static final String DOT_SEGMENT = "dot_segment";

    private final String reason;

    private Barred(String reason, String message) {
      super(message);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  static Outbound of(ToolCall call, Credentials credentials) throws Unmakeable {
    Tool.Request request = call.tool().request();
    Map<String, String> headers = headers(call.connector(), credentials);
    ObjectNode own =
        Manifests.fillObject(request.headers(), call.args())
            .orElseThrow(() -> unfilled("a header"));
    own.properties().forEach(header -> headers.put(header.getKey(), text(header.getValue())));
    // Set last, so that no header of a manifest or a proposer replaces these.
    Map<String, String> authenticating = Authentication.headers(credentials);
    headers.putAll(authenticating);
    headers.putAll(ofTheCall(call, authenticating.keySet()));
    checkHeaders(headers);
    Outbound made = withoutHeaders(call.connector(), call.tool(), call.args()).with(headers);
    return made.to(authenticated(made.url(), credentials));
  }

  /**
   * The headers that identify the call. Credentials must not set the same headers. Credentials may
   * change after an approval, and an account's own key in the idempotency header would make every
   * call look like the first.
   */
  private static Map<String, String> ofTheCall(ToolCall call, Set<String> authenticating)
      throws Unmakeable {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put(call.tool().request().idempotencyHeader(), headerSafe(call.sourceKey()));
    headers.put("X-Correlation-Id", call.correlationId().value());
    headers.putAll(trace(call));
    for (String name : authenticating) {
      if (headers.containsKey(name)) {
        throw new Unmakeable(
            "its credentials are in the header " + name + ", which the call itself needs");
      }
    }
    return headers;
  }

  /** The header that passes on the caller's trace context; empty if there is none. */
  static Map<String, String> trace(ToolCall call) {
    return call.trace() == null ? Map.of() : Map.of(TraceParent.NAME, call.trace().wire());
  }

  /** The request of a call with these arguments, without headers. */
  static Outbound withoutHeaders(Connector connector, Tool tool, JsonNode args) throws Unmakeable {
    ArgumentNames.Flaw flaw = ArgumentNames.flaw(tool, args).orElse(null);
    if (flaw != null) {
      throw new Barred(ArgumentNames.AMBIGUOUS, "args" + flaw.at() + " " + flaw.why());
    }
    Tool.Request request = tool.request();
    String path = path(request.path(), args);
    ObjectNode query =
        Manifests.fillObject(request.query(), args).orElseThrow(() -> unfilled("the query"));
    if (request.sendsArgsInQuery()) {
      query = ((ObjectNode) args.deepCopy()).setAll(query);
    }
    checkFields(query);
    return new Outbound(
        request.method().wire(),
        url(connector, path, query),
        Map.of(),
        switch (request.encoding()) {
          case JSON -> Outbound.JSON;
          case FORM -> Outbound.FORM;
        },
        request.sendsArgsInQuery() ? null : body(request, args));
  }

  static Outbound of(Connector connector, Listing.TestRequest test, Credentials credentials)
      throws Unmakeable {
    return new Outbound(
        test.method().wire(),
        Authentication.url(url(connector, test.path(), Json.object()), credentials),
        headers(connector, credentials),
        null);
  }

  private static @Nullable String body(Tool.Request request, JsonNode args) throws Unmakeable {
    JsonNode template = request.body();
    JsonNode body =
        template == null
            ? args
            : Manifests.fill(template, args).orElseThrow(() -> unfilled("the body"));
    checkFields(body);
    boolean none = !request.method().hasBody() && body.isObject() && body.isEmpty();
    if (none) {
      return null;
    }
    return switch (request.encoding()) {
      case JSON -> Json.write(body);
      case FORM -> {
        StringJoiner form = new StringJoiner("&");
        FormField.of(body)
            .forEach(field -> form.add(encode(field.name()) + "=" + encode(field.value())));
        yield form.toString();
      }
    };
  }

  /** The URL with its credentials; no parameter of the call may replace them. */
  private static URI authenticated(URI url, Credentials credentials) throws Unmakeable {
    if (credentials instanceof Credentials.Query(String name, String _)) {
      String query = url.getRawQuery() == null ? "" : url.getRawQuery();
      for (String parameter : query.split("&")) {
        if (parameter.startsWith(encode(name) + "=")) {
          throw new Unmakeable(
              "its credentials are in the parameter " + name + ", which the request itself names");
        }
      }
    }
    return Authentication.url(url, credentials);
  }

  /** The headers of all requests of a connector, without credentials of type query. */
  static Map<String, String> headers(Connector connector, Credentials credentials) {
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

  private static URI url(Connector connector, String path, ObjectNode query) throws Unmakeable {
    String base =
        connector.listing().engine() == Engine.SANDBOX
            ? SANDBOX
            : connector.baseUrl().toString().replaceAll("/+$", "");
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
    try {
      return new URI(base + path + parameters);
    } catch (URISyntaxException e) {
      throw new Unmakeable("its address is not a URL");
    }
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : Json.write(value);
  }

  /**
   * Fills in a path. An argument must not turn the path into another request's, as an empty
   * argument or a dot segment would. Percent-encoding does not change a dot segment, and it is
   * unknown how often the path will be decoded.
   */
  private static String path(String template, JsonNode args) throws Unmakeable {
    if (Manifests.makesDotSegment(template, args)) {
      throw new Barred(Barred.DOT_SEGMENT, "an argument makes a dot segment in the path");
    }
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
    if (blank.get()) {
      throw new Unmakeable("an argument in the path is empty");
    }
    return path;
  }

  /** Refuses arguments outside the manifest that would change the request's method. */
  private static void checkFields(JsonNode named) throws Unmakeable {
    for (var field : named.properties()) {
      if (Manifests.changesTheMethod(field.getKey())) {
        throw new Unmakeable("the argument " + field.getKey() + " would change its method");
      }
    }
  }

  private static void checkHeaders(Map<String, String> headers) throws Unmakeable {
    for (var header : headers.entrySet()) {
      if (!header.getValue().chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
        throw new Unmakeable(
            "the value of the header " + header.getKey() + " is not printable ASCII");
      }
    }
  }

  /** Returns a key in a form that fits in a header. Different keys stay different. */
  static String headerSafe(String key) {
    boolean asItIs =
        key.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?") && !key.contains("%");
    return asItIs ? key : encode(key);
  }

  private static Unmakeable unfilled(String what) {
    return new Unmakeable("a placeholder of " + what + " names an argument that was not given");
  }
}
