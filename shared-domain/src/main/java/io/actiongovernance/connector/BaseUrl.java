package io.actiongovernance.connector;

import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The base URL for a tenant's requests. It has a host, and nothing after its path. */
public final class BaseUrl {
  private static final int LAST_PORT = 65_535;

  private BaseUrl() {}

  /**
   * Reads a base URL.
   *
   * @param problem returns defects of the URL other than in its form, as {@code must be …}; empty
   *     for none
   * @throws Problem that names {@code param}
   */
  public static URI read(String param, String text, Function<URI, Optional<String>> problem) {
    URI uri = readEndpoint(param, text, problem);
    if (uri.getRawQuery() != null) {
      throw invalid(param, "must have neither query nor fragment");
    }
    return uri;
  }

  /** Reads a URL that is requested unchanged, and may have a query. */
  static URI readEndpoint(String param, String text, Function<URI, Optional<String>> problem) {
    URI uri = parse(text);
    if (uri == null || uri.getHost() == null || uri.getRawUserInfo() != null) {
      throw invalid(param, "must be a URL with a host and without credentials");
    }
    if (uri.getPort() == 0 || uri.getPort() > LAST_PORT) {
      throw invalid(param, "must have a port of 1 to " + LAST_PORT);
    }
    if (uri.getRawFragment() != null) {
      throw invalid(param, "must have no fragment");
    }
    problem
        .apply(uri)
        .ifPresent(
            what -> {
              throw invalid(param, what);
            });
    return uri;
  }

  public static boolean sameOrigin(URI one, URI other) {
    return origin(one).equals(origin(other));
  }

  private static String origin(URI url) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
  }

  private static Problem invalid(String param, String what) {
    return Problem.invalid(param, param + " " + what + ".");
  }

  private static @Nullable URI parse(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
