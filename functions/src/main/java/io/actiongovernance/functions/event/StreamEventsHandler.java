package io.actiongovernance.functions.event;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.StreamSlots;
import io.actiongovernance.access.StreamSlots.Slot;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.PageCursors;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.id.EventId;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/events/stream}. */
public final class StreamEventsHandler implements FieldsHandler {
  private final EventFeeds feeds;
  private final EventLog log;
  private final EventCursors cursors;
  private final StreamSlots slots;
  private final ApiKeys keys;
  private final Duration longest;
  private final InstantSource clock;

  public StreamEventsHandler(Wiring wiring) {
    this.feeds = wiring.eventFeeds();
    this.log = wiring.eventLog();
    this.cursors = wiring.eventCursors();
    this.slots = wiring.streamSlots();
    this.keys = wiring.apiKeys();
    this.longest = wiring.settings().longestStream();
    this.clock = wiring.clock();
  }

  @Override
  public Reply handle(Call call) {
    Caller caller = call.caller();
    EventFilter filter = EventFilters.of(call);
    @Nullable String cursor = call.query("cursor");
    @Nullable String lastSeen = call.header("Last-Event-ID");
    call.noOtherQuery();
    // A browser that reconnects sends both: what it was first opened with, and what it last saw.
    @Nullable EventCursor from =
        place(caller, filter, lastSeen == null || lastSeen.isBlank() ? cursor : lastSeen.strip());
    Optional<Slot> slot = slots.take(caller.partition().tenant(), caller.requestId().value());
    return slot.isEmpty()
        ? Reply.error(
            ErrorCode.QUOTA_EXCEEDED,
            "The tenant has " + StreamSlots.QUOTA + " streams open. Close one, or wait.")
        : new Reply.Streamed("text/event-stream", open(caller, filter, from, slot.get()));
  }

  private @Nullable EventCursor place(Caller caller, EventFilter filter, @Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    return cursor.startsWith(PageCursors.PREFIX)
        ? cursors.open(caller.partition(), filter, cursor)
        : EventId.parse(cursor)
            .flatMap(id -> log.find(caller.partition(), id))
            .filter(event -> caller.sees(event.workspaceId()))
            .map(event -> EventLog.placeOf(event, filter))
            .orElseThrow(PageCursors::invalid);
  }

  private StreamBody open(
      Caller caller, EventFilter filter, @Nullable EventCursor from, Slot slot) {
    try {
      return new EventStream(
          feeds.open(caller.partition(), caller.workspaceId(), filter, from),
          listed -> cursors.seal(caller.partition(), filter, listed.cursor()),
          new KeyAndSlot(caller, slot),
          longest,
          clock,
          Sleeper.real());
    } catch (RuntimeException e) {
      slots.release(slot);
      throw e;
    }
  }

  /** A key that is active, and one of the tenant's slots. */
  private final class KeyAndSlot implements EventStream.Permit {
    private final Caller caller;
    private final Slot slot;
    private Instant renewAt = clock.instant().plus(StreamSlots.RENEWAL);

    KeyAndSlot(Caller caller, Slot slot) {
      this.caller = caller;
      this.slot = slot;
    }

    @Override
    public boolean holds() {
      return keys.isActive(caller.partition().tenant(), caller.keyId()) && holdsSlot();
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
