package io.actiongovernance.functions.api;

import io.actiongovernance.functions.contract.ErrorCode;

/**
 * Ends a request with an error of the contract: an invalid field, or a failure while the request is
 * handled. Outcomes of business rules are sealed types instead.
 */
public final class ApiException extends RuntimeException {
  private final transient ApiError error;

  public ApiException(ApiError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  public ApiException(ErrorCode code, String message) {
    this(new ApiError(code, message, null, null, null));
  }

  /** A field that fails validation. */
  public static ApiException invalid(String param, String message) {
    return new ApiException(new ApiError(ErrorCode.INVALID_PARAMETER, message, param, null, null));
  }

  /** A required field that is absent. */
  public static ApiException missing(String param) {
    return new ApiException(
        new ApiError(
            ErrorCode.MISSING_PARAMETER,
            "The field " + param + " is required.",
            param,
            null,
            null));
  }

  public ApiError error() {
    return error;
  }
}
