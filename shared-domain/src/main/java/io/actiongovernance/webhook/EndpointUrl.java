package io.actiongovernance.webhook;

import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.outcome.Refusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks and compares the URLs of endpoints (contract, section 8, Egress). */
public final class EndpointUrl {
  private static final int HTTPS_PORT = 443;
  private static final int LAST_PORT = 65_535;

  private EndpointUrl() {}

  /**
   * Returns why the {@code url} of a request cannot be used, if it cannot.
   *
   * @param egress returns why a URL must not be connected to, as {@code must …}
   */
  public static Optional<Refusal> problem(String text, Function<URI, Optional<String>> egress) {
    URI url = parse(text);
    Optional<String> problem;
    if (url == null) {
      problem = Optional.of("must be an absolute https URL");
    } else if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      problem = Optional.of("must have neither user information nor a fragment");
    } else {
      problem = egress.apply(url);
    }
    return problem.map(must -> new Refusal.Invalid("url", "url " + must + "."));
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

  /** Returns a text that is equal for two URLs if they lead to the same place. */
  static String place(String text) {
    URI url = URI.create(text);
    int port = url.getPort() == -1 ? HTTPS_PORT : url.getPort();
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return CanonicalJson.sha256(url.getHost().toLowerCase(Locale.ROOT) + ":" + port + path + query);
  }
}
