package io.actiongovernance.functions.route;

import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.Refusals;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A handler's answer, before the pipeline adds the headers of every response. */
public sealed interface Reply {
  int status();

  /**
   * An answer with a body.
   *
   * @param body written as JSON in {@code snake_case}
   * @param headers further headers
   */
  record Answer(int status, Object body, Map<String, String> headers) implements Reply {}

  /** An answer that is not JSON, such as a script. */
  record Text(int status, String contentType, String text) implements Reply {}

  /**
   * An HTML page.
   *
   * @param loads the resources the page may load, as content security policy directives; no site
   *     may frame the page, whatever these say
   */
  record Page(String html, String loads) implements Reply {
    /** Directives that permit a page to load nothing. */
    public static final String NOTHING = "default-src 'none'";

    @Override
    public int status() {
      return 200;
    }
  }

  /** Sends the client to another address, which it requests with GET. */
  record Redirect(int status, URI to) implements Reply {
    /** Redirects a GET for this request only: 302. */
    public static Redirect found(URI to) {
      return new Redirect(302, to);
    }

    /** Redirects a POST to the address of its result: 303. */
    public static Redirect seeOther(URI to) {
      return new Redirect(303, to);
    }
  }

  record Empty(int status) implements Reply {}

  /**
   * A file, which is sent compressed to clients that accept gzip.
   *
   * @param gzip its compressed bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written once and never changed.
  record Asset(String contentType, byte[] gzip) implements Reply {
    @Override
    public int status() {
      return 200;
    }
  }

  /**
   * A reply with further headers, each of which may have several values.
   *
   * @param headers each value is sent on its own line
   */
  record With(Reply reply, Map<String, List<String>> headers) implements Reply {
    @Override
    public int status() {
      return reply.status();
    }
  }

  /** An answer that is written over time until its stream ends. */
  record Streamed(String contentType, StreamBody body) implements Reply {
    @Override
    public int status() {
      return 200;
    }
  }

  /** An error of the contract. */
  record Failure(ApiError error) implements Reply {
    @Override
    public int status() {
      return error.code().status();
    }
  }

  /**
   * A 503 answer to a request whose work continues. Its Idempotency-Key stays in use. A retry under
   * the same key runs the handler again with the same {@link Call#mintedId()} and answers with the
   * result.
   */
  record Pending(ApiError error) implements Reply {
    @Override
    public int status() {
      return error.code().status();
    }
  }

  /**
   * An answer that is not kept under an Idempotency-Key, because a retry makes it again from its
   * resource.
   *
   * @param minted the {@link Call#mintedId()} that a retry of this request gets; null if this
   *     request created nothing
   */
  record Remade(Reply reply, @Nullable String minted) implements Reply {
    @Override
    public int status() {
      return reply.status();
    }
  }

  /** The envelope of every list. */
  record ListEnvelope(String object, List<?> data, boolean hasMore, @Nullable String nextCursor) {}

  static Reply ok(Object body) {
    return new Answer(200, body, Map.of());
  }

  static Reply created(Object body) {
    return new Answer(201, body, Map.of());
  }

  static Reply accepted(Object body) {
    return new Answer(202, body, Map.of());
  }

  /** A list whose handler seals its own cursors; other lists use {@link Call#list}. */
  static Reply list(List<?> data, boolean hasMore, @Nullable String nextCursor) {
    return ok(new ListEnvelope("list", List.copyOf(data), hasMore, nextCursor));
  }

  static Reply error(ErrorCode code, String message) {
    return new Failure(ApiError.of(code, message));
  }

  static Reply error(ApiError error) {
    return new Failure(error);
  }

  /** Returns the view of a successful result with status 200, or the error of a refusal. */
  static <T> Reply of(Outcome<T> outcome, Function<? super T, ?> view) {
    return switch (outcome) {
      case Done<T>(T value) -> ok(view.apply(value));
      case Refused<T>(Refusal refusal) -> refused(refusal);
    };
  }

  static Reply refused(Refusal refusal) {
    ApiError error = Refusals.error(refusal);
    return refusal instanceof Refusal.Unfinished ? new Pending(error) : new Failure(error);
  }

  /**
   * Refuses with a not-found error, because the tenant has no such resource. For another tenant's
   * resource, the error is identical.
   */
  static Reply notFound(String what) {
    return refused(new Refusal.NotFound(what));
  }
}
