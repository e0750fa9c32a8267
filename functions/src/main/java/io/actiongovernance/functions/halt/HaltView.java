package io.actiongovernance.functions.halt;

import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.HaltScope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The halt object (contract, sections 4 and 9). */
record HaltView(
    String id,
    String object,
    HaltScope scope,
    @Nullable String targetId,
    @Nullable String workspaceId,
    String reason,
    String haltedBy,
    Instant haltedAt,
    @Nullable String liftedBy,
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
        halt.haltedAt(),
        lift == null ? null : lift.liftedBy(),
        lift == null ? null : lift.liftedAt());
  }
}
