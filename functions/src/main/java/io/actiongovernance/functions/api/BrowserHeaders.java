package io.actiongovernance.functions.api;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Security headers of every response. They prevent pages of other origins from keeping a handle on
 * the response's window, embedding the response, or having a browser read it as another type.
 */
public final class BrowserHeaders {
  /** A year, in seconds. */
  private static final String HSTS = "max-age=31536000";

  private static final String NO_FEATURES =
      Stream.of(
              "accelerometer",
              "camera",
              "display-capture",
              "geolocation",
              "gyroscope",
              "magnetometer",
              "microphone",
              "midi",
              "payment",
              "usb")
          .map(feature -> feature + "=()")
          .collect(Collectors.joining(", "));

  /** The console needs passkeys. */
  private static final String FEATURES =
      NO_FEATURES + ", publickey-credentials-create=(self), publickey-credentials-get=(self)";

  private BrowserHeaders() {}

  /** The headers for this base URL; over TLS, they make browsers use only TLS for a year. */
  public static Map<String, String> of(URI baseUrl) {
    return of("https".equalsIgnoreCase(baseUrl.getScheme()));
  }

  /**
   * @param tls whether the service is reached over TLS
   */
  public static Map<String, String> of(boolean tls) {
    Map<String, String> headers =
        new TreeMap<>(
            Map.of(
                "X-Content-Type-Options", "nosniff",
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin",
                "Permissions-Policy", FEATURES));
    if (tls) {
      headers.put("Strict-Transport-Security", HSTS);
    }
    return Map.copyOf(headers);
  }
}
