package io.actiongovernance.functions.samples;

import io.actiongovernance.functions.route.Route;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sample request: there is nothing wrong in it.
 *
 * @param named what the parameters of the path name
 * @param query what the query says
 * @param body JSON text, or null for none
 * @param secret of the key that it is made with, or null for the tenant's own
 */
public record SampleRequest(
    Route route,
    Map<String, String> named,
    Map<String, String> query,
    @Nullable String body,
    @Nullable String secret) {
  /** The path of the route with what is named. */
  public String path() {
    return route.path(parameter -> named.getOrDefault(parameter, parameter));
  }
}
