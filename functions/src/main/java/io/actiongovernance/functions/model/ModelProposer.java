package io.actiongovernance.functions.model;

import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.Model;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.proposer.ModelBudget;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalContext;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.proposer.ScriptedProposer;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Proposes with the model that the operator names (contract, section 4). Thread-safe. */
public final class ModelProposer implements Proposer {
  private final ScriptedProposer scripted = new ScriptedProposer();
  private final BedrockProposer bedrock;
  private final OpenAiProposer openAi;
  private final ModelBudget budget;
  private final Metrics metrics;

  ModelProposer(
      BedrockProposer bedrock, OpenAiProposer openAi, ModelBudget budget, Metrics metrics) {
    this.bedrock = bedrock;
    this.openAi = openAi;
    this.budget = budget;
    this.metrics = metrics;
  }

  /** Uses the guarded client, and Bedrock as the process's environment configures it. */
  public static ModelProposer of(
      OutboundClient client,
      AccessTokens tokens,
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random,
      ModelBudget budget,
      Metrics metrics) {
    ModelCall call = new ModelCall(client, clock, sleeper, random, ModelCall.LONGEST);
    return new ModelProposer(
        new BedrockProposer(call, BedrockRequests.ofEnvironment(clock)),
        new OpenAiProposer(call, tokens),
        budget,
        metrics);
  }

  @Override
  public Answer propose(ProposalContext context) {
    if (context.operator().model() == null) {
      return Answer.unasked(new Proposal.Nothing());
    }
    Model model;
    try {
      model = Model.read(new Fields(context.operator().model(), "model", false));
    } catch (Problem e) {
      return unusable("The operator's model cannot be read: " + e.getMessage());
    }
    ModelBudget.Calls calls = budget.of(context.operator());
    return switch (model) {
      case Model.Scripted _ -> scripted.propose(context);
      case Model.Bedrock asked ->
          prompted(context, prompt -> bedrock.propose(prompt, asked, calls));
      case Model.OpenAiCompatible asked ->
          prompted(context, prompt -> openAi.propose(context, prompt, asked, calls));
    };
  }

  private Answer prompted(
      ProposalContext context, java.util.function.Function<Prompt, Answer> asking) {
    Optional<Prompt> prompt = Prompt.of(context);
    if (prompt.isEmpty()) {
      return unusable("The model was not called: there is no tool that the operator may use.");
    }
    Answer answer = asking.apply(prompt.get());
    if (answer.proposal() instanceof Proposal.PutOff) {
      metrics.count(Metrics.Metric.MODEL_CALLS_PUT_OFF, 1);
    }
    return answer;
  }

  private static Answer unusable(String why) {
    return Answer.unasked(new Proposal.Unusable(why));
  }
}
