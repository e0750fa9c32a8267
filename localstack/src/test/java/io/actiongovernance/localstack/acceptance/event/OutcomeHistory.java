package io.actiongovernance.localstack.acceptance.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What readers were told of events and outcomes, and whether one log could have told them so: each
 * once, a plan's in their order, and the same to all. Not thread-safe.
 */
final class OutcomeHistory {
  private static final List<String> OF_A_PLAN =
      List.of("plan.proposed", "action.disposed", "plan.disposed");

  private final List<Told> listed = new ArrayList<>();
  private final List<List<String>> followed = new ArrayList<>();

  /**
   * What was told.
   *
   * @param plan whose outcome it is; empty of what was posted
   */
  private record Told(String id, String type, String plan) {}

  /** All envelopes of a list, from the oldest on. */
  OutcomeHistory listed(Collection<JsonNode> envelopes) {
    for (JsonNode one : envelopes) {
      boolean outcome = one.path("kind").asText().equals("outcome");
      told(
          one.path("id").asText(),
          one.path("event_type").asText(),
          outcome ? one.at("/payload/plan_id").asText() : "");
    }
    return this;
  }

  /** One more envelope of the list. */
  OutcomeHistory told(String id, String type, String plan) {
    listed.add(new Told(id, type, plan));
    return this;
  }

  /** The identifiers that a reader was told, in its order. */
  OutcomeHistory followed(List<String> ids) {
    followed.add(List.copyOf(ids));
    return this;
  }

  /**
   * What no such log could have told; empty if it could.
   *
   * @param posted events that were acknowledged
   * @param plans plans of one action that are over
   */
  List<String> impossible(Collection<String> posted, Collection<String> plans) {
    List<String> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Told one : listed) {
      if (!seen.add(one.id())) {
        found.add("doubled " + one.id());
      }
    }
    posted.stream().filter(id -> !seen.contains(id)).forEach(id -> found.add("missed " + id));
    plans.forEach(plan -> judge(plan, found));
    List<String> ids = listed.stream().map(Told::id).toList();
    followed.stream().filter(other -> !other.equals(ids)).forEach(_ -> found.add("told otherwise"));
    return found;
  }

  private void judge(String plan, List<String> found) {
    List<String> types =
        listed.stream().filter(one -> one.plan().equals(plan)).map(Told::type).toList();
    OF_A_PLAN.stream()
        .filter(type -> !types.contains(type))
        .forEach(type -> found.add("missed " + type + " of " + plan));
    List<String> once = types.stream().distinct().toList();
    List<String> ordered = OF_A_PLAN.stream().filter(types::contains).toList();
    if (!once.equals(ordered)) {
      found.add("reordered " + plan);
    }
  }
}
