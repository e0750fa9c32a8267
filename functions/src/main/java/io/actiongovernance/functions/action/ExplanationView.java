package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.operator.ExplainedVerdictView;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.RetrieveExplanation;
import io.actiongovernance.policy.ExplainedVerdict;
import org.jspecify.annotations.Nullable;

/** The verdicts of an action, explained (contract for the policy lab, section 6). */
@Doc("An action's verdicts, each explained by the guardrails that gave it.")
record ExplanationView(
    @Field(doc = "Always `explanation`.", constant = "explanation") String object,
    ActionId actionId,
    @Field(doc = "The verdict at the proposal.") ExplainedVerdictView proposal,
    @Field(
            doc =
                "The verdict at the execution, which is the stricter of the proposal's and that of"
                    + " the guardrails then. Null if it is the proposal's, and if nothing was"
                    + " executed.")
        @Nullable ExplainedVerdictView execution) {
  static ExplanationView of(RetrieveExplanation.Explained explained) {
    ExplainedVerdict execution = explained.execution();
    return new ExplanationView(
        "explanation",
        explained.actionId(),
        ExplainedVerdictView.of(explained.proposal()),
        execution == null ? null : ExplainedVerdictView.of(execution));
  }
}
