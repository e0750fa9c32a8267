package io.actiongovernance.functions.api;

/**
 * The codes of the contract: clients branch on these, never on messages (specification, Errors).
 */
public enum ErrorCode {
  INVALID_JSON(400),
  INVALID_REQUEST(400),
  MISSING_PARAMETER(400),
  INVALID_PARAMETER(400),
  INVALID_CURSOR(400),
  UNAUTHENTICATED(401),
  KEY_INVALID(401),
  KEY_REVOKED(401),
  KEY_EXPIRED(401),
  INSUFFICIENT_SCOPE(403),
  TENANT_MISMATCH(403),
  APPROVER_NOT_ELIGIBLE(403),
  NOT_FOUND(404),
  STATE_CONFLICT(409),
  IDEMPOTENCY_CONFLICT(409),
  IDEMPOTENCY_IN_PROGRESS(409),
  ENTITY_LOCKED(409),
  CONNECTOR_IN_USE(409),
  ACTION_NOT_UNDOABLE(409),
  HALTED(409),
  POLICY_BLOCKED(422),
  CAPABILITY_UNBOUND(422),
  LISTING_EARLY_ACCESS(422),
  AUTH_FAILED(422),
  RATE_LIMITED(429),
  QUOTA_EXCEEDED(429),
  INTERNAL_ERROR(500),
  CONNECTOR_UPSTREAM_ERROR(502),
  SERVICE_UNAVAILABLE(503);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  /** The HTTP status it goes with. */
  public int status() {
    return status;
  }

  /** Its name in the error envelope. */
  public String wire() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The group of its status in the error envelope. */
  public String type() {
    return switch (status) {
      case 400 -> "invalid_request_error";
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 409 -> "conflict_error";
      case 422 -> "validation_error";
      case 429 -> "rate_limit_error";
      default -> "api_error";
    };
  }
}
