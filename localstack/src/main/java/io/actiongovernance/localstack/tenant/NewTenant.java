package io.actiongovernance.localstack.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the function {@code create-tenant} takes. What is null is left out, and the function's
 * default holds.
 *
 * @param limits requests per minute by name, such as {@code plans.write}
 * @param spread over how many keys what it writes at once is spread
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewTenant(
    String name,
    @Nullable String resellerId,
    @Nullable Long includedActions,
    @Nullable Long hardCap,
    @Nullable Map<String, Integer> limits,
    @Nullable Integer spread) {

  /** One that is not spread. */
  public NewTenant(
      String name,
      @Nullable String resellerId,
      @Nullable Long includedActions,
      @Nullable Long hardCap,
      @Nullable Map<String, Integer> limits) {
    this(name, resellerId, includedActions, hardCap, limits, null);
  }

  /**
   * What it answers.
   *
   * @param consoleUrl where a browser is signed in once as the first live key
   */
  public record Created(String tenantId, Keys keys, String consoleUrl) {}

  /** The secrets of its first keys, one for each mode. */
  public record Keys(String live, String test) {}

  public static NewTenant named(String name) {
    return new NewTenant(name, null, null, null, null);
  }
}
