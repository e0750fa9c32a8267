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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A route: the form of its requests, their callers' access, its function's needs, and its handler.
 * Each resource has its own table, such as {@code PlanRoutes}. The gateway routes by this table,
 * the pipeline authorizes by it, and deployment builds one function per route. Immutable.
 *
 * @param operation the route's name, which is also its function's name, such as {@code
 *     approve-plan}
 * @param path the path with its parameters in braces, such as {@code /v1/plans/{plan_id}/veto}
 */
public record Route(
    Method method, String operation, String path, Access access, Exchange form, Work work) {
  /** The query parameter that names further data to include in the response. */
  static final String INCLUDE = "include";

  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /**
     * Returns whether the method only reads. If so, requests are charged to the budget for reads.
     */
    public boolean reads() {
      return this == GET;
    }
  }

  /** The kinds of credentials that callers present. */
  public enum Credentials {
    NONE,
    /** An API key, in the header {@code Authorization}. */
    KEY,
    /** An API key, or an access token that an issuer gave an agent for this address. */
    KEY_OR_TOKEN,
    /** A person's session, in a cookie. */
    SESSION
  }

  /** The form of a request's body. */
  public enum Body {
    /** No body. If a body is sent, it is not read. */
    NONE,
    /** A JSON object; an empty body is an empty object. */
    JSON,
    /** The fields of a form, as browsers send it. */
    FORM,
    /** A single JSON-RPC 2.0 message. */
    JSON_RPC
  }

  /** The format of an error response. */
  public enum Errors {
    CONTRACT,
    /**
     * JSON-RPC's {@code error} if there is a message to answer; otherwise the contract's envelope.
     */
    JSON_RPC,
    /** A page for a browser that accepts one; the contract's envelope for others. */
    PAGE
  }

  /** The parties that may cache an answer. */
  public enum Cache {
    NOBODY,
    /** Everybody, for a year, because the content at the path never changes. */
    EVERYBODY
  }

  /**
   * The access rules of a route.
   *
   * @param scope the scope the key must grant; null if any key suffices, or none is needed
   * @param otherScope a scope that also suffices for some of the route's resources; null if none
   *     does
   * @param furtherScope a scope the key must grant besides; null if none
   * @param rateClass the tenant's budget that a request is charged to; null for a public route,
   *     which is charged to the source address
   * @param boundKeys whether a key bound to operators may make the request within its reach
   *     (contract, section 9)
   * @param opensPages whether a page sends this request when it opens, which counts as use of the
   *     session
   * @param including the kinds of data that can be included, each with the further scope that it
   *     needs
   */
  public record Access(
      Credentials credentials,
      @Nullable Scope scope,
      @Nullable Scope otherScope,
      @Nullable Scope furtherScope,
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
      this(credentials, scope, null, null, rateClass, boundKeys, false, Map.of());
    }
  }

  /** States whether a route takes an Idempotency-Key, and who gets a replay of its answer. */
  public enum Keyed {
    NOT,
    /** All callers of one reach get a replay, as the contract states. */
    TO_REACH,
    /**
     * Only the key or person that asked gets a replay; other callers of its reach get a conflict.
     */
    TO_ASKER
  }

  /**
   * The form of a route's requests and responses.
   *
   * @param idempotencyKey whether a key is taken, and who gets a replay of its answer
   * @param streams whether the route answers with a stream
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

    /** Returns whether the route's requests are messages, each of which names its own method. */
    public boolean ofMessages() {
      return body == Body.JSON_RPC;
    }
  }

  /**
   * The handler of a route. A function loads only its own handler.
   *
   * @param needs the rights that the handler needs, besides those of every request
   * @param type the class whose annotations publish the route
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

  /** The names of the path's parameters, in path order. */
  public Set<String> pathParameters() {
    return PARAMETER
        .matcher(path)
        .results()
        .map(named -> named.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The path with its parameters replaced by these identifiers. */
  public String path(UnaryOperator<String> ids) {
    return PARAMETER
        .matcher(path)
        .replaceAll(named -> Matcher.quoteReplacement(ids.apply(named.group(1))));
  }

  /** The scope the key must grant; null if any key suffices, or none is needed. */
  public @Nullable Scope scope() {
    return access.scope;
  }

  /** Returns whether a caller with these scopes may make the request at all. */
  public boolean isOpenTo(Set<Scope> scopes) {
    return lacking(scopes).isEmpty();
  }

  /** Returns a scope that a caller with these scopes lacks to make the request at all. */
  Optional<Scope> lacking(Set<Scope> scopes) {
    boolean suffices =
        access.scope == null
            || scopes.contains(access.scope)
            || (access.otherScope != null && scopes.contains(access.otherScope));
    return Optional.ofNullable(suffices ? access.furtherScope : access.scope)
        .filter(scope -> !scopes.contains(scope));
  }

  /** The tenant's budget that a request is charged to; null for a public route. */
  public @Nullable RateClass rateClass() {
    return access.rateClass;
  }

  /** Returns whether a key bound to operators may use the route, within the key's reach. */
  public boolean isOpenToBoundKeys() {
    return access.boundKeys;
  }

  public boolean takesIdempotencyKey() {
    return form.idempotencyKey != Keyed.NOT;
  }

  public boolean streams() {
    return form.streams;
  }

  /** The class whose annotations publish the route. */
  public Class<? extends RouteHandler<?>> handlerType() {
    return work.type.get();
  }

  public RouteHandler<?> handler(Wiring wiring) {
    return work.handler.apply(wiring);
  }

  /**
   * The rights of the route's function: those of the pipeline, of list pages and of the handler.
   */
  public Rights rights() {
    Rights rights =
        Needs.ofRequests(
                access.credentials != Credentials.NONE,
                access.credentials != Credentials.NONE && takesIdempotencyKey())
            .and(work.needs);
    return access.credentials != Credentials.NONE && lists() ? rights.and(Needs.CURSORS) : rights;
  }

  private boolean lists() {
    Operation published = handlerType().getAnnotation(Operation.class);
    return published != null && published.list();
  }

  /** The route's name to which cursors are bound, such as {@code LIST_PLANS}. */
  public String name() {
    return operation.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  @Override
  public String toString() {
    return operation;
  }
}
