package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.RequestParts;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request's call. Not thread-safe. */
final class RequestCall implements Call, RequestParts {
  private final RouteFinder.Match match;
  private final HttpRequest request;
  private final Admitted admitted;
  private final Fields body;
  private final QueryParameters query;
  private final PageCursors cursors;
  private final String mintedId;

  /**
   * The facts known about a request once it has been admitted.
   *
   * @param caller null on a public route
   */
  record Admitted(
      RequestId requestId, @Nullable Caller caller, Revision revision, Instant receivedAt) {}

  RequestCall(
      RouteFinder.Match match,
      HttpRequest request,
      Admitted admitted,
      ObjectNode body,
      PageCursors cursors,
      String mintedId) {
    boolean strict = admitted.revision().strict();
    this.match = match;
    this.request = request;
    this.admitted = admitted;
    Route.Body kind = match.route().form().body();
    // A message may have members that are unknown to this service.
    Fields fields = new Fields(body, "", strict && kind != Route.Body.JSON_RPC);
    this.body = kind == Route.Body.JSON ? fields.knows(RequestBody.tenancyFields()) : fields;
    this.query = new QueryParameters(request.query(), strict);
    this.cursors = cursors;
    this.mintedId = mintedId;
  }

  @Override
  public RequestId requestId() {
    return admitted.requestId();
  }

  @Override
  public Caller caller() {
    Caller caller = admitted.caller();
    if (caller == null) {
      throw new IllegalStateException("A public route has no caller");
    }
    return caller;
  }

  @Override
  public Revision revision() {
    return admitted.revision();
  }

  @Override
  public Instant receivedAt() {
    return admitted.receivedAt();
  }

  @Override
  public String path(String pathParameter) {
    Map<String, String> parameters = match.parameters();
    return Optional.ofNullable(parameters.get(pathParameter)).orElseThrow();
  }

  @Override
  public Fields body() {
    return body;
  }

  @Override
  public @Nullable String query(String name) {
    return query.text(name);
  }

  @Override
  public @Nullable String header(String name) {
    return request.header(name);
  }

  @Override
  public Opener opener() {
    return request.opener();
  }

  @Override
  public Optional<String> cookie(SessionCookie cookie) {
    return cookie.in(request);
  }

  @Override
  public @Nullable String idempotencyKey() {
    return Idempotency.key(request.header("Idempotency-Key")).orElse(null);
  }

  @Override
  public void noOtherQuery() {
    query.noOthers();
  }

  @Override
  public PageParameters page() {
    return new PageParameters(
        query.limit(admitted.revision().defaultLimit()), query.text(QueryParameters.CURSOR));
  }

  @Override
  public PageRequest page(PageParameters asked) {
    String cursor = asked.cursor();
    return new PageRequest(
        asked.limit(),
        cursor == null ? null : cursors.open(caller().partition(), binding(), cursor));
  }

  @Override
  public <T> Reply list(Page<T> page, Function<T, ?> item) {
    String next = page.next();
    String cursor =
        next == null
            ? null
            : cursors.seal(
                caller().partition(),
                binding(),
                next,
                admitted.receivedAt().plus(PageCursors.LIFETIME));
    return Reply.list(page.items().stream().map(item).toList(), next != null, cursor);
  }

  /**
   * Identifies the query that a cursor is for. It contains the concrete path, so that lists under
   * different resources never share cursors.
   */
  private String binding() {
    return match.route().name() + match.parameters() + query.binding();
  }

  @Override
  public String mintedId() {
    return mintedId;
  }
}
