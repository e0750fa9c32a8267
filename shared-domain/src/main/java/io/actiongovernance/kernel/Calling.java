package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Verdict;
import java.time.Duration;
import java.time.Instant;

/**
 * An action that may be called, with the evaluation that permits it and the tool that it is called
 * by.
 *
 * @param answerKept whether what the call comes back with is to be kept
 * @param until when the invocation that executes it ends at the latest
 */
record Calling(
    Execution execution,
    ExecutionEvaluation evaluation,
    Connector connector,
    Tool tool,
    boolean answerKept,
    Instant until) {
  Action action() {
    return execution.action();
  }

  /** The same for this execution of the same action. */
  Calling in(Execution other) {
    return new Calling(other, evaluation, connector, tool, answerKept, until);
  }

  Verdict verdict() {
    return evaluation.verdict();
  }

  /** When its call ends at the latest, so that there is time for the disposal. */
  Instant lastEnd() {
    return until.minus(KernelTimes.DISPOSAL);
  }

  /** When its first request may begin at the latest. */
  Instant lastStart() {
    return lastEnd().minus(KernelTimes.FIRST_TRY);
  }

  /** As the limits count it: what a person approved is no assertion any more. */
  Candidate counted() {
    Candidate candidate = action().terms().candidate();
    return execution.mandate().approved() ? candidate.approved() : candidate;
  }

  /** What holds for calls of its tool. */
  Intents.CallTerms terms() {
    return new Intents.CallTerms(
        tool.retrySafe() ? Duration.ofSeconds(tool.retrySafeSeconds()) : null,
        tool.hasSideEffects() ? connector.settle() : Duration.ZERO);
  }

  Ending ending(Ending ending) {
    return ending.of(action(), connector, tool);
  }
}
