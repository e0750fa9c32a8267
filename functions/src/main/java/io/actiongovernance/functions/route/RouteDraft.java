package io.actiongovernance.functions.route;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** A route of which it is not said yet what its function needs. Immutable. */
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

  /** Of keys with this scope. */
  public RouteDraft key(Scope scope, RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.KEY, scope, rateClass, isOpenToBoundKeys(scope)));
  }

  /** Of keys with this scope as well, for some of what it is about: the use case says which. */
  public RouteDraft or(Scope other) {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            other,
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            access.including()));
  }

  /** Of any key. */
  public RouteDraft anyKey(RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.KEY, null, rateClass, true));
  }

  /** Of agents with an access token of their issuer as well. */
  public RouteDraft orToken() {
    return of(
        new Route.Access(
            Route.Credentials.KEY_OR_TOKEN,
            access.scope(),
            access.otherScope(),
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            access.including()));
  }

  /** Of people who are signed in. */
  public RouteDraft session(RateClass rateClass) {
    return of(new Route.Access(Route.Credentials.SESSION, null, rateClass, true));
  }

  /** Of no key that is bound to operators, although others of the scope are. */
  public RouteDraft notForBoundKeys() {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.rateClass(),
            false,
            access.opensPages(),
            access.including()));
  }

  /** Of pages too when they open: a session is used by it. */
  public RouteDraft openingPages() {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.rateClass(),
            access.boundKeys(),
            true,
            access.including()));
  }

  /**
   * With a query parameter {@code include}, what is named in which takes another scope of the key
   * each.
   */
  public RouteDraft including(Map<String, Scope> scopes) {
    return of(
        new Route.Access(
            access.credentials(),
            access.scope(),
            access.otherScope(),
            access.rateClass(),
            access.boundKeys(),
            access.opensPages(),
            scopes));
  }

  /** With another body than its method has. */
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

  /** Without an Idempotency-Key. */
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
   * With an answer that holds a secret: it is replayed to the key or the person that asked alone,
   * whoever else sends the same Idempotency-Key.
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

  /** With refusals in these words. */
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

  /** With messages of which these methods write, and are charged and kept apart so. */
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

  /** With an answer that these may keep. */
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

  /** With a stream for its answer. */
  public RouteDraft streaming() {
    return of(
        new Route.Exchange(
            form.body(), form.idempotencyKey(), form.errors(), form.cache(), true, form.writing()));
  }

  /** With a function that needs this, besides what every request does. */
  public Permitted needs(Rights needs) {
    return new Permitted(this, needs);
  }

  private RouteDraft of(Route.Access other) {
    return new RouteDraft(method, operation, path, other, form);
  }

  private RouteDraft of(Route.Exchange other) {
    return new RouteDraft(method, operation, path, access, other);
  }

  /** A route of which it is not said yet who handles it. Immutable. */
  public record Permitted(RouteDraft draft, Rights needs) {
    /** The whole route. */
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
   * Whether keys that are bound to operators may do what the scope is for (contract, section 9).
   * Areas that are no operator's are closed to them, and so is every write of configuration.
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
