package io.actiongovernance.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An outcome to append to the log.
 *
 * @param id derived from what it reports, so that it is in the log once, even if several callers
 *     report it
 * @param operatorId the operator whose plan it is about
 * @param source the source that its envelope names
 * @param payload at most {@value #MOST_BYTES} bytes
 * @param entities hashes of the keys of the entities that it is about
 */
public record NewOutcome(
    EventId id,
    OutcomeType type,
    PlanId planId,
    OperatorId operatorId,
    @Nullable String workspaceId,
    String source,
    CorrelationId correlationId,
    ObjectNode payload,
    Set<String> entities) {
  public static final int MOST_BYTES = 2_048;

  public NewOutcome {
    entities = Set.copyOf(entities);
  }

  public static Set<String> hashed(Set<EntityKey> entities) {
    return entities.stream()
        .map(entity -> EventPlans.entity(entity.value()))
        .collect(Collectors.toSet());
  }
}
