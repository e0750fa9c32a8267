package io.actiongovernance.functions.halt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.id.HaltId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The halt object (contract, sections 4, 6 and 9). */
@Doc("A halt; a target has one at a time.")
record HaltView(
    HaltId id,
    @Field(doc = "Always `halt`.", constant = "halt") String object,
    @Field(
            doc =
                "Scope of the halt: all calls of the `tenant`, those of one `operator`, or"
                    + " those to one `connector`.")
        HaltScope scope,
    @Field(doc = "The operator or connector that is halted; null for the tenant.")
        @Nullable String targetId,
    @Field(doc = "The workspace it belongs to; null for the tenant as a whole.")
        @Nullable String workspaceId,
    @Field(doc = "Reason for the halt, as sent.", example = "Something is wrong.") String reason,
    @Field(doc = "The name of the key that ordered it.", example = "on-call") String haltedBy,
    @Field(
            doc = "The principal that ordered the halt, as the service knows it.",
            as = PrincipalView.class)
        ObjectNode haltedByPrincipal,
    @Field(
            doc = "Time from which no call in scope starts: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-20T21:44:07.412Z")
        Instant haltedAt,
    @Field(doc = "The name of the key that lifted it; null while in force.")
        @Nullable String liftedBy,
    @Field(
            doc =
                "The principal that lifted the halt, as the service knows it; null while in"
                    + " force.",
            as = PrincipalView.class)
        @Nullable ObjectNode liftedByPrincipal,
    @Field(doc = "Time at which the halt was lifted, RFC 3339; null while in force.")
        @Nullable Instant liftedAt) {
  static HaltView of(Halt halt) {
    Halt.Lift lift = halt.lift();
    return new HaltView(
        halt.id(),
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
