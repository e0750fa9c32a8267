package io.actiongovernance.localstack.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Input of the function {@code create-tenant}. Null fields are omitted, so that the function's
 * defaults apply.
 *
 * @param limits requests per minute by name, such as {@code plans.write}
 * @param spread number of keys over which the tenant's concurrent writes are distributed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewTenant(
    String name,
    @Nullable String resellerId,
    @Nullable Long includedActions,
    @Nullable Long hardCap,
    @Nullable Map<String, Integer> limits,
    @Nullable Integer spread) {

  /** A tenant whose writes are not distributed over several keys. */
  public NewTenant(
      String name,
      @Nullable String resellerId,
      @Nullable Long includedActions,
      @Nullable Long hardCap,
      @Nullable Map<String, Integer> limits) {
    this(name, resellerId, includedActions, hardCap, limits, null);
  }

  /**
   * Answer of the function {@code create-tenant}.
   *
   * @param consoleUrl single-use address that signs a browser in with the first live key
   */
  public record Created(String tenantId, Keys keys, String consoleUrl) {}

  /** Secrets of the tenant's first keys, one for each mode. */
  public record Keys(String live, String test) {}

  public static NewTenant named(String name) {
    return new NewTenant(name, null, null, null, null);
  }
}
