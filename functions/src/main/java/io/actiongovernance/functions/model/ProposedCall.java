package io.actiongovernance.functions.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposedAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the arguments of a model's call of {@link Prompt#TOOL}. It guesses nothing: arguments that
 * lack the requested form are unusable. Stateless.
 */
final class ProposedCall {
  /** The longest reasoning, in characters. */
  private static final int LONGEST_REASONING = 100_000;

  private ProposedCall() {}

  /** Reads arguments that arrive as JSON text. */
  static Proposal parse(String arguments) {
    try {
      return read(Json.parse(arguments.getBytes(StandardCharsets.UTF_8)));
    } catch (Json.InvalidJson e) {
      return new Proposal.Unusable(
          "The model called " + Prompt.TOOL + " with arguments that are not JSON.");
    } catch (Json.NumberOutOfRange e) {
      return new Proposal.Unusable(
          "The model called " + Prompt.TOOL + " with a number out of range: " + e.getMessage());
    }
  }

  static Proposal read(JsonNode arguments) {
    if (!(arguments instanceof ObjectNode object) || !object.path("actions").isArray()) {
      return new Proposal.Unusable(
          "The model called " + Prompt.TOOL + " without a list of actions.");
    }
    Fields fields = new Fields(object, "", true).knows("actions");
    try {
      String reasoning = fields.textOrNull("reasoning", 0, LONGEST_REASONING);
      List<ProposedAction> actions =
          object.path("actions").isEmpty() ? List.of() : ProposedAction.readAll(fields, "actions");
      fields.done();
      return actions.isEmpty() ? new Proposal.Nothing() : new Proposal.Proposed(reasoning, actions);
    } catch (Problem e) {
      return new Proposal.Unusable(
          "The model called "
              + Prompt.TOOL
              + " with arguments that are not a proposal: "
              + e.getMessage());
    }
  }
}
