package io.actiongovernance.functions.route;

import io.actiongovernance.access.AddressBudget;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.ErrorDetails;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.outcome.Problem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits or refuses a request by revision, credentials, site of origin, scope and rate, in the
 * order of the contract's section 1. The first check that fails throws the error of the response.
 * Thread-safe.
 */
final class Admission {
  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  private final RateLimits rateLimits;
  private final InstantSource clock;
  private final int unauthenticatedPerMinute;
  private final Sessions sessions;
  private final Sites sites;
  private final Bearers bearers;

  Admission(Wiring wiring) {
    this.rateLimits = wiring.rateLimits();
    this.clock = wiring.clock();
    this.unauthenticatedPerMinute = wiring.settings().unauthenticatedPerMinute();
    this.sessions = new Sessions(wiring);
    this.sites = new Sites(wiring.settings().baseUrl(), wiring.settings().mcpOrigins());
    this.bearers = new Bearers(wiring);
  }

  /**
   * Charges a request for an unknown path or method. Such requests are answered even beyond their
   * rate limit.
   */
  void toNowhere(HttpRequest request, Progress progress) {
    Optional.ofNullable(request.header("Service-Version"))
        .flatMap(Revision::parse)
        .ifPresent(progress::serve);
    progress.charge = charge(request, AddressBudget.KEYS);
  }

  /**
   * Lets a request through to its route.
   *
   * @return the caller; empty if the route is public
   * @throws ApiException if the request is refused
   */
  Optional<Caller> admit(
      RouteFinder.Match match, HttpRequest request, Progress progress, LogIds logIds) {
    Route route = match.route();
    if (route.form().ofMessages()) {
      requireOwnSite(request, progress);
    }
    readRevision(request, progress);
    if (route.rateClass() == null) {
      chargeAddress(request, progress, budget(route));
      if (!route.method().reads() && sessions.isOfOtherPage(request)) {
        throw ofOtherSite();
      }
      return Optional.empty();
    }
    boolean signedIn =
        route.access().credentials() == Route.Credentials.SESSION
            || (sessions.isShownBy(request) && !route.form().ofMessages());
    Authentication.Known known =
        signedIn ? signedIn(request, progress) : authenticate(match, request, progress);
    Caller caller = known.caller();
    logIds.by(caller);
    if (signedIn) {
      admitPage(route, request, caller, progress);
    }
    requireScope(route, request, caller, progress);
    charge(route, request, known, progress);
    return Optional.of(caller);
  }

  private void charge(
      Route route, HttpRequest request, Authentication.Known known, Progress progress) {
    RateClass rateClass = Objects.requireNonNull(route.rateClass());
    Caller caller = known.caller();
    progress.charge =
        route.form().ofMessages()
            ? rateLimits.chargeMessage(caller, known.limits(), readsAsFarAsKnown(route, request))
            : rateLimits.charge(caller, known.limits(), rateClass, route.method().reads());
    requireAdmission(progress.charge);
  }

  /**
   * Returns whether a message only reads. A message that cannot be parsed counts as reading only.
   */
  private static boolean readsAsFarAsKnown(Route route, HttpRequest request) {
    try {
      return RequestBody.onlyReads(route, RequestBody.read(route, request));
    } catch (ApiException | Problem _) {
      // Parsing for the handler refuses this message later.
      return true;
    }
  }

  /**
   * Returns the charge to report. For a request that failed before it was charged, the charge
   * states that no requests remain.
   *
   * @param retry the time until the budget for such requests resets
   */
  Charge told(Progress progress, Duration retry) {
    return progress.charge != null
        ? progress.charge
        : new Charge(
            unauthenticatedPerMinute, 0, clock.instant().plus(retry).getEpochSecond(), null);
  }

  /**
   * Refuses requests from pages of other sites, which could otherwise call this service through
   * programs on the reader's machine.
   */
  private void requireOwnSite(HttpRequest request, Progress progress) {
    Optional<String> problem = sites.problem(request);
    if (problem.isPresent()) {
      chargeAddress(request, progress, AddressBudget.KEYS);
      throw new ApiException(ErrorCode.CROSS_SITE_REQUEST, problem.get());
    }
  }

  private void readRevision(HttpRequest request, Progress progress) {
    String asked = request.header("Service-Version");
    if (asked != null) {
      progress.serve(
          Revision.parse(asked)
              .orElseThrow(
                  () -> {
                    progress.charge = charge(request, AddressBudget.KEYS);
                    return Problem.invalid(
                        "Service-Version",
                        "Service-Version must be a published revision: " + dates() + ".");
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
        chargeAddress(
            request,
            progress,
            request.header("Authorization") == null ? AddressBudget.SESSIONS : AddressBudget.KEYS);
        progress.challenge = bearers.challenge(match, request).orElse(null);
        throw new ApiException(code, why);
      }
      case Bearers.Shown.Unknown(String why) -> {
        chargeAddress(request, progress, AddressBudget.KEYS);
        LOG.warn("{} found no keys of an issuer: {}", progress.requestId, why);
        throw new ApiException(Pipeline.unavailable());
      }
    };
  }

  private Authentication.Known signedIn(HttpRequest request, Progress progress) {
    Optional<Authentication.Known> known = sessions.find(progress.requestId, request);
    if (known.isEmpty()) {
      chargeAddress(request, progress, AddressBudget.SESSIONS);
      throw new ApiException(signedOut(request));
    }
    return known.get();
  }

  private ApiError signedOut(HttpRequest request) {
    return sessions
        .ended(request)
        .map(
            why ->
                new ApiError(
                    ErrorCode.UNAUTHENTICATED,
                    why.sentence() + " Sign in again.",
                    null,
                    new ErrorDetails.SessionEnded(why),
                    null))
        .orElseGet(
            () -> ApiError.of(ErrorCode.UNAUTHENTICATED, "You are not signed in. Sign in first."));
  }

  /**
   * Refuses writes that a page of another site makes a browser send with its session, and notes
   * that the session was used. Writes and opening a page count as use; the reads of a page left
   * open do not.
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
        "Only the service's own pages may send this: Sec-Fetch-Site is not same-origin, and Origin is not that of the base URL.");
  }

  private void chargeAddress(HttpRequest request, Progress progress, AddressBudget budget) {
    progress.charge = charge(request, budget);
    requireAdmission(progress.charge);
  }

  private Charge charge(HttpRequest request, AddressBudget budget) {
    return rateLimits.chargeAddress(request.sourceAddress(), budget, unauthenticatedPerMinute);
  }

  /**
   * The budget of a public route, which depends on its path. New routes below one of these paths
   * share its budget.
   */
  private static AddressBudget budget(Route route) {
    String path = route.path();
    if (path.startsWith("/v1/sign_in/tickets")) {
      return AddressBudget.TICKETS;
    }
    if (path.startsWith("/v1/sign_in/passkey")) {
      return path.endsWith("/challenges") ? AddressBudget.CHALLENGES : AddressBudget.PASSKEYS;
    }
    return path.startsWith("/v1/sign_in/") || path.startsWith("/v1/oauth/")
        ? AddressBudget.SIGN_IN
        : AddressBudget.PUBLIC;
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
   * Refuses a request that this key may never make, whatever the request contains. The refusal is
   * charged to the key alone, so that no key uses up a budget that others need, for example to
   * revoke it.
   */
  private void requireScope(Route route, HttpRequest request, Caller caller, Progress progress) {
    Scope scope = route.lacking(caller.scopes()).orElse(null);
    String lack = lackToInclude(route, request, caller).orElse(null);
    if (scope != null) {
      lack = "The key lacks the scope " + scope.wire() + ".";
    } else if (caller.reach().isBound() && !route.isOpenToBoundKeys()) {
      lack = "The key is bound to operators, but this request reaches beyond them.";
    }
    if (lack != null) {
      progress.charge = rateLimits.chargeRefusal(caller.principal());
      requireAdmission(progress.charge);
      throw new ApiException(ErrorCode.INSUFFICIENT_SCOPE, lack);
    }
  }

  /**
   * Describes a scope that the key does not have but needs to include the requested data; empty if
   * there is none.
   */
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
                "Including %s needs a key with the scope %s."
                    .formatted(one.getKey(), one.getValue().wire()))
        .findFirst();
  }
}
