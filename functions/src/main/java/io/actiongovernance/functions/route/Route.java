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
    Method method, String operation, String path, Access access, Exchange form, Work work) {
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

    Access(
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
  public record Exchange(
      Body body,
      Keyed idempotencyKey,
      Errors errors,
      Cache cache,
      boolean streams,
      Set<String> writing) {
    public Exchange {
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
  public static RouteDraft get(String operation, String path) {
    return RouteDraft.of(Method.GET, operation, path);
  }

  /** A public route with a body. */
  public static RouteDraft post(String operation, String path) {
    return RouteDraft.of(Method.POST, operation, path);
  }

  /** A public route with a body. */
  public static RouteDraft put(String operation, String path) {
    return RouteDraft.of(Method.PUT, operation, path);
  }

  /** A public route with a body. */
  public static RouteDraft patch(String operation, String path) {
    return RouteDraft.of(Method.PATCH, operation, path);
  }

  /** A public route that takes no Idempotency-Key. */
  public static RouteDraft delete(String operation, String path) {
    return RouteDraft.of(Method.DELETE, operation, path);
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
