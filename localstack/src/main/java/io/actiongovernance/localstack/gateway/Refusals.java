package io.actiongovernance.localstack.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.BrowserHeaders;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests that the gateway itself refuses, such as invalid HTTP, in the contract's error
 * form and with the headers of every response. On AWS, the API's gateway responses do the same.
 * Thread-safe.
 */
final class Refusals extends ErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final Settings settings;
  private final Ids ids;
  private final InstantSource clock;

  Refusals(Settings settings, Ids ids, InstantSource clock) {
    this.settings = settings;
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Throwable cause = (Throwable) request.getAttribute(ERROR_EXCEPTION);
    if (status >= 500
        && !(cause instanceof HttpException)) { // Jetty's exception for a request it cannot read
      LOG.warn("The gateway failed on {} {}", request.getMethod(), request.getHttpURI(), cause);
      return refuse(response, callback, ErrorCode.INTERNAL_ERROR, "The service failed.");
    }
    return refuse(response, callback, ErrorCode.INVALID_REQUEST, meaning(status));
  }

  boolean refuse(Response response, Callback callback, ErrorCode code, String message) {
    response.setStatus(code.status());
    byte[] body = body(response.getHeaders(), code, message);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private static String meaning(int status) {
    return switch (status) {
      case 408 -> "The request took too long to arrive.";
      case 413 -> "The request is too large.";
      case 414 -> "The path is too long.";
      case 431 -> "The headers are too large.";
      default -> "The request is malformed.";
    };
  }

  private byte[] body(HttpFields.Mutable headers, ErrorCode code, String message) {
    RequestId requestId = RequestId.next(ids);
    String limit = Integer.toString(settings.unauthenticatedPerMinute());
    BrowserHeaders.of(settings.baseUrl()).forEach(headers::put);
    headers.put("Content-Type", "application/json");
    headers.put("Cache-Control", "no-store");
    headers.put("X-Request-Id", requestId.value());
    headers.put("Service-Version", Revision.LATEST.date());
    headers.put("X-RateLimit-Limit", limit);
    headers.put("X-RateLimit-Remaining", limit);
    headers.put("X-RateLimit-Reset", Long.toString(clock.instant().getEpochSecond()));
    if (code == ErrorCode.SERVICE_UNAVAILABLE) {
      headers.put("Retry-After", "1");
    }
    ObjectNode error = Json.object();
    error
        .putObject("error")
        .put("type", code.type().wire())
        .put("code", code.wire())
        .put("message", message)
        .put("doc_url", settings.baseUrl() + "/docs/errors#" + code.wire())
        .put("request_id", requestId.value())
        .putNull("param")
        .putNull("details");
    return Json.write(error).getBytes(StandardCharsets.UTF_8);
  }
}
