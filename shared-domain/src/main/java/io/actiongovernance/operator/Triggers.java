package io.actiongovernance.operator;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Triggers of an operator (contract, section 4). Immutable.
 *
 * @param eventTypes exact types or globs; empty for all types of the named sources, or for an
 *     operator that watches no events if there are no sources either
 * @param sources sources whose events it watches; empty for all
 * @param schedule when it runs without an event, or null
 */
public record Triggers(List<String> eventTypes, List<String> sources, @Nullable String schedule) {
  /** Most event types, and most sources, of one operator. */
  public static final int MOST = 50;

  public static final int LONGEST_SOURCE = 100;

  public Triggers {
    eventTypes = List.copyOf(eventTypes);
    sources = List.copyOf(sources);
  }

  /** No triggers: outside agents and repropose start such an operator. */
  public static Triggers none() {
    return new Triggers(List.of(), List.of(), null);
  }

  /**
   * Reads {@code {"event_types","sources","schedule"}} from a request and rejects unknown fields.
   */
  public static Triggers read(Fields fields) {
    List<String> eventTypes = fields.textsOrNull("event_types", 0, MOST, Glob.MAX_LENGTH);
    List<String> sources = fields.textsOrNull("sources", 0, MOST, LONGEST_SOURCE);
    String schedule = fields.textOrNull("schedule", 1, Schedule.LONGEST);
    fields.done();
    Triggers triggers =
        new Triggers(
            eventTypes == null ? List.of() : eventTypes.stream().distinct().toList(),
            sources == null ? List.of() : sources.stream().distinct().toList(),
            schedule);
    if (schedule != null) {
      String param = fields.param("schedule");
      Schedule.problem(schedule)
          .ifPresent(
              problem -> {
                throw Problem.invalid(param, param + " " + problem + ".");
              });
    }
    for (int at = 0; eventTypes != null && at < eventTypes.size(); at++) {
      requireEventType(fields.param("event_types") + "[" + at + "]", eventTypes.get(at));
    }
    return triggers;
  }

  static void requireEventType(String param, String text) {
    if (!Glob.isValid(text)) {
      throw Problem.invalid(
          param, param + " must be an event type, or a glob with * for whole segments.");
    }
  }

  public boolean watches(String eventType, String source) {
    boolean type =
        eventTypes.isEmpty()
            ? !sources.isEmpty()
            : eventTypes.stream().anyMatch(glob -> Glob.parse(glob).matches(eventType));
    return type && (sources.isEmpty() || sources.contains(source));
  }
}
