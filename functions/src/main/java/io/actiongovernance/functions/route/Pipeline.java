package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.api.Deprecation;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every request goes through, in the order of the contract's section 1: route, revision,
 * credentials, scope, rate, body, JSON, tenancy, fields, idempotency, handler. The first check that
 * fails answers.
 *
 * <p>The input is read before the Idempotency-Key is looked up, by the record that the handler
 * declares. Thread-safe.
 */
final class Pipeline {
  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

  /** One line per request, for finding one by its identifier. */
  private static final Logger REQUESTS = LoggerFactory.getLogger("requests");

  private static final int UNAUTHORIZED = 401;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Duration STORE_RETRY = Duration.ofSeconds(2);

  private final RateLimits rateLimits;
  private final PageCursors cursors;
  private final Idempotency idempotency;
  private final Encoder encoder;
  private final Ids ids;
  private final InstantSource clock;
  private final int unauthenticatedPerMinute;
  private final Wiring wiring;
  private final RouteFinder routes;
  private final Sessions sessions;
  private final Sites sites;
  private final Bearers bearers;
  private final boolean streams;

  /**
   * Made when first asked for: a deployed function answers one route, and is not to load them all.
   */
  private final Map<Route, Handling<?>> handlers = new ConcurrentHashMap<>();

  /**
   * @param routes those that there are
   * @param streams whether an answer may be a stream; otherwise there are no such routes
   */
  Pipeline(Wiring wiring, List<Route> routes, boolean streams) {
    this.sessions = new Sessions(wiring);
    this.rateLimits = wiring.rateLimits();
    this.cursors = new PageCursors(wiring.sealer(), wiring.clock());
    this.idempotency = Idempotency.of(wiring);
    this.sites = new Sites(wiring.settings().baseUrl(), wiring.settings().mcpOrigins());
    this.bearers = new Bearers(wiring);
    this.encoder = new Encoder(wiring.settings().baseUrl());
    this.ids = wiring.ids();
    this.clock = wiring.clock();
    this.unauthenticatedPerMinute = wiring.settings().unauthenticatedPerMinute();
    this.wiring = wiring;
    this.routes = new RouteFinder(routes);
    this.streams = streams;
  }

  /** What is known of a request so far; its headers are told from it. Not thread-safe. */
  private static final class Progress {
    final RequestId requestId;
    final Instant receivedAt;
    Revision revision = Revision.LATEST;

    /** Of what the request touches that is deprecated. */
    final Set<Deprecation> deprecations = new LinkedHashSet<>();

    @Nullable Charge charge;

    /** What whoever is not known is asked to show, where it is more than it always is. */
    @Nullable String challenge;

    /** Who may keep the answer. */
    Route.Cache cache = Route.Cache.NOBODY;

    /** Whether a refusal is told as a page. */
    boolean page;

    /** The id of the message of JSON-RPC that the request is, once it is known to be one. */
    @Nullable JsonNode message;

    Progress(RequestId requestId, Instant receivedAt) {
      this.requestId = requestId;
      this.receivedAt = receivedAt;
    }

    void serve(Revision asked) {
      revision = asked;
      asked.deprecation().ifPresent(deprecations::add);
    }
  }

  /**
   * Answers a request; every fault becomes an error of the contract.
   *
   * @param logIds takes the identifiers of the request and of what it is about
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
      String message =
          "Something failed on our side. Please name the request id when you report it.";
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
        new Encoder.Told(
            progress.requestId,
            progress.revision,
            progress.deprecations,
            charge(progress),
            progress.cache,
            request.takesGzip()));
  }

  private static ApiError unavailable() {
    return new ApiError(
        ErrorCode.SERVICE_UNAVAILABLE,
        "The service cannot answer this request at the moment.",
        null,
        null,
        STORE_RETRY);
  }

  /**
   * The charge to tell of; of a request that failed before it could be charged, that nothing is
   * left for now.
   */
  private Charge charge(Progress progress) {
    return progress.charge != null
        ? progress.charge
        : new Charge(
            unauthenticatedPerMinute, 0, clock.instant().plus(STORE_RETRY).getEpochSecond(), null);
  }

  private Encoded admit(HttpRequest request, Progress progress, LogIds logIds) {
    RouteFinder.Found found = find(request);
    Optional<RouteFinder.Match> match = found.method(request.method());
    if (match.isEmpty()) {
      Optional.ofNullable(request.header("Service-Version"))
          .flatMap(Revision::parse)
          .ifPresent(progress::serve);
      progress.charge = rateLimits.chargeAddress(request.sourceAddress(), unauthenticatedPerMinute);
      return noSuchRoute(found, progress);
    }
    Route route = match.get().route();
    if (route.form().ofMessages()) {
      requireOwnSite(request, progress);
    }
    progress.cache = route.form().cache();
    progress.page = route.form().errors() == Route.Errors.PAGE && request.takesPage();
    logIds.withPath(match.get().parameters());
    RateClass rateClass = route.rateClass();
    readRevision(request, progress);
    if (rateClass == null) {
      chargeAddress(request, progress);
      if (!route.method().reads() && sessions.isOfOtherPage(request)) {
        throw ofOtherSite();
      }
      return handled(match.get(), request, progress, null);
    }
    boolean signedIn =
        route.access().credentials() == Route.Credentials.SESSION
            || (sessions.isShownBy(request) && !route.form().ofMessages());
    Authentication.Known known =
        signedIn ? signedIn(request, progress) : authenticate(match.get(), request, progress);
    Caller caller = known.caller();
    logIds.by(caller);
    if (signedIn) {
      admitPage(route, request, caller, progress);
    }
    requireScope(route, request, caller, progress);
    if (route.form().ofMessages()) {
      chargeMessage(route, request, known, progress);
    } else {
      progress.charge =
          rateClass == RateClass.SAFETY
              ? rateLimits.chargeSafety(caller.principal())
              : rateLimits.charge(
                  caller.partition().tenant(), known.limits(), rateClass, route.method().reads());
      requireAdmission(progress.charge);
    }
    return handled(match.get(), request, progress, caller);
  }

  /** A page of another site may not have its reader's programs ask here. */
  private void requireOwnSite(HttpRequest request, Progress progress) {
    Optional<String> problem = sites.problem(request);
    if (problem.isPresent()) {
      chargeAddress(request, progress);
      throw new ApiException(ErrorCode.CROSS_SITE_REQUEST, problem.get());
    }
  }

  /** Charges a message for what it is; what cannot be read counts as one that reads. */
  private void chargeMessage(
      Route route, HttpRequest request, Authentication.Known known, Progress progress) {
    boolean reads = true;
    try {
      reads = reads(route, RequestBody.read(route, request));
    } catch (ApiException | Problem _) {
      // It is refused when it is read to be handled.
    }
    Caller caller = known.caller();
    progress.charge =
        rateLimits.chargeMessage(
            caller.partition().tenant(), known.limits(), caller.credential().budget(), reads);
    requireAdmission(progress.charge);
  }

  private static boolean reads(Route route, ObjectNode message) {
    return !route.form().writing().contains(message.path("method").asText());
  }

  /** What the path leads to; a request for a stream that cannot be answered, to nothing. */
  private RouteFinder.Found find(HttpRequest request) {
    RouteFinder.Found found = routes.find(request);
    boolean unanswerable =
        !streams
            && found.method(request.method()).filter(match -> match.route().streams()).isPresent();
    return unanswerable ? new RouteFinder.Found(List.of()) : found;
  }

  private Encoded noSuchRoute(RouteFinder.Found found, Progress progress) {
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

  private void readRevision(HttpRequest request, Progress progress) {
    String asked = request.header("Service-Version");
    if (asked != null) {
      progress.serve(
          Revision.parse(asked)
              .orElseThrow(
                  () -> {
                    progress.charge =
                        rateLimits.chargeAddress(request.sourceAddress(), unauthenticatedPerMinute);
                    return Problem.invalid(
                        "Service-Version", "The published revisions are " + dates() + ".");
                  }));
    }
  }

  private static String dates() {
    return Arrays.stream(Revision.values()).map(Revision::date).collect(Collectors.joining(", "));
  }

  private Authentication.Known authenticate(
      RouteFinder.Match match, HttpRequest request, Progress progress) {
    return switch (bearers.find(progress.requestId, match, request)) {
      case Bearers.Shown.Known(Authentication.Known known) -> known;
      case Bearers.Shown.Beyond(Principal who, String why) -> {
        progress.charge = rateLimits.chargeRefusal(who);
        requireAdmission(progress.charge);
        throw new ApiException(ErrorCode.INSUFFICIENT_SCOPE, why);
      }
      case Bearers.Shown.Nobody(ErrorCode code, String why) -> {
        chargeAddress(request, progress);
        progress.challenge = bearers.challenge(match, request).orElse(null);
        throw new ApiException(code, why);
      }
      case Bearers.Shown.Unknown(String why) -> {
        chargeAddress(request, progress);
        LOG.warn("{} found no keys of an issuer: {}", progress.requestId, why);
        throw new ApiException(unavailable());
      }
    };
  }

  private Authentication.Known signedIn(HttpRequest request, Progress progress) {
    Optional<Authentication.Known> known = sessions.find(progress.requestId, request);
    if (known.isEmpty()) {
      chargeAddress(request, progress);
      throw new ApiException(ErrorCode.UNAUTHENTICATED, "This needs somebody to be signed in.");
    }
    return known.get();
  }

  /**
   * Refuses what a page of another site would have a browser do under its session, and notes the
   * use of one: what changes something, and a page that opens. Looking by itself, as a page does
   * that is left open, is none.
   */
  private void admitPage(Route route, HttpRequest request, Caller caller, Progress progress) {
    if (!route.method().reads() && !sessions.isOfOwnPage(request)) {
      progress.charge = rateLimits.chargeRefusal(caller.principal());
      requireAdmission(progress.charge);
      throw ofOtherSite();
    }
    if (!route.method().reads() || route.access().opensPages()) {
      sessions.noteUse(caller);
    }
  }

  private static ApiException ofOtherSite() {
    return new ApiException(
        ErrorCode.CROSS_SITE_REQUEST,
        "Only the service's own pages may ask this: Sec-Fetch-Site is not same-origin, and Origin"
            + " is not the base URL's.");
  }

  private void chargeAddress(HttpRequest request, Progress progress) {
    progress.charge = rateLimits.chargeAddress(request.sourceAddress(), unauthenticatedPerMinute);
    requireAdmission(progress.charge);
  }

  private static void requireAdmission(Charge charge) {
    if (!charge.admitted()) {
      throw new ApiException(
          new ApiError(
              ErrorCode.RATE_LIMITED,
              "More than " + charge.limit() + " requests a minute. Wait as Retry-After says.",
              null,
              null,
              charge.retryAfter()));
    }
  }

  /**
   * Refuses what the key may not do at all, whatever the request says. That is charged to the key
   * alone: no key uses up what others need, least of all those who are to revoke it.
   */
  private void requireScope(Route route, HttpRequest request, Caller caller, Progress progress) {
    Scope scope = route.scope();
    String lack = lackToInclude(route, request, caller).orElse(null);
    if (scope != null && !route.isOpenTo(caller.scopes())) {
      lack = "The key lacks the scope " + scope.wire() + ".";
    } else if (caller.reach().isBound() && !route.isOpenToBoundKeys()) {
      lack = "The key is bound to operators, and this is not theirs alone.";
    }
    if (lack != null) {
      progress.charge = rateLimits.chargeRefusal(caller.principal());
      requireAdmission(progress.charge);
      throw new ApiException(ErrorCode.INSUFFICIENT_SCOPE, lack);
    }
  }

  /** What the key lacks to see all that the request asks to have included. */
  private static Optional<String> lackToInclude(Route route, HttpRequest request, Caller caller) {
    Set<String> asked =
        request.query().getOrDefault(Route.INCLUDE, List.of()).stream()
            .flatMap(given -> Arrays.stream(given.split(",", -1)))
            .collect(Collectors.toSet());
    return route.access().including().entrySet().stream()
        .filter(one -> asked.contains(one.getKey()) && !caller.scopes().contains(one.getValue()))
        .sorted(Map.Entry.comparingByKey())
        .map(
            one ->
                "To include %s takes a key with scope %s."
                    .formatted(one.getKey(), one.getValue().wire()))
        .findFirst();
  }

  private Encoded handled(
      RouteFinder.Match match, HttpRequest request, Progress progress, @Nullable Caller caller) {
    Route route = match.route();
    ObjectNode body = RequestBody.read(route, request);
    if (route.form().errors() == Route.Errors.JSON_RPC) {
      progress.message = body.path("id").isMissingNode() ? NullNode.getInstance() : body.path("id");
    }
    boolean keyed =
        route.takesIdempotencyKey() && !(route.form().ofMessages() && reads(route, body));
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
    String scope = Idempotency.scope(caller, request.method(), request.path(), key.get());
    return idempotency.once(
        caller.partition(),
        scope,
        CanonicalJson.sha256(body),
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
