package io.actiongovernance.event;

import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has come of an event. It only grows: what is here stays so, what is not may have come since
 * it was read.
 *
 * @param ids its plans, oldest first
 * @param earlier what became of what there is to be one plan of, by its name
 * @param touched where in the log its plans first touched entities, by hashes of their keys
 */
public record EventPlans(
    List<PlanId> ids, Map<String, Earlier> earlier, Map<String, Long> touched) {
  /** Of an event of which nothing has come. */
  public static final EventPlans NONE = new EventPlans(List.of(), Map.of(), Map.of());

  public EventPlans {
    ids = List.copyOf(ids);
    earlier = Map.copyOf(earlier);
    touched = Map.copyOf(touched);
  }

  /**
   * What became earlier of something there is to be one plan of.
   *
   * @param planId the plan, or null if the proposal was refused
   */
  public record Earlier(@Nullable PlanId planId) {}

  /** What became earlier of it, if anything. */
  public Optional<Earlier> earlier(@Nullable String once) {
    return once == null ? Optional.empty() : Optional.ofNullable(earlier.get(once));
  }

  /** The position at which a plan of the event first touched the entity, if one did. */
  Optional<Long> touched(String entityKey) {
    return Optional.ofNullable(touched.get(entity(entityKey)));
  }

  /** An entity in the name of an attribute: half of its key's hash is enough to tell it apart. */
  static String entity(String entityKey) {
    return CanonicalJson.sha256(entityKey).substring(0, 32);
  }
}
