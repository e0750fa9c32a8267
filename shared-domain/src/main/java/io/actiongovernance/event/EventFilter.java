package io.actiongovernance.event;

import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Glob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Filter of the envelopes of a list or a stream; all given conditions must hold. Cursors are bound
 * to it (contract, section 7).
 *
 * @param eventTypes exact types, or globs in which {@code *} is one segment, any of which must
 *     match; empty for all types
 * @param entity an entity that plans of the envelope's event touch, or that the outcome is about;
 *     positions are then the positions of first touches
 */
public record EventFilter(
    Set<Glob> eventTypes,
    @Nullable String source,
    @Nullable String workspaceId,
    @Nullable String entity,
    Set<Included> include) {
  public static final int MOST_TYPES = 5;

  public static final EventFilter NONE = new EventFilter(null, null, null, null);

  public EventFilter {
    eventTypes = Set.copyOf(eventTypes);
    include = Set.copyOf(include);
  }

  /** A filter for ingested events only. */
  public EventFilter(
      @Nullable Glob eventType,
      @Nullable String source,
      @Nullable String workspaceId,
      @Nullable String entity) {
    this(eventType == null ? Set.of() : Set.of(eventType), source, workspaceId, entity, Set.of());
  }

  public EventFilter including(Set<Included> outcomes) {
    return new EventFilter(eventTypes, source, workspaceId, entity, outcomes);
  }

  public boolean includes() {
    return !include.isEmpty();
  }

  /** Returns the kind of log from which ingested events are read. */
  Log.Kind log() {
    return entity == null ? Log.Kind.ENVELOPES : Log.Kind.LINKS;
  }

  /** Returns the exact type, if the filter has only one and no globs; otherwise null. */
  @Nullable String exactType() {
    return eventTypes.size() == 1 && eventTypes.iterator().next().isExact()
        ? eventTypes.iterator().next().toString()
        : null;
  }

  boolean matches(LogEntry entry) {
    boolean wanted = entity == null ? entry.entity() == null : entity.equals(entry.entity());
    return wanted && matches(entry.eventType(), entry.source(), entry.workspaceId());
  }

  boolean matches(OutcomeEvent outcome) {
    return include.contains(outcome.type().included())
        && (entity == null || outcome.outcome().entities().contains(EventPlans.entity(entity)))
        && matches(outcome.eventType(), outcome.source(), outcome.workspaceId());
  }

  private boolean matches(String type, String from, @Nullable String workspace) {
    return (eventTypes.isEmpty() || eventTypes.stream().anyMatch(glob -> glob.matches(type)))
        && (source == null || source.equals(from))
        && (workspaceId == null || workspaceId.equals(workspace));
  }

  /**
   * Returns a text that is equal only for equal filters. If no outcomes are included, the text is
   * the same as in builds before outcomes existed.
   */
  public String binding() {
    List<@Nullable String> parts =
        new ArrayList<>(
            Arrays.asList(
                eventTypes.isEmpty() ? null : joined(eventTypes), source, workspaceId, entity));
    if (includes()) {
      parts.add(joined(include));
    }
    return Json.write(parts);
  }

  private static String joined(Set<?> parts) {
    return parts.stream().map(Object::toString).sorted().collect(Collectors.joining(","));
  }
}
