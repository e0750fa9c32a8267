package io.actiongovernance.functions.operator;

import io.actiongovernance.api.ApiError;
import io.actiongovernance.api.Fields;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Simulation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/simulate}: writes nothing. */
public final class SimulateGuardrailsHandler implements RouteHandler {
  private final Simulation simulation;

  public SimulateGuardrailsHandler(Simulation simulation) {
    this.simulation = simulation;
  }

  record View(String object, @Nullable Long guardrailsVersion, List<Verdict> verdicts) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    List<ProposedAction> actions = ProposedAction.readAll(body, "actions");
    Guardrails guardrails = body.has("guardrails") ? Guardrails.read(body, "guardrails") : null;
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return switch (simulation.simulate(
        call.caller(), id, actions, guardrails, ProposerKind.SCRIPT)) {
      case Simulation.Outcome.Simulated(var version, var verdicts) ->
          Reply.ok(new View("simulation", version, verdicts));
      case Simulation.Outcome.NotFound _ -> OperatorReplies.notFound();
      case Simulation.Outcome.Rejected(ApiError error) -> Reply.error(error);
    };
  }
}
