package io.actiongovernance.functions.contract;

import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Per;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A {@link LimitUse} as responses show it. */
@Doc("Use of a guardrail's limit when it decided on an action.")
public record LimitUseView(
    @Field(
            doc = "Dimension by which the limit counts: each of its values has its own count.",
            example = "entity")
        Per per,
    @Field(
            doc = "Bound that decided: `actions` (`max_actions`) or `value` (`max_value`).",
            example = "actions")
        LimitUse.Kind kind,
    @Field(doc = "Length of the window in seconds.", example = "86400") long windowSeconds,
    @Field(
            doc =
                "The entity, tool or connector whose actions are counted, by `per`; null for `operator` and `tenant`.",
            example = "order:7")
        @Nullable String key,
    @Field(
            doc =
                "Number of actions, or sum of values, counted before this action. At the"
                    + " proposal, it includes the actions before this one in its plan.",
            example = "1")
        BigDecimal used,
    @Field(doc = "The bound.", example = "1") BigDecimal of,
    @Field(
            doc =
                "Start of the oldest sixtieth of the window in which something counts: RFC 3339"
                    + " in UTC. Null if nothing that was called counts.",
            example = "2026-11-28T06:47:00.000Z")
        @Nullable Instant since,
    @Field(
            doc =
                "False if the value or entity of the action, or of one before it in its plan,"
                    + " is missing, below zero or only the proposer's claim. The limit is then"
                    + " exceeded, whatever is used.",
            example = "true")
        boolean countable) {
  public static final String DOC =
      "The limit that turned `ALLOW` into `ALERT` at the proposal, or refused the"
          + " action at execution; null if none did.";
}
