package io.actiongovernance.infra;

import io.actiongovernance.functions.api.BrowserHeaders;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.json.Json;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnGatewayResponse;

/**
 * The gateway's own responses, in the contract's error form and with the headers of every response.
 * The gateway cannot compute, so its own request id is in the body with the contract's prefix and
 * in the header without. The rate headers are those for an unknown address.
 */
enum GatewayResponse {
  THROTTLED(ErrorCode.RATE_LIMITED, "Too many requests at once."),
  QUOTA_EXCEEDED(ErrorCode.RATE_LIMITED, "Too many requests."),
  REQUEST_TOO_LARGE(ErrorCode.INVALID_REQUEST, "The request is too large."),
  UNSUPPORTED_MEDIA_TYPE(ErrorCode.INVALID_REQUEST, "The media type is not supported."),
  BAD_REQUEST_BODY(ErrorCode.INVALID_REQUEST, "The request is malformed."),
  BAD_REQUEST_PARAMETERS(ErrorCode.INVALID_REQUEST, "The request is malformed."),
  RESOURCE_NOT_FOUND(ErrorCode.NOT_FOUND, "There is no such path."),
  MISSING_AUTHENTICATION_TOKEN(ErrorCode.NOT_FOUND, "There is no such path."),
  UNAUTHORIZED(ErrorCode.UNAUTHENTICATED, "The request is not authenticated."),
  ACCESS_DENIED(ErrorCode.UNAUTHENTICATED, "The request is not authenticated."),
  EXPIRED_TOKEN(ErrorCode.UNAUTHENTICATED, "The request is not authenticated."),
  INVALID_SIGNATURE(ErrorCode.UNAUTHENTICATED, "The request is not authenticated."),
  INVALID_API_KEY(ErrorCode.UNAUTHENTICATED, "The request is not authenticated."),
  WAF_FILTERED(ErrorCode.INVALID_REQUEST, "The firewall blocked the request."),
  INTEGRATION_TIMEOUT(ErrorCode.SERVICE_UNAVAILABLE, "The service did not answer in time."),
  INTEGRATION_FAILURE(ErrorCode.SERVICE_UNAVAILABLE, "The service cannot answer at the moment."),
  DEFAULT_4XX(ErrorCode.INVALID_REQUEST, "The request is malformed."),
  DEFAULT_5XX(ErrorCode.INTERNAL_ERROR, "The service failed.");

  /** The default budget of an address per minute. */
  private static final String UNAUTHENTICATED_PER_MINUTE = "60";

  private final ErrorCode code;
  private final String message;

  GatewayResponse(ErrorCode code, String message) {
    this.code = code;
    this.message = message;
  }

  CfnGatewayResponse make(Stack stack, String apiId, String baseUrl) {
    return CfnGatewayResponse.Builder.create(stack, "Response" + Names.logical(wire()))
        .restApiId(apiId)
        .responseType(name())
        .statusCode(Integer.toString(code.status()))
        .responseParameters(headers())
        .responseTemplates(Map.of("application/json", body(baseUrl)))
        .build();
  }

  /**
   * The whole response without the service's address, which distinguishes versions of the response.
   */
  String describe() {
    return name() + code.status() + headers() + body("");
  }

  private String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Map<String, String> headers() {
    Map<String, String> parameters = new TreeMap<>();
    constants()
        .forEach((name, value) -> parameters.put("gatewayresponse.header." + name, quoted(value)));
    // The gateway is reachable only over TLS.
    BrowserHeaders.of(true)
        .forEach((name, value) -> parameters.put("gatewayresponse.header." + name, quoted(value)));
    parameters.put("gatewayresponse.header.X-Request-Id", "context.requestId");
    parameters.put("gatewayresponse.header.Content-Type", quoted("application/json"));
    return parameters;
  }

  private static String quoted(String value) {
    return "'" + value + "'";
  }

  /** The response's headers, without those that are equal in every response. */
  Map<String, String> constants() {
    Map<String, String> headers = new TreeMap<>();
    headers.put("Cache-Control", "no-store");
    headers.put("Service-Version", Revision.LATEST.date());
    headers.put("X-RateLimit-Limit", UNAUTHENTICATED_PER_MINUTE);
    headers.put(
        "X-RateLimit-Remaining", code == ErrorCode.RATE_LIMITED ? "0" : UNAUTHENTICATED_PER_MINUTE);
    // A second in the past means that the budget is full again.
    headers.put("X-RateLimit-Reset", "0");
    if (code == ErrorCode.RATE_LIMITED || code == ErrorCode.SERVICE_UNAVAILABLE) {
      headers.put("Retry-After", "1");
    }
    if (code == ErrorCode.UNAUTHENTICATED) {
      headers.put("WWW-Authenticate", "Bearer");
    }
    return headers;
  }

  int status() {
    return code.status();
  }

  private String body(String baseUrl) {
    return body(baseUrl, "req_$context.requestId");
  }

  /** The body of the response to the request with this identifier. */
  String body(String baseUrl, String requestId) {
    var body = Json.object();
    body.putObject("error")
        .put("type", code.type().wire())
        .put("code", code.wire())
        .put("message", message)
        .put("doc_url", baseUrl + "/docs/errors#" + code.wire())
        .put("request_id", requestId)
        .putNull("param")
        .putNull("details");
    return Json.write(body);
  }
}
