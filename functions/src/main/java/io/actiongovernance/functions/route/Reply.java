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

/** A handler's answer, before the pipeline adds the headers that every response has. */
public sealed interface Reply {
  int status();

  /**
   * An answer with a body.
   *
   * @param body written as JSON in {@code snake_case}
   * @param headers further headers
   */
  record Answer(int status, Object body, Map<String, String> headers) implements Reply {}

  /** An answer that is no JSON, such as a script. */
  record Text(int status, String contentType, String text) implements Reply {}

  /**
   * A page of HTML.
   *
   * @param loads what it may load, in the words of a content security policy; whoever may frame it
   *     or be sent to by it is nobody, whatever this says
   */
  record Page(String html, String loads) implements Reply {
    /** What a page of text loads: nothing. */
    public static final String NOTHING = "default-src 'none'";

    @Override
    public int status() {
      return 200;
    }
  }

  /** The client is sent elsewhere, and asks there with GET. */
  record Redirect(int status, URI to) implements Reply {
    /** A browser that asked with GET is sent elsewhere for this once: 302. */
    public static Redirect found(URI to) {
      return new Redirect(302, to);
    }

    /** A client that posted finds elsewhere what came of it: 303. */
    public static Redirect seeOther(URI to) {
      return new Redirect(303, to);
    }
  }

  /** An answer without a body. */
  record Empty(int status) implements Reply {}

  /**
   * A file, sent compressed to clients that take it so.
   *
   * @param gzip its bytes, compressed
   */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are written and never changed.
  record Asset(String contentType, byte[] gzip) implements Reply {
    @Override
    public int status() {
      return 200;
    }
  }

  /**
   * A reply with further headers, each of which may have several values.
   *
   * @param headers each value goes in a line of its own
   */
  record With(Reply reply, Map<String, List<String>> headers) implements Reply {
    @Override
    public int status() {
      return reply.status();
    }
  }

  /** An answer that is written for as long as it lasts. */
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
   * The work goes on after this answer, a 503: the Idempotency-Key stays in flight, and the same
   * request under it runs the handler again, with the same {@link Call#mintedId()}, to answer with
   * what came of the work.
   */
  record Pending(ApiError error) implements Reply {
    @Override
    public int status() {
      return error.code().status();
    }
  }

  /**
   * An answer that is not kept under an Idempotency-Key, since it is made anew from what it is
   * about.
   *
   * @param minted what {@link Call#mintedId()} is for the same request sent again; null where
   *     nothing came of this one
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

  /** A list whose handler seals its own cursors; the others use {@link Call#list}. */
  static Reply list(List<?> data, boolean hasMore, @Nullable String nextCursor) {
    return ok(new ListEnvelope("list", List.copyOf(data), hasMore, nextCursor));
  }

  static Reply error(ErrorCode code, String message) {
    return new Failure(ApiError.of(code, message));
  }

  static Reply error(ApiError error) {
    return new Failure(error);
  }

  /** 200 with what the function makes of what was done, or why it was not. */
  static <T> Reply of(Outcome<T> outcome, Function<? super T, ?> view) {
    return switch (outcome) {
      case Done<T>(T value) -> ok(view.apply(value));
      case Refused<T>(Refusal refusal) -> refused(refusal);
    };
  }

  /** What a refusal is answered with. */
  static Reply refused(Refusal refusal) {
    ApiError error = Refusals.error(refusal);
    return refusal instanceof Refusal.Unfinished ? new Pending(error) : new Failure(error);
  }

  /** No such resource for the tenant; another tenant's reads the same. */
  static Reply notFound(String what) {
    return refused(new Refusal.NotFound(what));
  }
}
