package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventFilter;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the filter that lists and streams of events share from a request's query. */
final class EventFilters {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_ENTITY = 500;

  private EventFilters() {}

  static EventFilter of(Call call) {
    return new EventFilter(
        call.query(
            "event_type",
            text -> Optional.of(text).filter(Glob::isValid).map(Glob::parse),
            "an event type, in which * may stand for a segment"),
        text(call, "source", LONGEST_NAME),
        text(call, "workspace_id", LONGEST_NAME),
        text(call, "entity", LONGEST_ENTITY));
  }

  private static @Nullable String text(Call call, String name, int longest) {
    String text = call.query(name);
    if (text != null && (text.isEmpty() || text.codePointCount(0, text.length()) > longest)) {
      throw Problem.invalid(name, name + " must have 1 to " + longest + " characters.");
    }
    return text;
  }
}
