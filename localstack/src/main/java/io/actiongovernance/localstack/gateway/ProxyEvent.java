package io.actiongovernance.localstack.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Makes the event of a REST API's Lambda proxy integration from a request. Path and path parameters
 * stay as sent, and query parameters are decoded. The body is in base64, because every media type
 * counts as binary.
 */
public final class ProxyEvent {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

  private ProxyEvent() {}

  /**
   * The stage at which an API is reached.
   *
   * @param path prefix before the API's own paths
   */
  public record Stage(String api, String name, String path) {
    static final Stage LOCAL = new Stage("local", "local", "");
  }

  /**
   * Returns the event as JSON.
   *
   * @param match the template that the path matches, or null if the API has no such path
   * @throws IllegalArgumentException if the query is not validly percent-encoded
   */
  public static byte[] of(
      Request request, Stage stage, Resources.@Nullable Match match, byte[] body) {
    String path = request.getHttpURI().getPath().substring(stage.path().length());
    ObjectNode event = Json.object();
    event.put("resource", match == null ? null : match.resource());
    event.put("path", path);
    event.put("httpMethod", request.getMethod());
    values(event, "headers", "multiValueHeaders", headers(request));
    values(
        event,
        "queryStringParameters",
        "multiValueQueryStringParameters",
        query(request.getHttpURI().getQuery()));
    if (match == null || match.parameters().isEmpty()) {
      event.putNull("pathParameters");
    } else {
      match.parameters().forEach(event.putObject("pathParameters")::put);
    }
    event.putNull("stageVariables");
    event.set("requestContext", context(request, stage, match));
    event.put("body", body.length == 0 ? null : Base64.getEncoder().encodeToString(body));
    event.put("isBase64Encoded", body.length > 0);
    return Json.write(event).getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode context(Request request, Stage stage, Resources.@Nullable Match match) {
    Instant now = Instant.now();
    ObjectNode context = Json.object();
    context.put("accountId", Aws.ACCOUNT).put("apiId", stage.api()).put("stage", stage.name());
    context.put("resourceId", "local").put("resourcePath", match == null ? null : match.resource());
    context.put("httpMethod", request.getMethod()).put("path", request.getHttpURI().getPath());
    context.put("protocol", request.getConnectionMetaData().getHttpVersion().asString());
    context.put("requestId", UUID.randomUUID().toString());
    context.put("extendedRequestId", UUID.randomUUID().toString());
    context.put("requestTime", TIME.format(now)).put("requestTimeEpoch", now.toEpochMilli());
    context.put("domainName", Request.getServerName(request));
    context
        .putObject("identity")
        .put("sourceIp", Request.getRemoteAddr(request))
        .put("userAgent", request.getHeaders().get("User-Agent"));
    return context;
  }

  private static Map<String, List<String>> headers(Request request) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (HttpField field : request.getHeaders()) {
      headers.put(field.getName(), request.getHeaders().getValuesList(field.getName()));
    }
    headers.merge(
        "X-Forwarded-For",
        List.of(Request.getRemoteAddr(request)),
        (sent, own) -> List.of(String.join(", ", sent) + ", " + own.getFirst()));
    headers.put("X-Forwarded-Proto", List.of("http"));
    headers.put("X-Forwarded-Port", List.of(Integer.toString(Request.getLocalPort(request))));
    return headers;
  }

  private static Map<String, List<String>> query(@Nullable String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (query == null) {
      return parameters;
    }
    for (String pair : query.split("&")) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        parameters.computeIfAbsent(name, ignored -> new java.util.ArrayList<>()).add(value);
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /**
   * Writes both forms of a multimap: the last value of each name, and all values. Both are null if
   * there are no values.
   */
  private static void values(
      ObjectNode event, String single, String multiple, Map<String, List<String>> values) {
    if (values.isEmpty()) {
      event.putNull(single).putNull(multiple);
      return;
    }
    ObjectNode last = event.putObject(single);
    ObjectNode all = event.putObject(multiple);
    values.forEach(
        (name, list) -> {
          last.put(name, list.getLast());
          list.forEach(all.putArray(name)::add);
        });
  }
}
