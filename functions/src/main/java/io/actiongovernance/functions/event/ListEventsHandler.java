package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventList;
import io.actiongovernance.event.EventQuery;
import io.actiongovernance.event.EventsPage;
import io.actiongovernance.event.Order;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.TimeRange;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/events}. */
@Operation(
    summary = "List envelopes",
    description =
        "Returns a page of envelopes, newest first unless `order=asc`. On the last page"
            + " `next_cursor` is not null: it names the head of the log as it stood at the"
            + " first page. From it, the stream, or this list with `order=asc`, yields"
            + " exactly what came later.",
    tag = Tag.EVENTS,
    answer = EventView.class,
    list = true)
public final class ListEventsHandler implements RouteHandler<ListEventsHandler.Input> {
  private final EventList events;
  private final EventCursors cursors;

  public ListEventsHandler(EventList events, EventCursors cursors) {
    this.events = events;
    this.cursors = cursors;
  }

  record Input(
      @JsonUnwrapped FilterParameters filter,
      @JsonUnwrapped TimeRange time,
      @Field(
              doc =
                  "`desc` (default): newest first. `asc`: in the order of the log, from its"
                      + " beginning or from the cursor.")
          @Nullable Order order,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    Partition partition = call.caller().partition();
    EventFilter filter = input.filter().filter();
    EventQuery query =
        new EventQuery(
            partition,
            call.caller().reach(),
            filter,
            input.order() == null ? Order.DESC : input.order(),
            input.time().since(),
            input.time().until());
    String cursor = input.page().cursor();
    EventCursor from = cursor == null ? null : cursors.open(partition, filter, cursor);
    EventsPage page = events.list(query, input.page().limit(), from);
    return Reply.list(
        page.items().stream()
            .map(
                listed ->
                    EventView.of(
                        call.caller(),
                        listed.event(),
                        cursors.seal(partition, filter, listed.cursor())))
            .toList(),
        page.more(),
        cursors.seal(partition, filter, page.next()));
  }
}
