package io.actiongovernance.functions.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Model;
import io.actiongovernance.proposer.ModelBudget;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.Proposer;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Asks an Amazon Bedrock model over Converse, with one tool that the model must call. Thread-safe.
 */
final class BedrockProposer {
  /** The most tokens of an answer. Every model with tools supports this number. */
  private static final int MOST_TOKENS = 4096;

  private final ModelCall call;
  private final BedrockRequests requests;

  BedrockProposer(ModelCall call, BedrockRequests requests) {
    this.call = call;
    this.requests = requests;
  }

  Proposer.Answer propose(Prompt prompt, Model.Bedrock model, ModelBudget.Calls calls) {
    ObjectNode body = body(prompt);
    String text = Json.write(body);
    try {
      return call.ask(
          new ModelCall.Question(
              Model.BEDROCK,
              model.modelId(),
              body,
              () -> requests.converse(model.modelId(), text),
              new Redaction(new Credentials.None()),
              BedrockProposer::read,
              calls));
    } catch (SdkClientException e) {
      return Proposer.Answer.unasked(
          new Proposal.Unusable("Bedrock cannot be called: no region or no credentials are set."));
    }
  }

  private static ObjectNode body(Prompt prompt) {
    ObjectNode body = Json.object();
    body.putArray("system").addObject().put("text", prompt.system());
    body.putArray("messages")
        .addObject()
        .put("role", "user")
        .putArray("content")
        .addObject()
        .put("text", prompt.user());
    body.putObject("inferenceConfig").put("maxTokens", MOST_TOKENS);
    ObjectNode tools = body.putObject("toolConfig");
    ObjectNode tool = tools.putArray("tools").addObject().putObject("toolSpec");
    tool.put("name", Prompt.TOOL)
        .put("description", Prompt.TOOL_DESCRIPTION)
        .putObject("inputSchema")
        .set("json", prompt.schema());
    tools.putObject("toolChoice").putObject("tool").put("name", Prompt.TOOL);
    return body;
  }

  private static Proposal read(JsonNode response) {
    JsonNode content = response.at("/output/message/content");
    if (!content.isArray()) {
      return new Proposal.Unusable("The model's answer is not a response of Converse.");
    }
    String reason = response.path("stopReason").asText();
    switch (reason) {
      case "max_tokens", "model_context_window_exceeded" -> {
        return Unfit.cutShort();
      }
      case "guardrail_intervened", "content_filtered" -> {
        return Unfit.refused("its provider's filter stepped in");
      }
      default -> {}
    }
    List<JsonNode> calls = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (JsonNode block : content) {
      if (block.has("toolUse")) {
        calls.add(block.path("toolUse"));
      }
      text.append(block.path("text").asText());
    }
    if (calls.isEmpty()) {
      return Unfit.talked(text.toString());
    }
    if (calls.size() > 1 || !calls.getFirst().path("name").asText().equals(Prompt.TOOL)) {
      return Unfit.otherCalls();
    }
    return ProposedCall.read(calls.getFirst().path("input"));
  }
}
