package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersion;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.GuardrailWarnings;
import io.actiongovernance.proposer.GuardrailWarnings.Warnings;
import io.actiongovernance.proposer.Unbound;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PUT /v1/operators/{operator_id}/guardrails}. */
@Operation(
    summary = "Replace the guardrails",
    tag = Tag.OPERATORS,
    answer = PutGuardrailsHandler.ReplacedGuardrailsView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class PutGuardrailsHandler implements RouteHandler<PutGuardrailsHandler.Input> {
  private final Operators operators;
  private final GuardrailWarnings warnings;

  public PutGuardrailsHandler(Operators operators, GuardrailWarnings warnings) {
    this.operators = operators;
    this.warnings = warnings;
  }

  /** The guardrails as they now are, and what their author is warned of. */
  @Doc("The guardrails now in force, with warnings for their author.")
  record ReplacedGuardrailsView(
      @JsonUnwrapped GuardrailsView guardrailsView,
      @Field(doc = OperatorTexts.UNBOUND, as = UnboundView.class, example = UnboundView.SAMPLE)
          List<Unbound> unbound,
      @Field(doc = OperatorTexts.MATCHES_NO_TOOL, example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
          List<String> matchesNoTool) {
    static ReplacedGuardrailsView of(Operator operator, Warnings warnings) {
      return new ReplacedGuardrailsView(
          GuardrailsView.of(operator), warnings.unbound(), warnings.matchesNoTool());
    }
  }

  record Input(
      OperatorId operatorId,
      @Field(
              doc =
                  "The whole set, which replaces the present one. If empty, all side effects are"
                      + " blocked.",
              as = GuardrailForm[].class,
              max = Guardrails.MAX_GUARDRAILS,
              example = "[{\"name\":\"no\",\"decision\":\"BLOCK\",\"tool\":\"data.*.*\"}]")
          Guardrails guardrails,
      @Field(
              doc =
                  "The `guardrails_version` that must still be the current one; else 409"
                      + " `state_conflict`.",
              example = "1")
          long expectedVersion,
      @Field(
              doc = "Note kept with the version, for those who read it later.",
              max = GuardrailsVersion.LONGEST_NOTE)
          @Nullable String note) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        operators.putGuardrails(
            call.caller(),
            input.operatorId(),
            input.guardrails(),
            input.expectedVersion(),
            input.note(),
            call.mintedId()),
        operator -> ReplacedGuardrailsView.of(operator, warnings.of(operator)));
  }
}
