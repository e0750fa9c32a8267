package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.operator.Model;
import io.actiongovernance.operator.Script;
import io.actiongovernance.policy.Glob;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The proposer of an operator, in requests, by its provider; {@link Model} reads it. */
sealed interface ModelForm {
  /** Description of a model in requests and answers. */
  String DOC =
      "Source of the operator's proposals, by provider; null if only outside agents" + " propose.";

  String SAMPLE =
      """
      {"provider":"scripted","plans":[{"event_type":"order.complained","actions":[\
      {"connector":"cn_01m80m2qj85nayp37vs674gsax","tool":"sandbox.payment.refund",\
      "args":{"order":"{{payload.id}}","amount":"{{payload.total}}"},\
      "value":"{{payload.total}}","entity_key":"order:{{payload.id}}"}]}]}""";

  /** The request form of {@link Model.Scripted}. */
  @Doc(
      value =
          "A script in place of a model: plans with placeholders. The first plan that"
              + " fits the event is proposed.",
      asSent = true)
  record ScriptedModelForm(
      @Field(doc = "Always `scripted`.", choices = Model.SCRIPTED) String provider,
      @Field(
              doc = "Plans, in the order in which they are tried. If none fits, there is no plan.",
              max = Script.MOST_PLANS)
          List<ScriptedPlanForm> plans)
      implements ModelForm {}

  /** The request form of {@link Script.ScriptedPlan}. */
  @Doc(
      value =
          "A plan of a script. The service fills in `{{payload.…}}`, `{{event_id}}`,"
              + " `{{event_type}}`, `{{source}}` and `{{correlation_id}}`. A string that is one"
              + " placeholder keeps the JSON type of what it names.",
      asSent = true)
  record ScriptedPlanForm(
      @Field(
              doc = "Event type, exact or a glob; null for a scheduled run.",
              published = Glob.PUBLISHED,
              max = Glob.MAX_LENGTH)
          @Nullable String eventType,
      @Field(
              doc = "Conditions on the payload; none for a scheduled run.",
              max = Script.MOST_CONDITIONS)
          @Nullable List<ArgConditionForm> when,
      @Field(
              doc = "Reasoning of the plan, with its placeholders filled in; null for none.",
              max = Script.LONGEST_REASONING)
          @Nullable String reasoning,
      @Field(
              doc = "Actions to propose, in order; actions on one entity run in this order.",
              min = 1,
              max = Action.MOST_OF_A_PLAN)
          List<ScriptedActionForm> actions) {}

  /** {@link Script.ScriptedAction}. */
  @Doc(value = "An action of a script; all of its fields can have placeholders.", asSent = true)
  record ScriptedActionForm(
      @Field(
              doc = "Identifier of the connector, or a placeholder for it.",
              min = 1,
              max = Script.LONGEST_TEXT)
          String connector,
      @Field(
              doc = "The tool's dotted name, or a placeholder for it.",
              min = 1,
              max = Script.LONGEST_TEXT)
          String tool,
      @Field(
              doc =
                  "Arguments of the tool. With the placeholders filled in, they must fit its"
                      + " `input_schema`.")
          @Nullable ObjectNode args,
      @Field(
              doc =
                  "Value that guardrails and limits measure: a number, a decimal string or a"
                      + " placeholder; null for none.",
              anyOf = {BigDecimal.class, String.class})
          @Nullable JsonNode value,
      @Field(
              doc =
                  "The currency of the value, 1 to 20 characters. If the tool binds it, it must"
                      + " equal what the arguments say, or be left out.")
          @Nullable String currency,
      @Field(
              doc =
                  "The single-flight key: side effects on one entity run one after another. If"
                      + " left out, it comes from the operator's `entity_template`.",
              min = 1,
              max = Script.LONGEST_TEXT)
          @Nullable String entityKey,
      @Field(
              doc =
                  "The action's key for duplicate suppression. If left out, it is derived from"
                      + " operator, event, position and arguments.",
              min = 1,
              max = Script.LONGEST_TEXT)
          @Nullable String idempotencyKey) {}

  /** {@link Model.Bedrock}. */
  @Doc(value = "A model on Amazon Bedrock.", asSent = true)
  record BedrockModelForm(
      @Field(doc = "Always `bedrock`.", choices = Model.BEDROCK) String provider,
      @Field(
              doc = "Identifier or ARN of a model or an inference profile.",
              published = "^" + Model.ID + "$",
              max = Model.LONGEST_ID)
          String modelId)
      implements ModelForm {}

  /** The request form of {@link Model.OpenAiCompatible}. */
  @Doc(
      value = "A model behind an endpoint that is compatible with OpenAI's chat completions.",
      asSent = true)
  record OpenAiCompatibleModelForm(
      @Field(doc = "Always `openai_compatible`.", choices = Model.OPENAI_COMPATIBLE)
          String provider,
      @Field(
              doc = "Base URL, which `/chat/completions` follows.",
              format = "uri",
              max = Model.LONGEST_URL)
          String baseUrl,
      @Field(doc = "The model's name, as the endpoint knows it.", min = 1, max = Model.LONGEST_NAME)
          String model,
      @Field(doc = "A `cn-http` connector of the same origin whose credentials are sent along.")
          @Nullable ConnectorId connector)
      implements ModelForm {}
}
