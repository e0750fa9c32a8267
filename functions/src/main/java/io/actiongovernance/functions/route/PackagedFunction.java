package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves content that is packaged with the code and is the same for all callers (contract for
 * people, section 4). It uses no key, rate bucket, store or parameters, so its function needs no
 * rights and no master key. The content's paths are not in the published contract. Thread-safe.
 */
public final class PackagedFunction {
  private static final Logger REQUESTS = LoggerFactory.getLogger("requests");

  /** Content that is packaged with the code. */
  public interface Packaged {
    /** Returns whether the path belongs to this content, even if nothing exists at the path. */
    boolean has(String path);

    /**
     * The content at a path. An {@link Reply.Asset} never changes and may be cached forever.
     *
     * @param opener the party that made the browser open the path
     */
    Optional<Reply> find(String path, Opener opener);
  }

  private final Packaged packaged;
  private final Encoder encoder;
  private final Ids ids;

  public PackagedFunction(Packaged packaged, URI baseUrl, Ids ids) {
    this.packaged = packaged;
    this.encoder = new Encoder(baseUrl);
    this.ids = ids;
  }

  /** Returns the response; empty if the path does not belong to this content. */
  public Optional<APIGatewayProxyResponseEvent> answer(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    if (!packaged.has(event.getPath())) {
      return Optional.empty();
    }
    HttpRequest request = ProxyRequests.of(event);
    try (LogIds logIds = LogIds.of(context)) {
      RequestId requestId = RequestId.next(ids);
      logIds.with("request_id", requestId.value());
      HttpResponse response = answer(request, requestId);
      REQUESTS
          .atInfo()
          .addKeyValue("method", request.method())
          .addKeyValue("route", String.valueOf(request.template()))
          .addKeyValue("status", response.status())
          .log("Answered");
      return Optional.of(ApiFunction.proxied(response));
    }
  }

  private HttpResponse answer(HttpRequest request, RequestId requestId) {
    boolean head = request.method().equals("HEAD");
    Optional<Reply> found = packaged.find(request.path(), request.opener());
    if (!head && !request.method().equals("GET")) {
      Encoder.Encoded refused =
          encoder.encode(
              Reply.error(ErrorCode.NOT_FOUND, "There is no such method on this path."), requestId);
      if (found.isPresent()) {
        refused.headers().put("Allow", "GET, HEAD");
      }
      return respond(refused, Route.Cache.NOBODY, request, requestId);
    }
    Reply reply = found.orElseGet(() -> Reply.error(ErrorCode.NOT_FOUND, "There is no such path."));
    HttpResponse response =
        respond(
            encoder.encode(reply, requestId),
            reply instanceof Reply.Asset ? Route.Cache.EVERYBODY : Route.Cache.NOBODY,
            request,
            requestId);
    return head
        ? new HttpResponse(
            response.status(), response.headers(), response.repeated(), Content.NOTHING)
        : response;
  }

  private HttpResponse respond(
      Encoder.Encoded encoded, Route.Cache cache, HttpRequest request, RequestId requestId) {
    return encoder.respond(
        encoded,
        new Encoder.ResponseTerms(
            requestId, Revision.LATEST, Set.of(), null, cache, request.takesGzip()));
  }
}
