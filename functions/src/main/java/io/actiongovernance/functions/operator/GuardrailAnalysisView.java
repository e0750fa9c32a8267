package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.plan.VerdictView;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.analysis.GuardrailAnalysis;
import io.actiongovernance.proposer.AnalyzeGuardrails;
import io.actiongovernance.proposer.AnalyzeGuardrails.Analysis;
import io.actiongovernance.proposer.Unbound;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was proved of guardrails, as it is answered (contract, section 4). */
@Doc("What can be said of guardrails for certain.")
record GuardrailAnalysisView(
    @Field(doc = "Always `guardrail_analysis`.", constant = "guardrail_analysis") String object,
    @Field(
            doc = "Tools with side effects that no guardrail ever matches.",
            example = "[\"sandbox.record.update\",\"sandbox.deploy.run\"]")
        List<String> uncoveredTools,
    @Field(doc = "Guardrails that decide no action.") List<String> unreachable,
    @Field(doc = "Guardrails of one priority that say different things of an action.")
        List<GuardrailConflictView> conflicts,
    @Field(doc = "Actions on which the present guardrails are stricter.")
        List<PermissionView> permitsMore,
    @Field(doc = "Whether there is nothing else to be said.", example = "true") boolean complete,
    @Field(doc = OperatorTexts.UNBOUND, as = UnboundView.class, example = UnboundView.SAMPLE)
        List<Unbound> unbound,
    @Field(doc = OperatorTexts.MATCHES_NO_TOOL, example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
        List<String> matchesNoTool,
    @Field(
            doc =
                "Guardrails whose policy of approval nobody could meet, as people and their groups are.",
            example = "[]")
        List<UnsatisfiableView> unsatisfiableApproval) {
  static GuardrailAnalysisView of(Analysis analysis) {
    GuardrailAnalysis.Result proved = analysis.proved();
    return new GuardrailAnalysisView(
        "guardrail_analysis",
        proved.uncoveredTools(),
        proved.unreachable(),
        proved.conflicts().stream().map(GuardrailConflictView::of).toList(),
        proved.permitsMore().stream().map(PermissionView::of).toList(),
        proved.complete(),
        analysis.warnings().unbound(),
        analysis.warnings().matchesNoTool(),
        analysis.unsatisfiable().stream().map(UnsatisfiableView::of).toList());
  }

  /** A guardrail that asks for people whom there are not. */
  @Doc("A guardrail that asks for people whom there are not.")
  record UnsatisfiableView(
      @Field(doc = "Its name.", example = "large") String guardrail,
      @Field(
              doc =
                  "The groups of which there are too few people; none where there are too few at all.",
              example = "[\"finance\"]")
          List<String> groups) {
    static UnsatisfiableView of(AnalyzeGuardrails.Unsatisfiable one) {
      return new UnsatisfiableView(one.guardrail(), one.groups());
    }
  }

  /** Guardrails of one priority, and an action of which they say different things. */
  @Doc("Guardrails of one priority that say different things of an action.")
  record GuardrailConflictView(
      @Field(doc = "Their names, the one that decides first.") List<String> guardrails,
      @Field(doc = "Of which they say different things.") JudgedActionView action,
      @Field(doc = "What is said of it.") VerdictView verdict) {
    static GuardrailConflictView of(GuardrailAnalysis.Conflict conflict) {
      return new GuardrailConflictView(
          conflict.guardrails(),
          JudgedActionView.of(conflict.action()),
          VerdictView.of(conflict.verdict()));
    }
  }

  /** An action on which the present guardrails are stricter. */
  @Doc("An action on which the present guardrails are stricter.")
  record PermissionView(
      @Field(doc = "On which they are stricter.") JudgedActionView action,
      @Field(doc = "What the present guardrails say of it.") VerdictView before,
      @Field(doc = "What the others say of it.") VerdictView after,
      @Field(
              doc =
                  "Who must approve it under the present ones, where the others ask for less; else left out.",
              as = ApprovalPolicyForm.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ObjectNode approvalBefore,
      @Field(
              doc = "Who must under the others; left out for whoever may approve.",
              as = ApprovalPolicyForm.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ObjectNode approvalAfter) {
    static PermissionView of(GuardrailAnalysis.Permission permission) {
      return new PermissionView(
          JudgedActionView.of(permission.action()),
          VerdictView.of(permission.before()),
          VerdictView.of(permission.after()),
          wire(permission.approvalBefore()),
          wire(permission.approvalAfter()));
    }

    private static @Nullable ObjectNode wire(@Nullable ApprovalPolicy policy) {
      return policy == null ? null : policy.wire();
    }
  }

  /** An action as the simulation takes it. */
  @Doc("An action that could be proposed, as the simulation takes it.")
  record JudgedActionView(
      @Field(doc = "Identifier of the connector.") String connector,
      @Field(doc = "The tool's dotted name, exact.") String tool,
      @Field(doc = "Arguments such as the tool's `input_schema` asks for.", as = ObjectNode.class)
          JsonNode args,
      @Field(
              doc =
                  "The monetary or other magnitude that guardrails and limits measure, exact to the last digit. Null for none.")
          @Nullable BigDecimal value,
      @Field(doc = "The single-flight key that guardrails are matched with.") String entityKey) {
    static JudgedActionView of(Candidate action) {
      return new JudgedActionView(
          action.connector().value(),
          action.tool(),
          action.args(),
          action.value(),
          action.entityKey().value());
    }
  }
}
