package io.actiongovernance.functions.route;

import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One authenticated, admitted request, as a handler sees it besides its input: who calls, when, and
 * the page that the caller's cursor opens. Not thread-safe.
 */
public interface Call {
  /** The identifier of the request, as its answer shows it. */
  RequestId requestId();

  /** Who calls; a public route has no caller to ask for. */
  Caller caller();

  Revision revision();

  /** When the request came in. */
  Instant receivedAt();

  /** Who has the browser make this request. */
  Opener opener();

  /** What a browser shows of a cookie. */
  Optional<String> cookie(SessionCookie cookie);

  /** The request's {@code Idempotency-Key}, or null. */
  @Nullable String idempotencyKey();

  /**
   * The page that was asked for.
   *
   * @throws ApiException {@code invalid_cursor}
   */
  PageRequest page(PageParameters asked);

  /** The list envelope of a page got by {@link #page(PageParameters)}. */
  <T> Reply list(Page<T> page, Function<T, ?> item);

  /**
   * The body of an identifier minted for the resource this request creates. A request that died
   * half-way and is sent again under the same Idempotency-Key gets the same one, so that it
   * finishes what it began.
   */
  String mintedId();
}
