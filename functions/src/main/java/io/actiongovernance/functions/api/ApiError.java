package io.actiongovernance.functions.api;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.ErrorDetails;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The content of an error envelope (contract, section 1).
 *
 * @param param the field, such as {@code actions[0].tool}; null if none
 * @param details null if none
 * @param retryAfter the value of {@code Retry-After}; null for no such header
 */
public record ApiError(
    ErrorCode code,
    String message,
    @Nullable String param,
    @Nullable ErrorDetails details,
    @Nullable Duration retryAfter) {
  public static ApiError of(ErrorCode code, String message) {
    return new ApiError(code, message, null, null, null);
  }
}
