package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.plan.ProposedActionForm;
import io.actiongovernance.functions.plan.VerdictView;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Simulation;
import io.actiongovernance.proposer.Unbound;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/simulate}: writes nothing. */
@Operation(
    summary = "Ask what guardrails would say",
    description = "Writes nothing.",
    tag = Tag.OPERATORS,
    answer = SimulateGuardrailsHandler.SimulationView.class,
    errors = ErrorCode.MISSING_PARAMETER)
public final class SimulateGuardrailsHandler
    implements RouteHandler<SimulateGuardrailsHandler.Input> {
  private final Simulation simulation;

  public SimulateGuardrailsHandler(Simulation simulation) {
    this.simulation = simulation;
  }

  /** What guardrails would say. */
  @Doc("What guardrails would say; nothing was written.")
  record SimulationView(
      @Field(doc = "Always `simulation`.", constant = "simulation") String object,
      @Field(doc = "Null for guardrails of the request.", example = "2")
          @Nullable Long guardrailsVersion,
      @Field(
              doc = "One for each action of the request, in its order.",
              example =
                  "[{\"decision\":\"ALLOW\",\"tier\":2,\"rule\":\"small\",\"reason\":null,\"limit\":null}]")
          List<VerdictView> verdicts,
      @Field(doc = OperatorTexts.UNBOUND, as = UnboundView.class, example = UnboundView.SAMPLE)
          List<Unbound> unbound,
      @Field(doc = OperatorTexts.MATCHES_NO_TOOL, example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
          List<String> matchesNoTool) {
    static SimulationView of(Simulation.Simulated simulated) {
      return new SimulationView(
          "simulation",
          simulated.guardrailsVersion(),
          simulated.verdicts().stream().map(VerdictView::of).toList(),
          simulated.warnings().unbound(),
          simulated.warnings().matchesNoTool());
    }
  }

  /** Either {@code actions} or {@code action_ids}, and what to judge them by. */
  @Whole(bodyRequired = true)
  record Input(
      OperatorId operatorId,
      @Field(
              doc =
                  "What could be proposed, each answered with a verdict. Either these or"
                      + " `action_ids` are given.",
              min = 1,
              example =
                  "[{\"connector\":\"cn_01m7yt2y5r3hwtgj4hkx4w0t6m\",\"tool\":\"sandbox.payment.refund\",\"args\":{\"order\":\"1\",\"amount\":\"5\"},\"value\":\"5\",\"entity_key\":\"order:1\"}]")
          @Nullable List<ProposedActionForm> actions,
      @Field(
              doc =
                  "Actions of this operator that were proposed before, in the place of `actions`:"
                      + " what would be said of them now.",
              published = "^" + ActionId.PREFIX + "[0-9a-hjkmnp-tv-z]{26}$",
              min = 1,
              max = Simulation.Subject.Planned.MOST)
          @Nullable List<ActionId> actionIds,
      @Field(
              doc =
                  "Whose word value, currency and entity are where the tool does not bind them: a"
                      + " `script`'s, which counts, or an outside `agent`'s, which satisfies no"
                      + " condition or limit.",
              otherwise = "\"script\"")
          ProposerKind proposer,
      @Field(
              doc = "What to judge by, in the place of the operator's own.",
              as = GuardrailForm[].class)
          @Nullable Guardrails guardrails) {
    Input {
      // Refuses what names no actions, and what names them twice.
      subject(actions, actionIds);
    }

    Simulation.Subject subject() {
      return subject(actions, actionIds);
    }

    private static Simulation.Subject subject(
        @Nullable List<ProposedActionForm> actions, @Nullable List<ActionId> actionIds) {
      if (actions != null && actionIds != null) {
        throw Problem.invalid("action_ids", "action_ids are given in place of actions.");
      }
      if (actionIds != null) {
        return new Simulation.Subject.Planned(actionIds);
      }
      if (actions == null) {
        throw Problem.missing("actions");
      }
      return new Simulation.Subject.Described(
          actions.stream().map(ProposedActionForm::proposed).toList());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        simulation.simulate(
            call.caller(),
            input.operatorId(),
            input.subject(),
            input.proposer(),
            input.guardrails()),
        SimulationView::of);
  }
}
