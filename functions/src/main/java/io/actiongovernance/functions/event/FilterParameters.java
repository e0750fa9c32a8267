package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventFilter;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import org.jspecify.annotations.Nullable;

/** The filter that lists and streams of events share. */
record FilterParameters(
    @Field(
            doc = "An exact type, or a glob in which `*` is one dot-delimited segment.",
            example = "order.*")
        @Nullable String eventType,
    @Field(doc = "Only what this system sent, exact.", example = "shop") @Nullable String source,
    @Field(doc = "Only what belongs to this workspace.", example = "emea")
        @Nullable String workspaceId,
    @Field(
            doc = "An entity_key, exact: only events with a plan that touches it.",
            example = "order:1042")
        @Nullable String entity) {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_ENTITY = 500;

  FilterParameters {
    if (eventType != null && !Glob.isValid(eventType)) {
      throw Problem.invalid(
          "event_type", "event_type must be an event type, in which * may stand for a segment.");
    }
    requireLength("source", source, LONGEST_NAME);
    requireLength("workspace_id", workspaceId, LONGEST_NAME);
    requireLength("entity", entity, LONGEST_ENTITY);
  }

  private static void requireLength(String name, @Nullable String text, int longest) {
    if (text != null && (text.isEmpty() || text.codePointCount(0, text.length()) > longest)) {
      throw Problem.invalid(name, name + " must have 1 to " + longest + " characters.");
    }
  }

  EventFilter filter() {
    return new EventFilter(
        eventType == null ? null : Glob.parse(eventType), source, workspaceId, entity);
  }
}
