package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Result;
import io.actiongovernance.proposer.AnalyzeGuardrails;
import io.actiongovernance.proposer.AnalyzeGuardrails.Analysis;
import io.actiongovernance.proposer.Unbound;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/analyze}: writes nothing. */
public final class AnalyzeGuardrailsHandler implements FieldsHandler {
  private final AnalyzeGuardrails analyzeGuardrails;

  public AnalyzeGuardrailsHandler(AnalyzeGuardrails analyzeGuardrails) {
    this.analyzeGuardrails = analyzeGuardrails;
  }

  record View(
      String object,
      List<String> uncoveredTools,
      List<String> unreachable,
      List<ConflictView> conflicts,
      List<PermissionView> permitsMore,
      boolean complete,
      List<Unbound> unbound) {
    static View of(Analysis analysis) {
      Result result = analysis.proved();
      return new View(
          "guardrail_analysis",
          result.uncoveredTools(),
          result.unreachable(),
          result.conflicts().stream()
              .map(
                  one ->
                      new ConflictView(
                          one.guardrails(), ActionView.of(one.action()), one.verdict()))
              .toList(),
          result.permitsMore().stream()
              .map(
                  one -> new PermissionView(ActionView.of(one.action()), one.before(), one.after()))
              .toList(),
          result.complete(),
          analysis.unbound());
    }
  }

  record ConflictView(List<String> guardrails, ActionView action, Verdict verdict) {}

  record PermissionView(ActionView action, Verdict before, Verdict after) {}

  /** As the simulation takes it. */
  record ActionView(
      String connector, String tool, JsonNode args, @Nullable BigDecimal value, String entityKey) {
    static ActionView of(Candidate action) {
      return new ActionView(
          action.connector().value(),
          action.tool(),
          action.args(),
          action.value(),
          action.entityKey());
    }
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Guardrails proposed = body.has("guardrails") ? Guardrails.read(body, "guardrails") : null;
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return analyzeGuardrails
        .analyze(call.caller(), id, proposed)
        .map(analysis -> Reply.ok(View.of(analysis)))
        .orElseGet(OperatorReplies::notFound);
  }
}
