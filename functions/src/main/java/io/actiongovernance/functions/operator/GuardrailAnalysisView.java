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
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proven facts about guardrails, as answers show them (contract, section 4). */
@Doc("Proven facts about guardrails.")
record GuardrailAnalysisView(
    @Field(doc = "Always `guardrail_analysis`.", constant = "guardrail_analysis") String object,
    @Field(
            doc = "Tools with side effects that no guardrail ever matches.",
            example = "[\"sandbox.record.update\",\"sandbox.deploy.run\"]")
        List<String> uncoveredTools,
    @Field(doc = "Guardrails that decide no action.") List<String> unreachable,
    @Field(doc = "Guardrails of equal priority that decide differently on an action.")
        List<GuardrailConflictView> conflicts,
    @Field(doc = "Actions that the present guardrails judge more strictly.")
        List<PermissionView> permitsMore,
    @Field(
            doc =
                "Differences that loosen the present guardrails, by name, at most 100. Empty for a"
                    + " tightening, which lets through nothing that is held or refused now.")
        List<LooseningView> loosens,
    @Field(doc = "True if nothing else can be found.", example = "true") boolean complete,
    @Field(doc = OperatorTexts.UNBOUND, as = UnboundView.class, example = UnboundView.SAMPLE)
        List<Unbound> unbound,
    @Field(doc = OperatorTexts.MATCHES_NO_TOOL, example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
        List<String> matchesNoTool,
    @Field(
            doc = "Guardrails whose approval policy the present people and groups cannot satisfy.",
            example = "[]")
        List<UnsatisfiableView> unsatisfiableApproval) {
  static GuardrailAnalysisView of(Analysis analysis) {
    GuardrailAnalysis.Result proved = analysis.proved();
    return new GuardrailAnalysisView(
        "guardrail_analysis",
        proved.uncoveredTools(),
        proved.unreachable(),
        proved.conflicts().stream()
            .map(conflict -> GuardrailConflictView.of(conflict, proved.timed()))
            .toList(),
        proved.permitsMore().stream()
            .map(permission -> PermissionView.of(permission, proved.timed()))
            .toList(),
        analysis.loosens().stream().map(LooseningView::of).toList(),
        proved.complete(),
        analysis.warnings().unbound(),
        analysis.warnings().matchesNoTool(),
        analysis.unsatisfiable().stream().map(UnsatisfiableView::of).toList());
  }

  /** A guardrail that asks for people whom there are not. */
  @Doc("A guardrail whose approval policy cannot be satisfied for lack of people.")
  record UnsatisfiableView(
      @Field(doc = "Name of the guardrail.", example = "large") String guardrail,
      @Field(
              doc = "Groups that have too few people; empty if there are too few people overall.",
              example = "[\"finance\"]")
          List<String> groups) {
    static UnsatisfiableView of(AnalyzeGuardrails.Unsatisfiable one) {
      return new UnsatisfiableView(one.guardrail(), one.groups());
    }
  }

  /** Guardrails of one priority, and an action of which they say different things. */
  @Doc("Guardrails of equal priority that decide differently on an action.")
  record GuardrailConflictView(
      @Field(doc = "Names of the guardrails; the one that decides comes first.")
          List<String> guardrails,
      @Field(doc = "Action on which they decide differently.") JudgedActionView action,
      @Field(doc = "The verdict on the action.") VerdictView verdict) {
    static GuardrailConflictView of(GuardrailAnalysis.Conflict conflict, boolean timed) {
      return new GuardrailConflictView(
          conflict.guardrails(),
          JudgedActionView.of(conflict.action(), timed),
          VerdictView.of(conflict.verdict()));
    }
  }

  /** An action on which the present guardrails are stricter. */
  @Doc("An action that the present guardrails judge more strictly.")
  record PermissionView(
      @Field(doc = "Action that the present guardrails judge more strictly.")
          JudgedActionView action,
      @Field(doc = "Verdict under the present guardrails.") VerdictView before,
      @Field(doc = "Verdict under the other guardrails.") VerdictView after,
      @Field(
              doc =
                  "Approval policy under the present guardrails, if the others ask for less; else"
                      + " left out.",
              as = ApprovalPolicyForm.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ObjectNode approvalBefore,
      @Field(
              doc =
                  "Approval policy under the other guardrails; left out if anyone with the right"
                      + " to approve may do so.",
              as = ApprovalPolicyForm.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ObjectNode approvalAfter) {
    static PermissionView of(GuardrailAnalysis.Permission permission, boolean timed) {
      return new PermissionView(
          JudgedActionView.of(permission.action(), timed),
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
  @Doc("An action that could be proposed, in the form that the simulation takes.")
  record JudgedActionView(
      @Field(doc = "Identifier of the connector.") String connector,
      @Field(doc = "The tool's dotted name, exact.") String tool,
      @Field(doc = "Arguments that fit the tool's `input_schema`.", as = ObjectNode.class)
          JsonNode args,
      @Field(
              doc =
                  "The monetary or other value that guardrails and limits measure, exact to the"
                      + " last digit. Null if none.")
          @Nullable BigDecimal value,
      @Field(doc = "The single-flight key that guardrails are matched with.") String entityKey,
      @Field(
              doc =
                  "Time at which it is judged; left out unless a set of guardrails depends on the"
                      + " time.",
              example = "2026-11-20T21:44:07.412Z")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable Instant at) {
    static JudgedActionView of(Candidate action, boolean timed) {
      return new JudgedActionView(
          action.connector().value(),
          action.tool(),
          action.args(),
          action.value(),
          action.entityKey().value(),
          timed ? action.at() : null);
    }
  }
}
