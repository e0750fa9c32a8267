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
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.SentModel;
import io.actiongovernance.operator.Triggers;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.GuardrailWarnings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators}. */
@Operation(
    summary = "Create an operator",
    tag = Tag.OPERATORS,
    status = 201,
    answer = OperatorView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CAPABILITY_UNBOUND, ErrorCode.QUOTA_EXCEEDED})
public final class CreateOperatorHandler implements RouteHandler<CreateOperatorHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;
  private final GuardrailWarnings warnings;

  public CreateOperatorHandler(
      Operators operators, OperatorViews views, GuardrailWarnings warnings) {
    this.operators = operators;
    this.views = views;
    this.warnings = warnings;
  }

  @Whole(doc = "A new operator.")
  record Input(
      @Field(doc = OperatorTexts.NAME, text = Field.Text.SLUG, example = "refund-desk") String name,
      @Field(
              doc = "Display name for people, if other than the slug.",
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_DISPLAY_NAME)
          @Nullable String displayName,
      @Field(
              doc = "Purpose of the operator, in your own words.",
              max = OperatorBody.LONGEST_DESCRIPTION)
          @Nullable String description,
      @Field(
              doc =
                  "The workspace that the operator belongs to. If left out, the key's own"
                      + " workspace, or the tenant as a whole if the key has none.",
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_WORKSPACE)
          @Nullable String workspaceId,
      @Field(
              doc = "Events and schedule that the operator proposes for.",
              as = TriggersForm.class,
              example = "{\"event_types\":[\"order.*\"]}")
          @Nullable Triggers triggers,
      @Field(
              doc = OperatorTexts.CAPABILITIES,
              max = OperatorBody.MOST_CAPABILITIES,
              eachMax = OperatorBody.LONGEST_CAPABILITY)
          @Nullable List<String> capabilities,
      @Field(
              doc = OperatorTexts.NEW_ENTITY_TEMPLATE,
              text = Field.Text.LINE,
              min = 1,
              max = OperatorBody.LONGEST_TEMPLATE)
          @Nullable String entityTemplate,
      @Field(doc = ModelForm.DOC, as = ModelForm.class) @Nullable SentModel model,
      @Field(doc = OperatorTexts.NEW_INSTRUCTIONS, max = OperatorBody.LONGEST_INSTRUCTIONS)
          @Nullable String instructions,
      @Field(
              doc = OperatorTexts.PLAN_TTL,
              min = Operator.MIN_PLAN_TTL,
              max = Operator.MAX_PLAN_TTL,
              otherwise = "" + Operator.DEFAULT_PLAN_TTL)
          long planTtlSeconds,
      @Field(doc = OperatorTexts.KEEP_RESULTS, otherwise = "false") boolean keepResults,
      @Field(
              doc =
                  "`active` (default) or `draft`. Until it is published, a draft proposes nothing"
                      + " and need not have its capabilities fulfilled.",
              choices = {"active", "draft"},
              otherwise = "\"active\"")
          OperatorStatus status,
      @Field(
              doc =
                  OperatorTexts.GUARDRAILS
                      + " If left out, there are none, and all side effects are blocked.",
              as = GuardrailForm[].class,
              max = Guardrails.MAX_GUARDRAILS,
              example =
                  "[{\"name\":\"refund-needs-human\",\"decision\":\"ALERT\",\"tool\":\"sandbox.payment.refund\"}]")
          @Nullable Guardrails guardrails) {
    OperatorBody body() {
      return new OperatorBody(
          name,
          Given.of(displayName),
          Given.of(description),
          workspaceId == null ? Given.absent() : Given.of(workspaceId),
          Given.of(triggers),
          capabilities,
          Given.of(entityTemplate),
          Given.of(model),
          Given.of(instructions),
          guardrails,
          Given.of(planTtlSeconds),
          Given.of(keepResults));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    OperatorId id = new OperatorId(OperatorId.PREFIX + call.mintedId());
    return switch (operators.create(call.caller(), id, input.body(), input.status())) {
      case Done(Operator operator) ->
          Reply.created(
              views.changed(operator, input.guardrails() == null ? null : warnings.of(operator)));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
