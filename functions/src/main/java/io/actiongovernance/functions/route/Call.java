package io.actiongovernance.functions.route;

import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One authenticated, admitted request, as a handler sees it. Path, query and body are read through
 * it, each against its rules; what breaks one ends the request with the contract's error. Not
 * thread-safe.
 */
public interface Call {
  /** The identifier of the request, as its answer shows it. */
  RequestId requestId();

  /** Who calls; a public route has no caller to ask for. */
  Caller caller();

  Revision revision();

  /** When the request came in. */
  Instant receivedAt();

  /** The identifier in the path, or 404 if it does not have the form of one. */
  <T> T id(String pathParameter, Function<String, Optional<T>> parse);

  /** The text in the path, percent-decoded. */
  String path(String pathParameter);

  /**
   * The body; an absent one is {@code {}}. {@code tenant_id} and {@code reseller_id} are known and
   * already checked.
   */
  Fields body();

  /** A query parameter, or null; an empty one is a parameter too. */
  @Nullable String query(String name);

  /** A query parameter from a closed set, or null. */
  <T> @Nullable T query(String name, Function<String, Optional<T>> parse, String choices);

  /** A query parameter that is {@code true} or {@code false}, or null. */
  @Nullable Boolean queryFlag(String name);

  /** The value of a header, or null. */
  @Nullable String header(String name);

  /** The request's {@code Idempotency-Key}, or null. */
  @Nullable String idempotencyKey();

  /** A query parameter that is an RFC 3339 timestamp, or null. */
  @Nullable Instant queryTime(String name);

  /** Says that all query parameters were read: in the latest revision, any other is refused. */
  void noOtherQuery();

  /**
   * {@code limit} and {@code cursor}: read after all other parameters, since a cursor is bound to
   * them.
   */
  PageRequest pageRequest();

  /**
   * The page that was asked for.
   *
   * @throws ApiException {@code invalid_cursor}
   */
  PageRequest page(PageParameters asked);

  /**
   * {@code limit} alone: for the list of events, whose cursors are not like those of other lists.
   */
  int limit();

  /** The list envelope of a page got by {@link #page(PageParameters)}. */
  <T> Reply list(Page<T> page, Function<T, ?> item);

  /**
   * The body of an identifier minted for the resource this request creates. A request that died
   * half-way and is sent again under the same Idempotency-Key gets the same one, so that it
   * finishes what it began.
   */
  String mintedId();

  /** Ends the request with an error. */
  static ApiException fail(ErrorCode code, String message) {
    return new ApiException(ApiError.of(code, message));
  }
}
