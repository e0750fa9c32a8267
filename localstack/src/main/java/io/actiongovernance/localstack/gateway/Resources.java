package io.actiongovernance.localstack.gateway;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The path templates of the API. Paths are matched segment by segment, as in API Gateway. A fixed
 * segment takes precedence over a parameter, and a parameter over one that takes all remaining
 * segments ({@code {proxy+}}). Parameters keep their percent-encoding. Immutable.
 */
public final class Resources {
  /** The template that a path matches, and its parameters, which are still percent-encoded. */
  public record Match(String resource, Map<String, String> parameters) {}

  private final Set<String> templates;

  /**
   * @param templates such as {@code /v1/plans/{plan_id}/veto}
   */
  public Resources(Collection<String> templates) {
    this.templates = new LinkedHashSet<>(templates);
  }

  /** Returns the template that the raw path matches; empty if none does. */
  public Optional<Match> match(String rawPath) {
    String[] path = rawPath.split("/", -1);
    Match best = null;
    for (String template : templates) {
      Optional<Match> match = match(template, template.split("/", -1), path);
      if (match.isPresent() && (best == null || moreFixed(template, best.resource()))) {
        best = match.get();
      }
    }
    return Optional.ofNullable(best);
  }

  private static Optional<Match> match(String template, String[] segments, String[] path) {
    boolean greedy = isGreedy(segments[segments.length - 1]);
    if (greedy ? path.length < segments.length : path.length != segments.length) {
      return Optional.empty();
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int at = 0; at < segments.length; at++) {
      if (isGreedy(segments[at])) {
        String rest = String.join("/", List.of(path).subList(at, path.length));
        parameters.put(segments[at].substring(1, segments[at].length() - 2), rest);
      } else if (isParameter(segments[at])) {
        if (path[at].isEmpty()) {
          return Optional.empty();
        }
        parameters.put(segments[at].substring(1, segments[at].length() - 1), path[at]);
      } else if (!segments[at].equals(decoded(path[at]))) {
        return Optional.empty();
      }
    }
    return Optional.of(new Match(template, parameters));
  }

  /**
   * Returns whether this template is the more specific one at the first segment where both differ
   * in kind.
   */
  private static boolean moreFixed(String template, String other) {
    String[] here = template.split("/", -1);
    String[] there = other.split("/", -1);
    for (int at = 0; at < Math.min(here.length, there.length); at++) {
      int difference = vagueness(here[at]) - vagueness(there[at]);
      if (difference != 0) {
        return difference < 0;
      }
    }
    return false;
  }

  private static int vagueness(String segment) {
    if (isGreedy(segment)) {
      return 2;
    }
    return isParameter(segment) ? 1 : 0;
  }

  private static boolean isGreedy(String segment) {
    return segment.endsWith("+}");
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  private static String decoded(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return segment; // not a valid encoding, so it equals no fixed segment
    }
  }
}
