package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Triggers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator as it is answered (contract, section 4).
 *
 * @param lastPlanAt when its newest plan was proposed, or null
 */
record OperatorView(
    OperatorId id,
    String object,
    String name,
    @Nullable String displayName,
    @Nullable String description,
    OperatorStatus status,
    @Nullable String workspaceId,
    Triggers triggers,
    List<String> capabilities,
    @Nullable String entityTemplate,
    @Nullable JsonNode model,
    @Nullable String instructions,
    JsonNode guardrails,
    long guardrailsVersion,
    long planTtlSeconds,
    @Nullable Instant lastPlanAt,
    @Nullable Instant pausedAt,
    Instant createdAt,
    Instant updatedAt) {

  static OperatorView of(Operator operator, @Nullable Instant lastPlanAt) {
    return new OperatorView(
        operator.id(),
        "operator",
        operator.name(),
        operator.displayName(),
        operator.description(),
        operator.status(),
        operator.workspaceId(),
        operator.triggers(),
        operator.capabilities(),
        operator.entityTemplate(),
        operator.model(),
        operator.instructions(),
        operator.guardrails().json(),
        operator.guardrailsVersion(),
        operator.planTtlSeconds(),
        lastPlanAt,
        operator.pausedAt(),
        operator.createdAt(),
        operator.updatedAt());
  }
}
