package io.actiongovernance.functions.connector;

import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.json.Json;
import java.time.Duration;

/** The errors that more than one route of connectors answers with. */
final class Errors {
  private Errors() {}

  static Reply quota(int quota) {
    String message = "The tenant has its " + quota + " connectors already.";
    return Reply.error(
        new ApiError(ErrorCode.QUOTA_EXCEEDED, message, null, null, Duration.ofMinutes(1)));
  }

  static Reply inUse(String capability) {
    return Reply.error(
        new ApiError(
            ErrorCode.CONNECTOR_IN_USE,
            "An active operator depends on " + capability + ", which no other connector fulfils.",
            null,
            Json.object().put("capability", capability),
            null));
  }
}
