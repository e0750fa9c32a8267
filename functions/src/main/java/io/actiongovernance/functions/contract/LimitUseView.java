package io.actiongovernance.functions.contract;

import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Per;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A {@link LimitUse}, as answers show it. */
@Doc("How far a guardrail's limit was used up when it decided on an action.")
public record LimitUseView(
    @Field(doc = "What the limit counts apart.", example = "entity") Per per,
    @Field(
            doc =
                "Which of its bounds decided: `actions` (`max_actions`) or `value` (`max_value`).",
            example = "actions")
        LimitUse.Kind kind,
    @Field(doc = "The length of its window in seconds.", example = "86400") long windowSeconds,
    @Field(
            doc =
                "The entity, tool or connector whose actions are counted, by `per`; null for `operator` and `tenant`.",
            example = "order:7")
        @Nullable String key,
    @Field(
            doc =
                "How many actions, or which value, counted before this action; at the proposal with what comes before it in its plan.",
            example = "1")
        BigDecimal used,
    @Field(doc = "The bound.", example = "1") BigDecimal of,
    @Field(
            doc =
                "When the oldest sixtieth of the window began in which something counts: RFC 3339 in UTC; null where nothing that was called does.",
            example = "2026-11-28T06:47:00.000Z")
        @Nullable Instant since,
    @Field(
            doc =
                "False where the value or entity of the action, or of one before it in its plan, is missing, below zero or its proposer's word alone, so that the limit is exceeded whatever is used.",
            example = "true")
        boolean countable) {
  public static final String DOC =
      "The limit that turned `ALLOW` into `ALERT` at the proposal, or refused the action at execution; null where none did.";
}
