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
 * An authenticated, admitted request as its handler sees it, apart from the input: the caller, the
 * time, and the page that the cursor opens. Not thread-safe.
 */
public interface Call {
  /** The request's identifier, which the response repeats. */
  RequestId requestId();

  /** The caller. A public route has none. */
  Caller caller();

  Revision revision();

  Instant receivedAt();

  /** The party that made the browser send this request, as the browser states it. */
  Opener opener();

  /** The value of a cookie that the browser sent. */
  Optional<String> cookie(SessionCookie cookie);

  /** The request's {@code Idempotency-Key}; null if none. */
  @Nullable String idempotencyKey();

  /**
   * The requested page.
   *
   * @throws ApiException {@code invalid_cursor} if the cursor is not valid for this request
   */
  PageRequest page(PageParameters asked);

  /**
   * The list envelope for a page that was read with the result of {@link #page(PageParameters)}.
   */
  <T> Reply list(Page<T> page, Function<T, ?> item);

  /**
   * The part after the prefix of an identifier, minted for the resource that this request creates.
   * A retry under the same Idempotency-Key gets the same one, so that it completes what a failed
   * attempt began.
   */
  String mintedId();
}
