package io.actiongovernance.functions.event;

import io.actiongovernance.access.Scope;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.Included;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The filter that lists and streams of events share. */
record FilterParameters(
    @Field(
            doc =
                "Only these types: up to five, separated by commas. Each is exact, or a glob in"
                    + " which `*` is one dot-delimited segment.",
            example = "order.*")
        @Nullable String eventType,
    @Field(doc = "Only envelopes of exactly this source.", example = "shop")
        @Nullable String source,
    @Field(doc = "Only what belongs to this workspace.", example = "emea")
        @Nullable String workspaceId,
    @Field(
            doc =
                "Only events with a plan that touches this entity, and outcomes about it: an"
                    + " exact `entity_key`.",
            example = "order:1042")
        @Nullable String entity,
    @Field(
            doc =
                "Outcomes to include, separated by commas. `plans` adds `plan.proposed` and"
                    + " `plan.disposed`, and requires plans:read. `actions` adds `action.disposed`,"
                    + " and requires actions:read.",
            published = "^(plans|actions)(,(plans|actions))*$",
            example = "plans,actions")
        @Nullable String include) {
  private static final Map<String, Included> INCLUDED =
      Arrays.stream(Included.values()).collect(Collectors.toMap(Included::wire, one -> one));

  /**
   * The scopes that requests need to include further kinds of envelopes, keyed by kind. Routes
   * check them before a request is charged.
   */
  static final Map<String, Scope> SCOPES =
      Arrays.stream(Included.values()).collect(Collectors.toMap(Included::wire, Included::scope));

  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_ENTITY = 500;

  FilterParameters {
    if (eventType != null) {
      List<String> types = parts(eventType);
      if (types.size() > EventFilter.MOST_TYPES || !types.stream().allMatch(Glob::isValid)) {
        throw Problem.invalid(
            "event_type",
            "event_type must be one to five event types, separated by commas. In each, * may stand for a whole segment.");
      }
    }
    if (include != null && !parts(include).stream().allMatch(INCLUDED::containsKey)) {
      throw Problem.invalid(
          "include", "include must be plans, actions, or both, separated by a comma.");
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

  private static List<String> parts(String text) {
    return List.of(text.split(",", -1));
  }

  EventFilter filter() {
    Set<Included> included =
        include == null
            ? Set.of()
            : parts(include).stream().map(INCLUDED::get).collect(Collectors.toSet());
    return new EventFilter(
        eventType == null
            ? Set.of()
            : parts(eventType).stream().map(Glob::parse).collect(Collectors.toSet()),
        source,
        workspaceId,
        entity,
        included);
  }
}
