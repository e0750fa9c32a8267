package io.actiongovernance.functions.route;

import io.actiongovernance.functions.settings.BaseUrl;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sites from which a request may come: the service's own, and those in the settings (contract
 * for agents, section 4). Requests from others are refused. A page of another site, or another host
 * name that resolves to this service, could otherwise use programs on its reader's machine to call
 * it. If the service is on a loopback address, every loopback address and origin is permitted.
 * Immutable.
 */
final class Sites {
  private final URI baseUrl;
  private final List<String> origins;

  /**
   * @param origins further permitted origins, besides the base URL's
   */
  Sites(URI baseUrl, List<String> origins) {
    this.baseUrl = baseUrl;
    this.origins = List.copyOf(origins);
  }

  /** The reason to refuse the request; empty if it is permitted. */
  Optional<String> problem(HttpRequest request) {
    String host = request.header("Host");
    if (host != null && !isOwn(uri(baseUrl.getScheme() + "://" + host.strip()))) {
      return Optional.of("The header Host does not name this service.");
    }
    String origin = request.header("Origin");
    if (origin != null && !origins.contains(origin.strip()) && !isOwnOrigin(uri(origin.strip()))) {
      return Optional.of("The header Origin names a site that is not allowed.");
    }
    return Optional.empty();
  }

  private boolean isOwnOrigin(@Nullable URI origin) {
    return isOwn(origin)
        && origin != null
        && (BaseUrl.isLoopback(origin) || baseUrl.getScheme().equalsIgnoreCase(origin.getScheme()));
  }

  private boolean isOwn(@Nullable URI site) {
    if (site == null || site.getHost() == null || site.getUserInfo() != null) {
      return false;
    }
    return BaseUrl.isLoopback(baseUrl)
        ? BaseUrl.isLoopback(site)
        : host(site).equals(host(baseUrl)) && port(site) == port(baseUrl);
  }

  private static String host(URI site) {
    return String.valueOf(site.getHost()).toLowerCase(Locale.ROOT);
  }

  private static int port(URI site) {
    if (site.getPort() >= 0) {
      return site.getPort();
    }
    return "http".equalsIgnoreCase(site.getScheme()) ? 80 : 443;
  }

  private static @Nullable URI uri(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
