package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request that may have one (contract, section 1). */
final class RequestBody {
  static final int MOST_BYTES = 262_144;

  private static final String TENANT = "tenant_id";
  private static final String RESELLER = "reseller_id";

  private RequestBody() {}

  /** The fields that every body may have; {@link #checkTenancy} checks their values. */
  static String[] tenancyFields() {
    return new String[] {TENANT, RESELLER};
  }

  /** Reads the request's body as an object, by the route's kind of body. */
  static ObjectNode read(Route route, HttpRequest request) {
    return switch (route.form().body()) {
      case NONE -> Json.object();
      case JSON -> read(request);
      case FORM -> form(request);
      case JSON_RPC -> message(request);
    };
  }

  /** Returns whether a message changes nothing, on a route that takes messages. */
  static boolean onlyReads(Route route, ObjectNode message) {
    return !route.form().writing().contains(message.path("method").asText());
  }

  /**
   * The JSON object in the body. An empty body counts as {@code {}}, whatever its declared type.
   */
  private static ObjectNode read(HttpRequest request) {
    byte[] body = request.body();
    if (body.length == 0) {
      return Json.object();
    }
    require("application/json", request);
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

  /** Requires that the body has this media type and is not too long. */
  private static void require(String mediaType, HttpRequest request) {
    String contentType = request.header("Content-Type");
    String said = contentType == null ? "" : contentType.split(";", 2)[0].strip();
    if (!said.toLowerCase(Locale.ROOT).equals(mediaType)) {
      throw new ApiException(
          ErrorCode.INVALID_REQUEST, "A body needs the header Content-Type: " + mediaType + ".");
    }
    if (request.body().length > MOST_BYTES) {
      throw new ApiException(
          ErrorCode.INVALID_REQUEST, "The body has more than " + MOST_BYTES + " bytes.");
    }
  }

  /** The fields of a form, each a text that occurs at most once. */
  private static ObjectNode form(HttpRequest request) {
    ObjectNode fields = Json.object();
    if (request.body().length == 0) {
      return fields;
    }
    require("application/x-www-form-urlencoded", request);
    for (String pair : new String(request.body(), StandardCharsets.UTF_8).split("&", -1)) {
      String[] parts = pair.split("=", 2);
      String name = decoded(parts[0]);
      if (fields.has(name)) {
        throw Problem.invalid(name, "The field " + name + " is given more than once.");
      }
      if (!name.isEmpty()) {
        fields.put(name, parts.length == 2 ? decoded(parts[1]) : "");
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw new ApiException(ErrorCode.INVALID_REQUEST, "The body is not a valid form.");
    }
  }

  private static ObjectNode message(HttpRequest request) {
    ObjectNode message = read(request);
    JsonNode id = message.path("id");
    boolean one =
        message.path("jsonrpc").asText().equals("2.0")
            && message.path("method").isTextual()
            && (id.isMissingNode() || id.isTextual() || id.isIntegralNumber());
    if (!one) {
      throw new ApiException(
          ErrorCode.INVALID_REQUEST, "The body is not one message of JSON-RPC 2.0.");
    }
    return message;
  }

  /** Refuses a body that names a tenant or reseller other than the one that the key determines. */
  static void checkTenancy(ObjectNode body, Caller caller) {
    check(body, TENANT, caller.partition().tenant().value());
    check(body, RESELLER, caller.resellerId());
  }

  private static void check(ObjectNode body, String field, @Nullable String own) {
    boolean other = body.hasNonNull(field) && !body.get(field).asText().equals(own);
    if (other || (body.hasNonNull(field) && !body.get(field).isTextual())) {
      throw new ApiException(
          new io.actiongovernance.functions.api.ApiError(
              ErrorCode.TENANT_MISMATCH,
              field + " is not that of the key. Leave it out.",
              field,
              null,
              null));
    }
  }
}
