package io.actiongovernance.functions.day;

import io.actiongovernance.functions.route.Route;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request with nothing wrong in it.
 *
 * @param named what the parameters of the path name
 * @param query what the query says
 * @param body JSON text, or null for none
 * @param secret of the key that it is made with, or null for the tenant's own
 */
public record GoodRequest(
    Route route,
    Map<String, String> named,
    Map<String, String> query,
    @Nullable String body,
    @Nullable String secret) {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  /** The path of the route with what is named. */
  public String path() {
    return path(route, parameter -> named.getOrDefault(parameter, parameter));
  }

  /** The path of a route with these identifiers for its parameters. */
  public static String path(Route route, UnaryOperator<String> ids) {
    return PARAMETER
        .matcher(route.path())
        .replaceAll(found -> Matcher.quoteReplacement(ids.apply(found.group(1))));
  }
}
