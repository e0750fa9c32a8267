package io.actiongovernance.operator;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What sets an operator to work (contract, section 4). Immutable.
 *
 * @param eventTypes exact types or globs; none for all types of the sources that are named, or, if
 *     none is named either, for an operator that watches no events
 * @param sources the sources whose events it watches; none for all of them
 * @param schedule when it runs without an event, or null
 */
public record Triggers(List<String> eventTypes, List<String> sources, @Nullable String schedule) {
  /** The most event types, and the most sources, one operator watches. */
  public static final int MOST = 50;

  /** The most characters of a source. */
  public static final int LONGEST_SOURCE = 100;

  public Triggers {
    eventTypes = List.copyOf(eventTypes);
    sources = List.copyOf(sources);
  }

  /** Watches nothing: such an operator is set to work by outside agents and by repropose. */
  public static Triggers none() {
    return new Triggers(List.of(), List.of(), null);
  }

  /** Reads {@code {"event_types","sources","schedule"}} from outside, all of its fields. */
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

  /** Whether an event of this type and source is watched. */
  public boolean watches(String eventType, String source) {
    boolean type =
        eventTypes.isEmpty()
            ? !sources.isEmpty()
            : eventTypes.stream().anyMatch(glob -> Glob.parse(glob).matches(eventType));
    return type && (sources.isEmpty() || sources.contains(source));
  }
}
