package io.actiongovernance.webhook;

import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and compares the URLs of endpoints (contract, section 8, Egress). */
final class EndpointUrl {
  private static final int LONGEST = 2_000;
  private static final int HTTPS_PORT = 443;
  private static final int LAST_PORT = 65_535;

  private EndpointUrl() {}

  /**
   * Reads {@code url}, or null if it is not given.
   *
   * @param egress what speaks against connecting to a URL, as {@code must …}
   */
  static @Nullable String readOrNull(Fields body, Function<URI, Optional<String>> egress) {
    String text = body.textOrNull("url", 1, LONGEST);
    if (text == null) {
      return null;
    }
    URI url = parse(text);
    if (url == null) {
      throw Problem.invalid("url", "url must be an absolute https URL.");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      throw Problem.invalid("url", "url must have neither user information nor a fragment.");
    }
    egress
        .apply(url)
        .ifPresent(
            problem -> {
              throw Problem.invalid("url", "url " + problem + ".");
            });
    return text;
  }

  private static @Nullable URI parse(String text) {
    try {
      URI url = new URI(text);
      boolean fine =
          text.chars().allMatch(c -> c > 0x20 && c < 0x7f)
              && "https".equalsIgnoreCase(url.getScheme())
              && url.getHost() != null
              && url.getPort() != 0
              && url.getPort() <= LAST_PORT;
      return fine ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** A text that two URLs share when they lead to the same place. */
  static String place(String text) {
    URI url = URI.create(text);
    int port = url.getPort() == -1 ? HTTPS_PORT : url.getPort();
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return CanonicalJson.sha256(url.getHost().toLowerCase(Locale.ROOT) + ":" + port + path + query);
  }
}
