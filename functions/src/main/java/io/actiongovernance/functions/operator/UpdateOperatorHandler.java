package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorBody;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.SentModel;
import io.actiongovernance.operator.Triggers;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.GuardrailWarnings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/operators/{operator_id}}: guardrails in the request become a new version. */
@Operation(
    summary = "Update an operator",
    tag = Tag.OPERATORS,
    answer = OperatorView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CAPABILITY_UNBOUND})
public final class UpdateOperatorHandler implements RouteHandler<UpdateOperatorHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;
  private final GuardrailWarnings warnings;

  public UpdateOperatorHandler(
      Operators operators, OperatorViews views, GuardrailWarnings warnings) {
    this.operators = operators;
    this.views = views;
    this.warnings = warnings;
  }

  @Whole(doc = "Fields that are left out stay as they are.")
  record Input(
      OperatorId operatorId,
      @Field(doc = OperatorTexts.NAME, text = Field.Text.SLUG, nullable = false)
          @Nullable String name,
      @Field(
              doc = "Display name for people; null for only the slug.",
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_DISPLAY_NAME,
              example = "Refunds")
          Given<String> displayName,
      @Field(
              doc = "Purpose of the operator; null removes it.",
              max = OperatorBody.LONGEST_DESCRIPTION)
          Given<String> description,
      @Field(
              doc =
                  "The workspace that the operator belongs to; null for the tenant as a whole,"
                      + " which a key pinned to a workspace cannot set.",
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_WORKSPACE)
          Given<String> workspaceId,
      @Field(
              doc =
                  "Events and schedule that the operator proposes for; replaces the present ones."
                      + " Null removes them.",
              as = TriggersForm.class)
          Given<Triggers> triggers,
      @Field(
              doc = OperatorTexts.CAPABILITIES,
              max = OperatorBody.MOST_CAPABILITIES,
              eachMax = OperatorBody.LONGEST_CAPABILITY)
          @Nullable List<String> capabilities,
      @Field(
              doc = OperatorTexts.ENTITY_TEMPLATE,
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_TEMPLATE)
          Given<String> entityTemplate,
      @Field(doc = ModelForm.DOC, as = ModelForm.class) Given<SentModel> model,
      @Field(doc = OperatorTexts.INSTRUCTIONS, max = OperatorBody.LONGEST_INSTRUCTIONS)
          Given<String> instructions,
      @Field(
              doc = OperatorTexts.PLAN_TTL + " Open plans keep theirs; null sets the default.",
              min = Operator.MIN_PLAN_TTL,
              max = Operator.MAX_PLAN_TTL)
          Given<Long> planTtlSeconds,
      @Field(doc = OperatorTexts.KEEP_RESULTS + " Null sets the default, false.")
          Given<Boolean> keepResults,
      @Field(
              doc = "The whole set, which replaces the present one as a new version.",
              as = GuardrailForm[].class,
              max = Guardrails.MAX_GUARDRAILS)
          @Nullable Guardrails guardrails) {
    OperatorBody body() {
      return new OperatorBody(
          name,
          displayName,
          description,
          workspaceId,
          triggers,
          capabilities,
          entityTemplate,
          model,
          instructions,
          guardrails,
          planTtlSeconds,
          keepResults);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        operators.update(call.caller(), input.operatorId(), input.body(), call.mintedId()),
        operator ->
            views.changed(operator, input.guardrails() == null ? null : warnings.of(operator)));
  }
}
