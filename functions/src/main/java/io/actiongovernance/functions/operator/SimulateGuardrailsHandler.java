package io.actiongovernance.functions.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Simulation;
import io.actiongovernance.proposer.Unbound;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/simulate}: writes nothing. */
@Operation(
    summary = "Simulate guardrails",
    description = "Writes nothing.",
    tag = Tag.OPERATORS,
    answer = SimulateGuardrailsHandler.SimulationView.class,
    errors = ErrorCode.MISSING_PARAMETER)
public final class SimulateGuardrailsHandler
    implements RouteHandler<SimulateGuardrailsHandler.Input> {
  /** Most bytes of explanations: with the verdicts, an answer fits in Lambda's 6 MB. */
  private static final int LONGEST_EXPLANATIONS = 4_000_000;

  private final Simulation simulation;

  public SimulateGuardrailsHandler(Simulation simulation) {
    this.simulation = simulation;
  }

  @Doc("The verdicts that guardrails would give; nothing was written.")
  record SimulationView(
      @Field(doc = "Always `simulation`.", constant = "simulation") String object,
      @Field(
              doc = "Version of the guardrails that judged; null for guardrails of the request.",
              example = "2")
          @Nullable Long guardrailsVersion,
      @Field(
              doc = "The verdicts, one for each action of the request, in its order.",
              example =
                  "[{\"decision\":\"ALLOW\",\"tier\":2,\"rule\":\"small\",\"reason\":null,\"limit\":null}]")
          List<VerdictView> verdicts,
      @Field(doc = OperatorTexts.UNBOUND, as = UnboundView.class, example = UnboundView.SAMPLE)
          List<Unbound> unbound,
      @Field(doc = OperatorTexts.MATCHES_NO_TOOL, example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
          List<String> matchesNoTool,
      @Field(
              doc =
                  "Explanations of the verdicts, in their order; left out unless `explain` is true.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable List<ExplainedVerdictView> explanations) {
    static SimulationView of(Simulation.Simulated simulated) {
      return new SimulationView(
          "simulation",
          simulated.guardrailsVersion(),
          simulated.verdicts().stream().map(VerdictView::of).toList(),
          simulated.warnings().unbound(),
          simulated.warnings().matchesNoTool(),
          null);
    }

    private static SimulationView explained(Simulation.Simulated simulated) {
      SimulationView view = of(simulated);
      List<ExplainedVerdictView> explanations =
          simulated.explanations().stream().map(ExplainedVerdictView::of).toList();
      if (Json.write(explanations).getBytes(UTF_8).length > LONGEST_EXPLANATIONS) {
        throw Problem.invalid(
            "explain", "The explanations would have more than 4 MB. Send fewer actions.");
      }
      return new SimulationView(
          view.object,
          view.guardrailsVersion,
          view.verdicts,
          view.unbound,
          view.matchesNoTool,
          explanations);
    }
  }

  /**
   * Contains either {@code actions} or {@code action_ids}, and optionally the guardrails to apply.
   */
  @Whole(bodyRequired = true)
  record Input(
      OperatorId operatorId,
      @Field(
              doc =
                  "Actions that could be proposed; each is answered with a verdict. Give either"
                      + " these or `action_ids`.",
              min = 1,
              example =
                  "[{\"connector\":\"cn_01m7yt2y5r3hwtgj4hkx4w0t6m\",\"tool\":\"sandbox.payment.refund\",\"args\":{\"order\":\"1\",\"amount\":\"5\"},\"value\":\"5\",\"entity_key\":\"order:1\"}]")
          @Nullable List<ProposedActionForm> actions,
      @Field(
              doc =
                  "Actions that were proposed for this operator before, in place of `actions`;"
                      + " they are judged as of now.",
              published = "^" + ActionId.PREFIX + "[0-9a-hjkmnp-tv-z]{26}$",
              min = 1,
              max = Simulation.Subject.Planned.MOST)
          @Nullable List<ActionId> actionIds,
      @Field(
              doc =
                  "Proposer that states value, currency and entity if the tool does not bind"
                      + " them. The word of a `script` counts; that of an outside `agent` satisfies no"
                      + " condition or limit.",
              otherwise = "\"script\"")
          ProposerKind proposer,
      @Field(
              doc = "Guardrails to judge by, in place of the operator's own.",
              as = GuardrailForm[].class)
          @Nullable Guardrails guardrails,
      @Field(
              doc = "Time at which the actions would be proposed; null for now.",
              example = "2026-12-24T09:00:00Z")
          @Nullable Instant at,
      @Field(doc = "True to answer with `explanations` too.", otherwise = "false")
          boolean explain) {
    Input {
      // Refuses an input that names no actions, or names them in both ways.
      subject(actions, actionIds);
    }

    Simulation.Asked asked() {
      return new Simulation.Asked(subject(actions, actionIds), proposer, guardrails, at, explain);
    }

    private static Simulation.Subject subject(
        @Nullable List<ProposedActionForm> actions, @Nullable List<ActionId> actionIds) {
      if (actions != null && actionIds != null) {
        throw Problem.invalid("action_ids", "Send actions or action_ids, not both.");
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
        simulation.simulate(call.caller(), input.operatorId(), input.asked()),
        input.explain() ? SimulationView::explained : SimulationView::of);
  }
}
