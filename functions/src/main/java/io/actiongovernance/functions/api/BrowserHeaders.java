package io.actiongovernance.functions.api;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The headers of every response that tell a browser what others may not do with it, whatever it is:
 * no page of another origin keeps a handle on its window, embeds it, or has it read as another
 * type.
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

  /** Passkeys are what the console needs. */
  private static final String FEATURES =
      NO_FEATURES + ", publickey-credentials-create=(self), publickey-credentials-get=(self)";

  private BrowserHeaders() {}

  /** By where the service is: a browser that came over TLS comes by nothing else for a year. */
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
