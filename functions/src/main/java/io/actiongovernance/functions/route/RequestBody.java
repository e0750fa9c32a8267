package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request that may have one (contract, section 1). */
final class RequestBody {
  /** The most bytes a body may have. */
  static final int MOST_BYTES = 262_144;

  private static final String TENANT = "tenant_id";
  private static final String RESELLER = "reseller_id";

  private RequestBody() {}

  /** The fields every body may have, whose values {@link #checkTenancy} checks. */
  static String[] tenancyFields() {
    return new String[] {TENANT, RESELLER};
  }

  /** The object sent; an empty body is {@code {}}, whatever type it is said to have. */
  static ObjectNode read(HttpRequest request) {
    byte[] body = request.body();
    if (body.length == 0) {
      return Json.object();
    }
    if (!isJson(request.header("Content-Type"))) {
      throw new ApiException(
          ErrorCode.INVALID_REQUEST, "A body needs the header Content-Type: application/json.");
    }
    if (body.length > MOST_BYTES) {
      throw new ApiException(
          ErrorCode.INVALID_REQUEST, "The body has more than " + MOST_BYTES + " bytes.");
    }
    JsonNode node = parse(body);
    if (!(node instanceof ObjectNode object)) {
      throw new ApiException(ErrorCode.INVALID_REQUEST, "The body is not a JSON object.");
    }
    return object;
  }

  private static JsonNode parse(byte[] body) {
    try {
      return Json.parse(body);
    } catch (Json.InvalidJson e) {
      throw new ApiException(ErrorCode.INVALID_JSON, String.valueOf(e.getMessage()));
    } catch (Json.NumberOutOfRange e) {
      throw Problem.invalid(e.path(), String.valueOf(e.getMessage()));
    }
  }

  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return mediaType.equals("application/json");
  }

  /**
   * Refuses a body that names another tenant or reseller than the key's: the key enforces tenancy.
   */
  static void checkTenancy(ObjectNode body, Caller caller) {
    check(body, TENANT, caller.partition().tenant().value());
    check(body, RESELLER, caller.resellerId());
  }

  private static void check(ObjectNode body, String field, @Nullable String own) {
    boolean other = body.hasNonNull(field) && !body.get(field).asText().equals(own);
    if (other || (body.hasNonNull(field) && !body.get(field).isTextual())) {
      throw new ApiException(
          new io.actiongovernance.functions.api.ApiError(
              ErrorCode.TENANT_MISMATCH, field + " is not that of the key.", field, null, null));
    }
  }
}
