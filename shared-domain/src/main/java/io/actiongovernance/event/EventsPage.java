package io.actiongovernance.event;

import java.util.List;

/**
 * One page of a list of events, in log order or its reverse.
 *
 * @param more whether there may be more pages
 * @param next where the next page begins; on the last page, where later entries will begin
 */
public record EventsPage(List<Listed> items, boolean more, EventCursor next) {
  public EventsPage {
    items = List.copyOf(items);
  }

  /** An event or outcome, and its place under the list's filter. */
  public record Listed(Logged event, EventCursor cursor) {}
}
