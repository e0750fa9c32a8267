package io.actiongovernance.functions.route;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request as the gateway delivers it. Immutable.
 *
 * @param template the path with its parameters in braces; null if the gateway did not know the
 *     route
 * @param path the concrete path
 * @param headers the last value of each header, by case-insensitive name
 * @param query all values of each parameter, percent-decoded
 * @param body empty if there is none
 * @param sourceAddress the address the request came from
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
record HttpRequest(
    String method,
    @Nullable String template,
    String path,
    Map<String, String> headers,
    Map<String, List<String>> query,
    byte[] body,
    String sourceAddress) {
  HttpRequest {
    TreeMap<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
    query = Map.copyOf(query);
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  Opener opener() {
    return switch (header("Sec-Fetch-Site")) {
      case null -> Opener.SERVICE;
      case "same-origin" -> Opener.SERVICE;
      case "none" -> Opener.USER;
      default -> Opener.ELSEWHERE;
    };
  }

  /** Returns whether the client accepts an HTML page, as browsers declare. */
  boolean takesPage() {
    String accepted = header("Accept");
    return accepted != null && accepted.toLowerCase(Locale.ROOT).contains("text/html");
  }

  boolean takesGzip() {
    String accepted = header("Accept-Encoding");
    return accepted != null
        && Arrays.stream(accepted.toLowerCase(Locale.ROOT).split(","))
            .map(coding -> coding.replace(" ", ""))
            .anyMatch(coding -> coding.matches("gzip(;q=(1.*|0\\.0*[1-9].*))?"));
  }
}
