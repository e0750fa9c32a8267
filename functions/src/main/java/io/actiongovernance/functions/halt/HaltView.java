package io.actiongovernance.functions.halt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.HaltScope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The halt object (contract, sections 4, 6 and 9). */
record HaltView(
    String id,
    String object,
    HaltScope scope,
    @Nullable String targetId,
    @Nullable String workspaceId,
    String reason,
    String haltedBy,
    ObjectNode haltedByPrincipal,
    Instant haltedAt,
    @Nullable String liftedBy,
    @Nullable ObjectNode liftedByPrincipal,
    @Nullable Instant liftedAt) {
  static HaltView of(Halt halt) {
    Halt.Lift lift = halt.lift();
    return new HaltView(
        halt.id().value(),
        "halt",
        halt.target().scope(),
        halt.target().id(),
        halt.workspaceId(),
        halt.reason(),
        halt.haltedBy(),
        halt.principal().wire(),
        halt.haltedAt(),
        lift == null ? null : lift.liftedBy(),
        lift == null ? null : lift.principal().wire(),
        lift == null ? null : lift.liftedAt());
  }
}
