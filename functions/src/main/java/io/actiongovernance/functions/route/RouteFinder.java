package io.actiongovernance.functions.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the route of a request. If a path fits two templates, the one with fewer parameters
 * matches. Immutable.
 */
final class RouteFinder {
  private final List<Route> routes;

  RouteFinder(List<Route> routes) {
    this.routes = List.copyOf(routes);
  }

  /** A route and the values of its path's parameters, percent-decoded. */
  record Match(Route route, Map<String, String> parameters) {}

  /** The routes of a path, by method; none if there is no such path. */
  record Matches(List<Match> matches) {
    Optional<Match> method(String method) {
      return matches.stream()
          .filter(match -> match.route().method().name().equals(method))
          .findFirst();
    }

    /** The methods of the path, as {@code Allow} lists them. */
    String allowed() {
      return matches.stream()
          .map(match -> match.route().method().name())
          .sorted()
          .collect(Collectors.joining(", "));
    }
  }

  Matches find(HttpRequest request) {
    String[] segments = segments(request.path());
    String best =
        routes.stream()
            .map(Route::path)
            .filter(template -> fits(template, segments))
            .min((a, b) -> Integer.compare(parameters(a), parameters(b)))
            .orElse("");
    return new Matches(
        routes.stream()
            .filter(route -> route.path().equals(best))
            .map(route -> new Match(route, values(route.path(), segments)))
            .toList());
  }

  private static boolean fits(String template, String[] segments) {
    String[] parts = segments(template);
    if (parts.length != segments.length) {
      return false;
    }
    for (int at = 0; at < parts.length; at++) {
      boolean fits =
          isParameter(parts[at]) ? !segments[at].isEmpty() : parts[at].equals(segments[at]);
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, String> values(String template, String[] segments) {
    String[] parts = segments(template);
    // Sorted, because cursors are bound to them as text.
    Map<String, String> values = new TreeMap<>();
    for (int at = 0; at < parts.length; at++) {
      if (isParameter(parts[at])) {
        values.put(parts[at].substring(1, parts[at].length() - 1), decoded(segments[at]));
      }
    }
    return values;
  }

  private static String decoded(String segment) {
    try {
      // In a path, a plus sign is literal.
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // A broken escape names nothing that exists; the unchanged text will match nothing.
      return segment;
    }
  }

  private static int parameters(String template) {
    return (int) template.chars().filter(c -> c == '{').count();
  }

  private static boolean isParameter(String part) {
    return part.startsWith("{");
  }

  private static String[] segments(String path) {
    return path.split("/", -1);
  }
}
