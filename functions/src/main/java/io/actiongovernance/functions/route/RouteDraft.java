package io.actiongovernance.functions.route;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** A route under construction, before the needs of its function are declared. Immutable. */
public record RouteDraft(
    Route.Method method, String operation, String path, Route.Access access, Route.Exchange form) {
  static RouteDraft of(Route.Method method, String operation, String path) {
    boolean writes =
        method == Route.Method.POST || method == Route.Method.PUT || method == Route.Method.PATCH;
    return new RouteDraft(
        method,
        operation,
        path,
        new Route.Access(Route.Credentials.NONE, null, null, true),
        new Route.Exchange(
            method.reads() ? Route.Body.NONE : Route.Body.JSON,
            writes ? Route.Keyed.TO_REACH : Route.Keyed.NOT,
            Route.Errors.CONTRACT,
            Route.Cache.NOBODY,
            false,
            Set.of()));
  }

  /** Admits keys with this scope. */
  public RouteDraft key(Scope scope, RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.KEY, scope, rateClass, isOpenToBoundKeys(scope)));
  }

  /**
   * Also admits keys with this scope, for some of the route's resources. The use case decides for
   * which.
   */
  public RouteDraft or(Scope other) {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            other,
            access.furtherScope(),
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            access.including()));
  }

  /** Admits only keys that also have this scope. */
  public RouteDraft and(Scope further) {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            further,
            access.rateClass(),
            access.boundKeys() && isOpenToBoundKeys(further),
            access.opensPages(),
            access.including()));
  }

  public RouteDraft anyKey(RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.KEY, null, rateClass, true));
  }

  /** Also admits agents with an access token of their issuer. */
  public RouteDraft orToken() {
    return of(
        new Route.Access(
            Route.Credentials.KEY_OR_TOKEN,
            access.scope(),
            access.otherScope(),
            access.furtherScope(),
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            access.including()));
  }

  /** Admits people who are signed in. */
  public RouteDraft session(RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.SESSION, null, rateClass, true));
  }

  /** Refuses keys bound to operators, although they may use other routes of the scope. */
  public RouteDraft notForBoundKeys() {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.furtherScope(),
            access.rateClass(),
            false,
            access.opensPages(),
            access.including()));
  }

  /** Declares that pages send this request when they open, which counts as use of the session. */
  public RouteDraft openingPages() {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.furtherScope(),
            access.rateClass(),
            access.boundKeys(),
            true,
            access.including()));
  }

  /** Adds a query parameter {@code include}; each of its values requires a further scope. */
  public RouteDraft including(Map<String, Scope> scopes) {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.furtherScope(),
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            scopes));
  }

  /** Takes a kind of body other than the method's default. */
  public RouteDraft taking(Route.Body body) {
    return of(
        new Route.Exchange(
            body,
            form.idempotencyKey(),
            form.errors(),
            form.cache(),
            form.streams(),
            form.writing()));
  }

  public RouteDraft withoutIdempotencyKey() {
    return of(
        new Route.Exchange(
            form.body(),
            Route.Keyed.NOT,
            form.errors(),
            form.cache(),
            form.streams(),
            form.writing()));
  }

  /**
   * Replays an answer that contains a secret only to the key or person that asked, and to no other
   * caller that sends the same Idempotency-Key.
   */
  public RouteDraft replayedToWhoAsked() {
    return of(
        new Route.Exchange(
            form.body(),
            Route.Keyed.TO_ASKER,
            form.errors(),
            form.cache(),
            form.streams(),
            form.writing()));
  }

  public RouteDraft refusingAs(Route.Errors errors) {
    return of(
        new Route.Exchange(
            form.body(),
            form.idempotencyKey(),
            errors,
            form.cache(),
            form.streams(),
            form.writing()));
  }

  /** Names the methods of messages that write; these are charged and kept as writes. */
  public RouteDraft writing(String... methods) {
    return of(
        new Route.Exchange(
            form.body(),
            form.idempotencyKey(),
            form.errors(),
            form.cache(),
            form.streams(),
            Set.of(methods)));
  }

  /** Permits these parties to cache the answer. */
  public RouteDraft keptBy(Route.Cache cache) {
    return of(
        new Route.Exchange(
            form.body(),
            form.idempotencyKey(),
            form.errors(),
            cache,
            form.streams(),
            form.writing()));
  }

  public RouteDraft streaming() {
    return of(
        new Route.Exchange(
            form.body(), form.idempotencyKey(), form.errors(), form.cache(), true, form.writing()));
  }

  /** Declares the needs of the route's function, besides those of every request. */
  public Permitted needs(Rights needs) {
    return new Permitted(this, needs);
  }

  private RouteDraft of(Route.Access other) {
    return new RouteDraft(method, operation, path, other, form);
  }

  private RouteDraft of(Route.Exchange other) {
    return new RouteDraft(method, operation, path, access, other);
  }

  /** A route under construction, before its handler is named. Immutable. */
  public record Permitted(RouteDraft draft, Rights needs) {
    public Route handledBy(
        Supplier<Class<? extends RouteHandler<?>>> type,
        Function<Wiring, RouteHandler<?>> handler) {
      return new Route(
          draft.method(),
          draft.operation(),
          draft.path(),
          draft.access(),
          draft.form(),
          new Route.Work(needs, type, handler));
    }
  }

  /**
   * Returns whether keys bound to operators may use the scope (contract, section 9). Areas that
   * belong to no operator are closed to them, and so is every write of configuration.
   */
  private static boolean isOpenToBoundKeys(Scope scope) {
    return switch (scope) {
      case EVENTS_READ,
          EVENTS_WRITE,
          WEBHOOKS_READ,
          WEBHOOKS_WRITE,
          BILLING_READ,
          BILLING_WRITE,
          KEYS_READ,
          KEYS_WRITE,
          PEOPLE_READ,
          PEOPLE_WRITE,
          OPERATORS_WRITE,
          CONNECTORS_WRITE ->
          false;
      case OPERATORS_READ,
          CONNECTORS_READ,
          PLANS_READ,
          PLANS_PROPOSE,
          PLANS_APPROVE,
          PLANS_AMEND,
          ACTIONS_READ,
          ACTIONS_WRITE,
          RESULTS_READ,
          RECEIPTS_READ,
          HALTS_READ,
          HALTS_WRITE ->
          true;
    };
  }
}
