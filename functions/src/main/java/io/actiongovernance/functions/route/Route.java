package io.actiongovernance.functions.route;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A route: what a request to it looks like, who may make it, what its function needs, and who
 * handles it. Each resource has a table of its own, as {@code PlanRoutes}. The gateway routes by
 * it, the pipeline authorises by it, and deployment builds one function per route. Immutable.
 *
 * @param operation its name, by which its function is called: {@code approve-plan}
 * @param path with its parameters in braces: {@code /v1/plans/{plan_id}/veto}
 */
public record Route(
    Method method, String operation, String path, Access access, Form form, Work work) {
  /** The query parameter that names what is to be told of besides. */
  static final String INCLUDE = "include";

  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  /** The HTTP methods of the contract. */
  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Whether it only reads, and is budgeted so. */
    public boolean reads() {
      return this == GET;
    }
  }

  /** What a caller shows of itself. */
  public enum Credentials {
    NONE,
    /** An API key, in the header {@code Authorization}. */
    KEY,
    /** The same, or an access token that an issuer gave an agent for this very address. */
    KEY_OR_TOKEN,
    /** The session of a person, in a cookie. */
    SESSION
  }

  /** What the body of a request is. */
  public enum Body {
    /** None; what comes is not read. */
    NONE,
    /** A JSON object; nothing is an empty one. */
    JSON,
    /** The fields of a form, as browsers send it. */
    FORM,
    /** One message of JSON-RPC 2.0. */
    JSON_RPC
  }

  /** In whose words a refusal is told. */
  public enum Errors {
    /** The contract's envelope and status. */
    CONTRACT,
    /** JSON-RPC's {@code error}, once there is a message to answer; the contract's before. */
    JSON_RPC,
    /** A page, to a browser that takes one; the contract's to others. */
    PAGE
  }

  /** Who may keep an answer. */
  public enum Cache {
    NOBODY,
    /** Everybody, for a year: what the path names never changes. */
    EVERYBODY
  }

  /**
   * Who may make the request.
   *
   * @param scope what the key must grant; null where any key will do, or none is needed
   * @param otherScope what will do as well, for some of what it is about; null where nothing does
   * @param rateClass the tenant's budget that it is charged to; null for a public route, which is
   *     charged to the source address
   * @param boundKeys whether a key that is bound to operators may, within its reach (contract,
   *     section 9)
   * @param opensPages whether a page asks it when it opens, so that a session is used by it
   * @param including what it takes besides to have each of these included
   */
  public record Access(
      Credentials credentials,
      @Nullable Scope scope,
      @Nullable Scope otherScope,
      @Nullable RateClass rateClass,
      boolean boundKeys,
      boolean opensPages,
      Map<String, Scope> including) {
    public Access {
      including = Map.copyOf(including);
    }

    private Access(
        Credentials credentials,
        @Nullable Scope scope,
        @Nullable RateClass rateClass,
        boolean boundKeys) {
      this(credentials, scope, null, rateClass, boundKeys, false, Map.of());
    }
  }

  /** Whether a route takes an Idempotency-Key, and to whom its answer is replayed. */
  public enum Keyed {
    NOT,
    /** To all callers of one reach, as the contract has it. */
    TO_REACH,
    /** To the key or the person that asked; all others of its reach are in conflict with it. */
    TO_ASKER
  }

  /**
   * What goes in and out.
   *
   * @param idempotencyKey whether one is taken, and to whom its answer is replayed
   * @param streams whether it answers with a stream, for as long as that lasts
   * @param writing the methods of messages that write; all others read
   */
  public record Form(
      Body body,
      Keyed idempotencyKey,
      Errors errors,
      Cache cache,
      boolean streams,
      Set<String> writing) {
    public Form {
      writing = Set.copyOf(writing);
    }

    /** Whether it is about messages, each of which says what it is. */
    public boolean ofMessages() {
      return body == Body.JSON_RPC;
    }
  }

  /**
   * Who does the work. A function loads its own handler alone.
   *
   * @param needs what its handler needs, besides what every request does
   * @param type what says of itself what is published of the route
   */
  public record Work(
      Rights needs,
      Supplier<Class<? extends RouteHandler<?>>> type,
      Function<Wiring, RouteHandler<?>> handler) {}

  /** A public route that only reads. */
  public static Draft get(String operation, String path) {
    return Draft.of(Method.GET, operation, path);
  }

  /** A public route with a body. */
  public static Draft post(String operation, String path) {
    return Draft.of(Method.POST, operation, path);
  }

  /** A public route with a body. */
  public static Draft put(String operation, String path) {
    return Draft.of(Method.PUT, operation, path);
  }

  /** A public route with a body. */
  public static Draft patch(String operation, String path) {
    return Draft.of(Method.PATCH, operation, path);
  }

  /** A public route that takes no Idempotency-Key. */
  public static Draft delete(String operation, String path) {
    return Draft.of(Method.DELETE, operation, path);
  }

  /** A route of which it is not said yet what its function needs. Immutable. */
  public record Draft(Method method, String operation, String path, Access access, Form form) {
    private static Draft of(Method method, String operation, String path) {
      boolean writes = method == Method.POST || method == Method.PUT || method == Method.PATCH;
      return new Draft(
          method,
          operation,
          path,
          new Access(Credentials.NONE, null, null, true),
          new Form(
              method.reads() ? Body.NONE : Body.JSON,
              writes ? Keyed.TO_REACH : Keyed.NOT,
              Errors.CONTRACT,
              Cache.NOBODY,
              false,
              Set.of()));
    }

    /** Of keys with this scope. */
    public Draft key(Scope scope, RateClass rateClass) {
      return of(new Access(Credentials.KEY, scope, rateClass, isOpenToBoundKeys(scope)));
    }

    /** Of keys with this scope as well, for some of what it is about: the use case says which. */
    public Draft or(Scope other) {
      return of(
          new Access(
              access.credentials,
              access.scope,
              other,
              access.rateClass,
              access.boundKeys,
              access.opensPages,
              access.including));
    }

    /** Of any key. */
    public Draft anyKey(RateClass rateClass) {
      return of(new Access(Credentials.KEY, null, rateClass, true));
    }

    /** Of agents with an access token of their issuer as well. */
    public Draft orToken() {
      return of(
          new Access(
              Credentials.KEY_OR_TOKEN,
              access.scope,
              access.otherScope,
              access.rateClass,
              access.boundKeys,
              access.opensPages,
              access.including));
    }

    /** Of people who are signed in. */
    public Draft session(RateClass rateClass) {
      return of(new Access(Credentials.SESSION, null, rateClass, true));
    }

    /** Of no key that is bound to operators, although others of the scope are. */
    public Draft notForBoundKeys() {
      return of(
          new Access(
              access.credentials,
              access.scope,
              access.otherScope,
              access.rateClass,
              false,
              access.opensPages,
              access.including));
    }

    /** Of pages too when they open: a session is used by it. */
    public Draft openingPages() {
      return of(
          new Access(
              access.credentials,
              access.scope,
              access.otherScope,
              access.rateClass,
              access.boundKeys,
              true,
              access.including));
    }

    /**
     * With a query parameter {@code include}, what is named in which takes another scope of the key
     * each.
     */
    public Draft including(Map<String, Scope> scopes) {
      return of(
          new Access(
              access.credentials,
              access.scope,
              access.otherScope,
              access.rateClass,
              access.boundKeys,
              access.opensPages,
              scopes));
    }

    /** With another body than its method has. */
    public Draft taking(Body body) {
      return of(
          new Form(body, form.idempotencyKey, form.errors, form.cache, form.streams, form.writing));
    }

    /** Without an Idempotency-Key. */
    public Draft withoutIdempotencyKey() {
      return of(
          new Form(form.body, Keyed.NOT, form.errors, form.cache, form.streams, form.writing));
    }

    /**
     * With an answer that holds a secret: it is replayed to the key or the person that asked alone,
     * whoever else sends the same Idempotency-Key.
     */
    public Draft replayedToWhoAsked() {
      return of(
          new Form(form.body, Keyed.TO_ASKER, form.errors, form.cache, form.streams, form.writing));
    }

    /** With refusals in these words. */
    public Draft refusingAs(Errors errors) {
      return of(
          new Form(form.body, form.idempotencyKey, errors, form.cache, form.streams, form.writing));
    }

    /** With messages of which these methods write, and are charged and kept apart so. */
    public Draft writing(String... methods) {
      return of(
          new Form(
              form.body,
              form.idempotencyKey,
              form.errors,
              form.cache,
              form.streams,
              Set.of(methods)));
    }

    /** With an answer that these may keep. */
    public Draft keptBy(Cache cache) {
      return of(
          new Form(form.body, form.idempotencyKey, form.errors, cache, form.streams, form.writing));
    }

    /** With a stream for its answer. */
    public Draft streaming() {
      return of(
          new Form(form.body, form.idempotencyKey, form.errors, form.cache, true, form.writing));
    }

    /** With a function that needs this, besides what every request does. */
    public Permitted needs(Rights needs) {
      return new Permitted(this, needs);
    }

    private Draft of(Access other) {
      return new Draft(method, operation, path, other, form);
    }

    private Draft of(Form other) {
      return new Draft(method, operation, path, access, other);
    }
  }

  /** A route of which it is not said yet who handles it. Immutable. */
  public record Permitted(Draft draft, Rights needs) {
    /** The whole route. */
    public Route handledBy(
        Supplier<Class<? extends RouteHandler<?>>> type,
        Function<Wiring, RouteHandler<?>> handler) {
      return new Route(
          draft.method,
          draft.operation,
          draft.path,
          draft.access,
          draft.form,
          new Work(needs, type, handler));
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

  /** The names of the parameters in the path, in their order. */
  public Set<String> pathParameters() {
    return PARAMETER
        .matcher(path)
        .results()
        .map(named -> named.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The path with these identifiers for its parameters. */
  public String path(UnaryOperator<String> ids) {
    return PARAMETER
        .matcher(path)
        .replaceAll(named -> Matcher.quoteReplacement(ids.apply(named.group(1))));
  }

  /** What the key must grant; null where any key will do, or none is needed. */
  public @Nullable Scope scope() {
    return access.scope;
  }

  /** Whether one who has these scopes may make it at all. */
  public boolean isOpenTo(Set<Scope> scopes) {
    return access.scope == null
        || scopes.contains(access.scope)
        || (access.otherScope != null && scopes.contains(access.otherScope));
  }

  /** The tenant's budget that a request is charged to; null for a public route. */
  public @Nullable RateClass rateClass() {
    return access.rateClass;
  }

  /** Whether a key that is bound to operators may use it, within its reach. */
  public boolean isOpenToBoundKeys() {
    return access.boundKeys;
  }

  /** Whether an Idempotency-Key is taken with it. */
  public boolean takesIdempotencyKey() {
    return form.idempotencyKey != Keyed.NOT;
  }

  /** Whether it answers with a stream, for as long as that lasts. */
  public boolean streams() {
    return form.streams;
  }

  /** What says of itself what is published of the route. */
  public Class<? extends RouteHandler<?>> handlerType() {
    return work.type.get();
  }

  public RouteHandler<?> handler(Wiring wiring) {
    return work.handler.apply(wiring);
  }

  /** What its function needs: the pipeline's part, that of a list's pages, and its handler's. */
  public Rights rights() {
    Rights rights =
        Needs.ofRequests(
                access.credentials != Credentials.NONE,
                access.credentials != Credentials.NONE && takesIdempotencyKey())
            .and(work.needs);
    return access.credentials != Credentials.NONE && lists() ? rights.and(Needs.CURSORS) : rights;
  }

  /** Whether it answers with pages. */
  private boolean lists() {
    Operation published = handlerType().getAnnotation(Operation.class);
    return published != null && published.list();
  }

  /** Its name as cursors are bound to it: {@code LIST_PLANS}. */
  public String name() {
    return operation.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  @Override
  public String toString() {
    return operation;
  }
}
