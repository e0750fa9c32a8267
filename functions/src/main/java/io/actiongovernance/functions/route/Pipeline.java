package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes every request in the order of the contract's section 1: route, revision, credentials,
 * scope, rate, body, JSON, tenancy, fields, idempotency, handler. The first check that fails
 * determines the answer.
 *
 * <p>The input is read into the handler's input record before the Idempotency-Key is looked up.
 * Thread-safe.
 */
final class Pipeline {
  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

  /** Logs one line per request, so that a request can be found by its identifier. */
  private static final Logger REQUESTS = LoggerFactory.getLogger("requests");

  private static final int UNAUTHORIZED = 401;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Duration STORE_RETRY = Duration.ofSeconds(2);

  private final Admission admission;
  private final PageCursors cursors;
  private final Idempotency idempotency;
  private final Encoder encoder;
  private final Ids ids;
  private final InstantSource clock;
  private final Wiring wiring;
  private final RouteFinder routes;
  private final boolean streams;

  /**
   * Created on first use, because a deployed function answers one route and must not load all
   * handlers.
   */
  private final Map<Route, Handling<?>> handlers = new ConcurrentHashMap<>();

  /**
   * @param streams whether an answer may be a stream; if not, routes that stream do not exist
   */
  Pipeline(Wiring wiring, List<Route> routes, boolean streams) {
    this.admission = new Admission(wiring);
    this.cursors = new PageCursors(wiring.sealer(), wiring.clock());
    this.idempotency = Idempotency.of(wiring);
    this.encoder = new Encoder(wiring.settings().baseUrl());
    this.ids = wiring.ids();
    this.clock = wiring.clock();
    this.wiring = wiring;
    this.routes = new RouteFinder(routes);
    this.streams = streams;
  }

  /**
   * Answers a request. Every fault becomes an error of the contract.
   *
   * @param logIds receives the identifiers of the request and its subjects
   */
  HttpResponse answer(HttpRequest request, LogIds logIds) {
    Progress progress = new Progress(RequestId.next(ids), clock.instant());
    logIds.with("request_id", progress.requestId.value());
    Encoded encoded;
    try {
      encoded = admit(request, progress, logIds);
    } catch (ApiException e) {
      encoded = encode(Reply.error(e.error()), progress);
    } catch (Problem e) {
      encoded = encode(Reply.refused(e.refusal()), progress);
    } catch (StoreUnavailable e) {
      LOG.warn(
          "{} {} {} found the store unavailable",
          progress.requestId,
          request.method(),
          request.path(),
          e);
      encoded = encode(Reply.error(unavailable()), progress);
    } catch (RuntimeException e) {
      LOG.error("{} {} {} failed", progress.requestId, request.method(), request.path(), e);
      String message = "Something failed on our side. If you report it, include the request_id.";
      encoded = encode(Reply.error(ErrorCode.INTERNAL_ERROR, message), progress);
    }
    HttpResponse response = respond(encoded, request, progress);
    REQUESTS
        .atInfo()
        .addKeyValue("method", request.method())
        .addKeyValue("route", String.valueOf(request.template()))
        .addKeyValue("status", response.status())
        .log("Answered");
    return response;
  }

  private Encoded encode(Reply reply, Progress progress) {
    Encoded encoded = encoded(reply, progress);
    if (progress.challenge != null && encoded.status() == UNAUTHORIZED) {
      encoded.headers().put("WWW-Authenticate", progress.challenge);
    }
    return encoded;
  }

  private Encoded encoded(Reply reply, Progress progress) {
    JsonNode message = progress.message;
    return switch (reply) {
      case Reply.Remade(Reply inner, _) -> encoded(inner, progress);
      case Reply.Failure(ApiError error) when progress.page ->
          encoder.page(error, progress.requestId);
      case Reply.Failure(ApiError error) when Encoder.isOfTheRequest(error) ->
          encoder.encode(reply, progress.requestId);
      case Reply.Failure(ApiError error) when message != null ->
          encoder.rpcError(error, message, progress.requestId);
      case Reply.Pending(ApiError error) when message != null ->
          encoder.rpcError(error, message, progress.requestId);
      default -> encoder.encode(reply, progress.requestId);
    };
  }

  private HttpResponse respond(Encoded encoded, HttpRequest request, Progress progress) {
    return encoder.respond(
        encoded,
        new Encoder.ResponseTerms(
            progress.requestId,
            progress.revision,
            progress.deprecations,
            admission.told(progress, STORE_RETRY),
            progress.cache,
            request.takesGzip()));
  }

  static ApiError unavailable() {
    return new ApiError(
        ErrorCode.SERVICE_UNAVAILABLE,
        "The service cannot answer this request at the moment.",
        null,
        null,
        STORE_RETRY);
  }

  private Encoded admit(HttpRequest request, Progress progress, LogIds logIds) {
    RouteFinder.Matches found = find(request);
    Optional<RouteFinder.Match> match = found.method(request.method());
    if (match.isEmpty()) {
      admission.toNowhere(request, progress);
      return noSuchRoute(found, progress);
    }
    Route route = match.get().route();
    progress.cache = route.form().cache();
    progress.page = route.form().errors() == Route.Errors.PAGE && request.takesPage();
    logIds.withPath(match.get().parameters());
    Optional<Caller> caller = admission.admit(match.get(), request, progress, logIds);
    return handled(match.get(), request, progress, caller.orElse(null));
  }

  /**
   * The routes of the request's path; none if the request's route streams and this pipeline does
   * not.
   */
  private RouteFinder.Matches find(HttpRequest request) {
    RouteFinder.Matches found = routes.find(request);
    boolean unanswerable =
        !streams
            && found.method(request.method()).filter(match -> match.route().streams()).isPresent();
    return unanswerable ? new RouteFinder.Matches(List.of()) : found;
  }

  private Encoded noSuchRoute(RouteFinder.Matches found, Progress progress) {
    String message =
        found.matches().isEmpty()
            ? "There is no such path."
            : "There is no such method on this path.";
    Encoded encoded = encode(Reply.error(ErrorCode.NOT_FOUND, message), progress);
    if (found.matches().isEmpty()) {
      return encoded;
    }
    if (found.matches().stream().anyMatch(match -> match.route().form().ofMessages())) {
      encoded = encode(new Reply.Empty(METHOD_NOT_ALLOWED), progress);
    }
    encoded.headers().put("Allow", found.allowed());
    return encoded;
  }

  private Encoded handled(
      RouteFinder.Match match, HttpRequest request, Progress progress, @Nullable Caller caller) {
    Route route = match.route();
    ObjectNode body = RequestBody.read(route, request);
    if (route.form().errors() == Route.Errors.JSON_RPC) {
      progress.message = body.path("id").isMissingNode() ? NullNode.getInstance() : body.path("id");
    }
    boolean keyed =
        route.takesIdempotencyKey()
            && !(route.form().ofMessages() && RequestBody.onlyReads(route, body));
    if (caller != null && route.form().body() == Route.Body.JSON) {
      RequestBody.checkTenancy(body, caller);
    }
    Optional<String> key =
        caller != null && keyed
            ? Idempotency.key(request.header("Idempotency-Key"))
            : Optional.empty();
    Function<Call, Reply> handle =
        handling(match).input(call(match, request, progress, caller, body, ids.next()));
    if (caller == null || key.isEmpty()) {
      return encode(
          run(handle, call(match, request, progress, caller, body, ids.next())), progress);
    }
    String scope =
        Idempotency.scope(
            caller, route.form().idempotencyKey(), request.method(), request.path(), key.get());
    return idempotency.once(
        caller.partition(),
        scope,
        Idempotency.fingerprint(caller, route.form().idempotencyKey(), body),
        mintedId -> {
          Reply reply = run(handle, call(match, request, progress, caller, body, mintedId));
          return new Idempotency.Ran(reply, encode(reply, progress));
        });
  }

  private static Reply run(Function<Call, Reply> handle, Call call) {
    try {
      return handle.apply(call);
    } catch (ApiException e) {
      return Reply.error(e.error());
    } catch (Problem e) {
      return Reply.refused(e.refusal());
    }
  }

  private Handling<?> handling(RouteFinder.Match match) {
    return handlers.computeIfAbsent(match.route(), one -> Handling.of(one, one.handler(wiring)));
  }

  private RequestCall call(
      RouteFinder.Match match,
      HttpRequest request,
      Progress progress,
      @Nullable Caller caller,
      ObjectNode body,
      String mintedId) {
    return new RequestCall(
        match,
        request,
        new RequestCall.Admitted(
            progress.requestId, caller, progress.revision, progress.receivedAt),
        body,
        cursors,
        mintedId);
  }
}
