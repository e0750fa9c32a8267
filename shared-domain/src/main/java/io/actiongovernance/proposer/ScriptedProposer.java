package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Template;
import io.actiongovernance.operator.Script;
import io.actiongovernance.outcome.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Proposes the first plan of the operator's script that is for the event, with its placeholders
 * filled in (contract, section 4). Uses no model. The same context always gets the same proposal.
 * Stateless and thread-safe.
 */
public final class ScriptedProposer implements Proposer {
  @Override
  public Answer propose(ProposalContext context) {
    return Answer.unasked(scripted(context));
  }

  private static Proposal scripted(ProposalContext context) {
    ObjectNode model = context.operator().model();
    if (model == null) {
      return new Proposal.Nothing();
    }
    Script script;
    try {
      script = Script.read(new Fields(model, "model", false));
    } catch (Problem e) {
      return new Proposal.Unusable("The script cannot be read: " + e.getMessage());
    }
    return script
        .planFor(context.event())
        .map(plan -> proposed(plan, new EventValues(context.event())))
        .orElseGet(Proposal.Nothing::new);
  }

  private static Proposal proposed(Script.ScriptedPlan plan, Function<String, JsonNode> values) {
    String at = "reasoning";
    try {
      String reasoning = text(plan.reasoning(), values);
      List<ProposedAction> actions = new ArrayList<>();
      for (Script.ScriptedAction action : plan.actions()) {
        at = "actions[" + actions.size() + "]";
        actions.add(action(action, values));
      }
      return new Proposal.Proposed(reasoning, actions);
    } catch (Template.Unresolved | Problem e) {
      return new Proposal.Unusable(at + ": " + e.getMessage());
    }
  }

  private static ProposedAction action(
      Script.ScriptedAction action, Function<String, JsonNode> values) throws Template.Unresolved {
    ObjectNode args = action.args();
    JsonNode value = action.value();
    return new ProposedAction(
        text(action.connector(), values),
        text(action.tool(), values),
        args == null ? null : Template.fill(args, values),
        value == null ? null : Template.fill(value, values),
        text(action.currency(), values),
        text(action.entityKey(), values),
        text(action.idempotencyKey(), values));
  }

  private static @Nullable String text(@Nullable String template, Function<String, JsonNode> values)
      throws Template.Unresolved {
    return template == null ? null : Template.text(template, values, UnaryOperator.identity());
  }
}
