package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.plan.VerdictView;
import io.actiongovernance.policy.ConditionName;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.ExplainedVerdict;
import io.actiongovernance.policy.Explanation;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Truth;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An {@link ExplainedVerdict}, as answers show it. */
@Doc("A verdict, and what the guardrails made of the action.")
public record ExplainedVerdictView(
    @Field(
            doc =
                "Version of the guardrails that was evaluated; null for guardrails of the request,"
                    + " and if the version is no longer known.",
            example = "2")
        @Nullable Long guardrailsVersion,
    @Field(
            doc = "Time as of which the guardrails were evaluated: RFC 3339 in UTC.",
            example = "2026-11-20T21:44:07.412Z")
        Instant at,
    @Field(doc = "The verdict as it was recorded.") VerdictView verdict,
    @Field(
            doc =
                "True if evaluating the guardrails again gives this verdict, limits aside. False if"
                    + " something else decided, such as a changed tool, or if the version cannot be"
                    + " read.",
            example = "true")
        boolean reproduced,
    @Field(
            doc =
                "The first 100 enabled guardrails whose tool matches, in the order in which they"
                    + " decide: the first that matched decides. Empty if the version cannot be read.",
            as = ConsideredGuardrailView.class)
        List<Explanation.Considered> considered,
    @Field(
            doc =
                "The limits that turned `ALLOW` into `ALERT` at the proposal, or the one that"
                    + " refused the action at execution, with the bound that decided.",
            as = GuardrailLimitForm.class,
            example = "[]")
        List<Limit> limitedBy) {
  public static ExplainedVerdictView of(ExplainedVerdict explained) {
    return new ExplainedVerdictView(
        explained.guardrailsVersion(),
        explained.at(),
        VerdictView.of(explained.recorded().verdict()),
        explained.reproduced(),
        explained.considered(),
        explained.recorded().limitedBy());
  }

  /** An {@link Explanation.Considered}, as answers show it. */
  @Doc("A guardrail that was considered.")
  record ConsideredGuardrailView(
      @Field(doc = "The guardrail's name.", example = "refund-small") String guardrail,
      @Field(doc = "The guardrail's decision.", example = "ALLOW") Decision decision,
      @Field(
              doc =
                  "True if the guardrail matches the action. A condition that cannot be evaluated"
                      + " fails an ALLOW and not an ALERT or BLOCK.",
              example = "false")
          boolean matched,
      @Field(
              doc =
                  "The guardrail's conditions, each tested alone. None are tested for the guardrail"
                      + " that decides an undo because it decided the original.",
              as = TestedConditionView.class)
          List<Explanation.Condition> conditions) {}

  /** An {@link Explanation.Condition}, as answers show it. */
  @Doc("A condition of a guardrail, and what an action has there.")
  record TestedConditionView(
      @Field(
              doc = "The guardrail's field that states the condition; `args` for one comparison.",
              example = "max_value")
          ConditionName on,
      @Field(
              doc =
                  "What the guardrail states there. For `args`, `path`, `op` and `value`; a `value`"
                      + " of more than 200 bytes is shortened to a text that ends in `…`.",
              example = "\"50.00\"")
          JsonNode asked,
      @Field(
              doc =
                  "What the action has there; null if nothing. For `exists`, whether there is a"
                      + " value. For `within`, the time in UTC (`at`), and the day and time in the"
                      + " zone of the guardrail. A value of more than 200 bytes is shortened to a"
                      + " text that ends in `…`.",
              example = "120.5")
          JsonNode got,
      @Field(
              doc =
                  "`holds`, `fails`, or `undecidable`: the value is missing, of another type, or"
                      + " only the proposer's claim.",
              example = "fails")
          Truth held,
      @Field(
              doc = "True if what the action has there is only the proposer's claim.",
              example = "false")
          boolean claimed) {}
}
