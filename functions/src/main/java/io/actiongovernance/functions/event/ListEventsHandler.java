package io.actiongovernance.functions.event;

import io.actiongovernance.access.Caller;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventList;
import io.actiongovernance.event.EventQuery;
import io.actiongovernance.event.EventsPage;
import io.actiongovernance.event.Order;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/events}. */
public final class ListEventsHandler implements FieldsHandler {
  private final EventList events;
  private final EventCursors cursors;

  public ListEventsHandler(EventList events, EventCursors cursors) {
    this.events = events;
    this.cursors = cursors;
  }

  /** The list envelope, except that {@code next_cursor} is never null (contract, section 7). */
  record View(String object, List<EventView> data, boolean hasMore, String nextCursor) {}

  @Override
  public Reply handle(Call call) {
    Caller caller = call.caller();
    EventFilter filter = EventFilters.of(call);
    Order order = call.query("order", Order::parse, "asc or desc");
    EventQuery query =
        new EventQuery(
            caller.partition(),
            caller.workspaceId(),
            filter,
            order == null ? Order.DESC : order,
            call.queryTime("since"),
            call.queryTime("until"));
    int limit = call.limit();
    @Nullable String cursor = call.query("cursor");
    call.noOtherQuery();
    EventCursor from = cursor == null ? null : cursors.open(caller.partition(), filter, cursor);
    return Reply.ok(
        view(
            events.list(query, limit, from),
            place -> cursors.seal(caller.partition(), filter, place)));
  }

  private static View view(EventsPage page, Function<EventCursor, String> seal) {
    List<EventView> data =
        page.items().stream()
            .map(listed -> EventView.of(listed.event(), seal.apply(listed.cursor())))
            .toList();
    return new View("list", data, page.more(), seal.apply(page.next()));
  }
}
