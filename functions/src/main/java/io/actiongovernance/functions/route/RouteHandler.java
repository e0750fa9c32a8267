package io.actiongovernance.functions.route;

/**
 * A handler: parse, one use case, encode. Stateless and thread-safe; the pipeline does all the
 * rest.
 */
public interface RouteHandler {
  /** Answers an admitted request; may throw {@link io.actiongovernance.api.ApiException}. */
  Reply handle(Call call);
}
