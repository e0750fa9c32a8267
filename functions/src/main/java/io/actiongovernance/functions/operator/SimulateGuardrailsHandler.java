package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Simulation;
import io.actiongovernance.proposer.Unbound;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/simulate}: writes nothing. */
public final class SimulateGuardrailsHandler implements FieldsHandler {
  private static final int LONGEST_ID = 100;

  private final Simulation simulation;

  public SimulateGuardrailsHandler(Simulation simulation) {
    this.simulation = simulation;
  }

  record View(
      String object,
      @Nullable Long guardrailsVersion,
      List<Verdict> verdicts,
      List<Unbound> unbound) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Simulation.Subject subject = subject(body);
    ProposerKind by = body.choiceOrNull("proposer", ProposerKind::parse, "script or agent");
    Guardrails guardrails = body.has("guardrails") ? Guardrails.read(body, "guardrails") : null;
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return switch (simulation.simulate(
        call.caller(), id, subject, by == null ? ProposerKind.SCRIPT : by, guardrails)) {
      case Done(Simulation.Simulated(var version, var verdicts, var unbound)) ->
          Reply.ok(new View("simulation", version, verdicts, unbound));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }

  /** {@code actions}, or {@code action_ids} in their place. */
  private static Simulation.Subject subject(Fields body) {
    List<String> ids =
        body.textsOrNull("action_ids", 1, Simulation.Subject.Planned.MOST, LONGEST_ID);
    if (ids == null) {
      return new Simulation.Subject.Described(ProposedAction.readAll(body, "actions"));
    }
    if (body.has("actions")) {
      throw Problem.invalid("action_ids", "action_ids are given in place of actions.");
    }
    List<ActionId> parsed = new ArrayList<>();
    for (int at = 0; at < ids.size(); at++) {
      String param = "action_ids[" + at + "]";
      parsed.add(
          ActionId.parse(ids.get(at))
              .orElseThrow(
                  () -> Problem.invalid(param, param + " is not an identifier of its kind.")));
    }
    return new Simulation.Subject.Planned(parsed);
  }
}
