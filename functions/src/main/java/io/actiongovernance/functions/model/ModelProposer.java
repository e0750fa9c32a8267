package io.actiongovernance.functions.model;

import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.Model;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalContext;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.proposer.ScriptedProposer;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Has whoever the operator's model names propose (contract, section 4). Thread-safe. */
public final class ModelProposer implements Proposer {
  private final ScriptedProposer scripted = new ScriptedProposer();
  private final BedrockProposer bedrock;
  private final OpenAiProposer openAi;

  ModelProposer(BedrockProposer bedrock, OpenAiProposer openAi) {
    this.bedrock = bedrock;
    this.openAi = openAi;
  }

  /** Over the guarded client, and Bedrock as the process's environment finds it. */
  public static ModelProposer of(
      OutboundClient client,
      AccessTokens tokens,
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random) {
    ModelCall call = new ModelCall(client, clock, sleeper, random, ModelCall.LONGEST);
    return new ModelProposer(
        new BedrockProposer(call, BedrockRequests.ofEnvironment(clock)),
        new OpenAiProposer(call, tokens));
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
    return switch (model) {
      case Model.Scripted _ -> scripted.propose(context);
      case Model.Bedrock asked -> prompted(context, prompt -> bedrock.propose(prompt, asked));
      case Model.OpenAiCompatible asked ->
          prompted(context, prompt -> openAi.propose(context, prompt, asked));
    };
  }

  private static Answer prompted(
      ProposalContext context, java.util.function.Function<Prompt, Answer> asking) {
    Optional<Prompt> prompt = Prompt.of(context);
    return prompt.isPresent()
        ? asking.apply(prompt.get())
        : unusable("The model was not asked: there is no tool that the operator may use.");
  }

  private static Answer unusable(String why) {
    return Answer.unasked(new Proposal.Unusable(why));
  }
}
