package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.StreamSlots;
import io.actiongovernance.access.StreamSlots.Slot;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.PageCursors;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.id.EventId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/events/stream}. */
@Operation(
    summary = "Follow envelopes",
    description =
        "Server-sent events: one `envelope` for each event, from now on or strictly"
            + " after a given position. With `entity`, an event is sent when a plan of it"
            + " first touches that entity. The service closes the connection from time to"
            + " time; a client resumes with `Last-Event-ID`.",
    tag = Tag.EVENTS,
    mediaType = StreamEventsHandler.MEDIA_TYPE,
    sample =
        "retry: 3000\n\nid: ev_01m80m2rsawypgrjsyz5r0tf37\nevent: envelope\ndata: {\"event_id"
            + "\":\"ev_01m80m2rsawypgrjsyz5r0tf37\",\"reseller_id\":null,"
            + "\"tenant_id\":\"t_01m80m2d3m1rb5qcetbsfj1z1s\",\"workspace_id\":null,"
            + "\"source\":\"shop\",\"event_type\":\"order.complained\","
            + "\"correlation_id\":\"co_01m80m2rsf0ehct941hmfypd1h\",\"payload\":{\"id\":\"1042\","
            + "\"total\":\"42.00\"},\"agent_id\":null,\"session_id\":null,\"kind\":\"event\","
            + "\"cursor\":\"cur_1cq0Zt8VxNftPVz9j3hADLE6QUSCGAgjuuPJWFPaHB\"}\n\n: keep-alive\n\n",
    errors = {ErrorCode.INVALID_CURSOR, ErrorCode.QUOTA_EXCEEDED})
public final class StreamEventsHandler implements RouteHandler<StreamEventsHandler.Input> {
  static final String MEDIA_TYPE = "text/event-stream";

  private final EventFeeds feeds;
  private final EventLog log;
  private final EventCursors cursors;
  private final StreamSlots slots;
  private final Limit limit;
  private final InstantSource clock;

  /**
   * The limits of a stream.
   *
   * @param isActive returns whether the stream's caller may continue
   */
  record Limit(Predicate<Caller> isActive, Duration longest) {}

  StreamEventsHandler(
      EventFeeds feeds,
      EventLog log,
      EventCursors cursors,
      StreamSlots slots,
      Limit limit,
      InstantSource clock) {
    this.feeds = feeds;
    this.log = log;
    this.cursors = cursors;
    this.slots = slots;
    this.limit = limit;
    this.clock = clock;
  }

  record Input(
      @JsonUnwrapped FilterParameters filter,
      @Field(
              doc =
                  "Position to resume strictly after: a `cur_…` of the same filter, from the"
                      + " stream or the list, or an `ev_…`. From now on if left out.")
          @Nullable String cursor,
      @Field(
              doc =
                  "Position to resume strictly after, like `cursor`, and takes precedence over"
                      + " it. Browsers send it when they reconnect.",
              in = Field.In.HEADER,
              name = "Last-Event-ID")
          @Nullable String lastEventId) {
    /**
     * Returns the position at which the stream resumes. A browser that reconnects sends both its
     * original cursor and the last event it received; the event counts.
     */
    @Nullable String place() {
      return lastEventId == null || lastEventId.isBlank() ? cursor : lastEventId.strip();
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    Caller caller = call.caller();
    EventFilter filter = input.filter().filter();
    EventCursor from = place(caller, filter, input.place());
    return switch (slots.take(
        caller.partition().tenant(), StreamSlots.Pool.of(caller), caller.requestId().value())) {
      case Done(Slot slot) -> new Reply.Streamed(MEDIA_TYPE, open(caller, filter, from, slot));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }

  private @Nullable EventCursor place(Caller caller, EventFilter filter, @Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    return cursor.startsWith(PageCursors.PREFIX)
        ? cursors.open(caller.partition(), filter, cursor)
        : EventId.parse(cursor)
            .flatMap(id -> log.findLogged(caller, id))
            .map(event -> log.placeOf(event, filter))
            .orElseThrow(PageCursors::invalid);
  }

  private StreamBody open(
      Caller caller, EventFilter filter, @Nullable EventCursor from, Slot slot) {
    try {
      return new EventStream(
          feeds.open(caller.partition(), caller.reach(), filter, from),
          listed ->
              EnvelopeView.frame(
                  caller,
                  listed.event(),
                  cursors.seal(caller.partition(), filter, listed.cursor())),
          new CallerAndSlot(caller, slot),
          limit.longest(),
          clock,
          Sleeper.real());
    } catch (RuntimeException e) {
      slots.release(slot);
      throw e;
    }
  }

  /** The permit of a stream: an active key or person, and one of the tenant's slots. */
  private final class CallerAndSlot implements EventStream.Permit {
    private final Caller caller;
    private final Slot slot;
    private Instant renewAt = clock.instant().plus(StreamSlots.RENEWAL);

    CallerAndSlot(Caller caller, Slot slot) {
      this.caller = caller;
      this.slot = slot;
    }

    @Override
    public boolean valid() {
      return limit.isActive().test(caller) && holdsSlot();
    }

    private boolean holdsSlot() {
      Instant now = clock.instant();
      if (now.isBefore(renewAt)) {
        return true;
      }
      renewAt = now.plus(StreamSlots.RENEWAL);
      return slots.renew(slot);
    }

    @Override
    public void release() {
      slots.release(slot);
    }
  }
}
