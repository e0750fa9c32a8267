package io.actiongovernance.event;

import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of an event. It only grows: entries never change, but others may have been added since it
 * was read.
 *
 * @param ids its plans, oldest first
 * @param earlier the result of each proposal that may become at most one plan, by the proposal's
 *     name
 * @param touched positions in the log at which its plans first touched entities, by hashes of the
 *     entity keys
 */
public record EventPlans(
    List<PlanId> ids, Map<String, Earlier> earlier, Map<String, Long> touched) {
  public static final EventPlans NONE = new EventPlans(List.of(), Map.of(), Map.of());

  public EventPlans {
    ids = List.copyOf(ids);
    earlier = Map.copyOf(earlier);
    touched = Map.copyOf(touched);
  }

  /**
   * Earlier result of a proposal that may become at most one plan.
   *
   * @param planId the plan, or null if the proposal was refused
   */
  public record Earlier(@Nullable PlanId planId) {}

  public Optional<Earlier> earlier(@Nullable String once) {
    return once == null ? Optional.empty() : Optional.ofNullable(earlier.get(once));
  }

  /** Returns the position at which a plan of the event first touched the entity, if one did. */
  Optional<Long> touched(String entityKey) {
    return Optional.ofNullable(touched.get(entity(entityKey)));
  }

  /**
   * Returns an entity's attribute name. Half of the hash of the entity key is enough to distinguish
   * it.
   */
  static String entity(String entityKey) {
    return CanonicalJson.sha256(entityKey).substring(0, 32);
  }
}
