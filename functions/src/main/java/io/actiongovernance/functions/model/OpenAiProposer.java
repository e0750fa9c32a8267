package io.actiongovernance.functions.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.connector.AccessTokens.Access;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.functions.egress.Authentication;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Model;
import io.actiongovernance.proposer.ModelBudget;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalContext;
import io.actiongovernance.proposer.Proposer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks a model over an endpoint in the style of OpenAI's chat completions, behind the egress guard.
 * If the operator names a connector to the same place, the connector's credentials are used.
 * Thread-safe.
 */
final class OpenAiProposer {
  /** The longest time to renew a connector's access token. */
  private static final Duration LONGEST_RENEWAL = Duration.ofSeconds(8);

  private final ModelCall call;
  private final AccessTokens tokens;

  OpenAiProposer(ModelCall call, AccessTokens tokens) {
    this.call = call;
    this.tokens = tokens;
  }

  Proposer.Answer propose(
      ProposalContext context,
      Prompt prompt,
      Model.OpenAiCompatible model,
      ModelBudget.Calls calls) {
    Optional<String> problem = model.lenderProblem(context.connectors());
    if (problem.isPresent()) {
      return unasked("model.connector " + problem.get() + ".");
    }
    Access access =
        model
            .lender(context.connectors())
            .map(lender -> tokens.of(lender, LONGEST_RENEWAL))
            .orElseGet(() -> new Access.Granted(new Credentials.None()));
    return switch (access) {
      case Access.Granted(Credentials credentials) -> ask(prompt, model, credentials, calls);
      case Access.Denied(String why) -> unasked(withoutAccess(why));
      case Access.Unopened(String why) -> unasked(withoutAccess(why));
      case Access.Rejected(String why) -> unasked(withoutAccess(why));
      case Access.Unavailable(String why, _) -> unasked(withoutAccess(why));
    };
  }

  private static String withoutAccess(String why) {
    return "The model's connector lends no credentials: " + why + ".";
  }

  private Proposer.Answer ask(
      Prompt prompt,
      Model.OpenAiCompatible model,
      Credentials credentials,
      ModelBudget.Calls calls) {
    ObjectNode body = body(prompt, model.model());
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Accept", "application/json");
    headers.putAll(Authentication.headers(credentials));
    URI url = Authentication.url(url(model.baseUrl()), credentials);
    Outbound outbound = new Outbound("POST", url, headers, Json.write(body));
    return call.ask(
        new ModelCall.Question(
            Model.OPENAI_COMPATIBLE,
            model.model(),
            body,
            () -> outbound,
            new Redaction(credentials),
            OpenAiProposer::read,
            calls));
  }

  private static Proposer.Answer unasked(String why) {
    return Proposer.Answer.unasked(new Proposal.Unusable(why));
  }

  private static URI url(URI baseUrl) {
    return URI.create(baseUrl.toString().replaceAll("/+$", "") + "/chat/completions");
  }

  private static ObjectNode body(Prompt prompt, String model) {
    ObjectNode body = Json.object().put("model", model);
    body.putArray("messages")
        .add(Json.object().put("role", "system").put("content", prompt.system()))
        .add(Json.object().put("role", "user").put("content", prompt.user()));
    ObjectNode function =
        body.putArray("tools").addObject().put("type", "function").putObject("function");
    function
        .put("name", Prompt.TOOL)
        .put("description", Prompt.TOOL_DESCRIPTION)
        .set("parameters", prompt.schema());
    body.putObject("tool_choice")
        .put("type", "function")
        .putObject("function")
        .put("name", Prompt.TOOL);
    return body;
  }

  private static Proposal read(JsonNode response) {
    JsonNode choice = response.path("choices").path(0);
    JsonNode message = choice.path("message");
    if (!message.isObject()) {
      return new Proposal.Unusable("The model's answer is not a chat completion.");
    }
    String reason = choice.path("finish_reason").asText();
    if (reason.equals("length")) {
      return Unfit.cutShort();
    }
    if (reason.equals("content_filter")) {
      return Unfit.refused("its provider's filter stepped in");
    }
    String refusal = message.path("refusal").asText();
    // Some gateways send an empty or null refusal along with each call.
    if (message.path("refusal").isTextual() && !refusal.isBlank()) {
      return Unfit.refused(refusal);
    }
    JsonNode calls = message.path("tool_calls");
    if (calls.isEmpty()) {
      return Unfit.talked(message.path("content").asText());
    }
    JsonNode function = calls.path(0).path("function");
    if (calls.size() > 1 || !function.path("name").asText().equals(Prompt.TOOL)) {
      return Unfit.otherCalls();
    }
    JsonNode arguments = function.path("arguments");
    return arguments.isTextual()
        ? ProposedCall.parse(arguments.textValue())
        : ProposedCall.read(arguments);
  }
}
