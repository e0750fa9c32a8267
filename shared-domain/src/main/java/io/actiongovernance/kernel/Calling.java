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
 * Action that may be called, with its tool and the evaluation that permits the call.
 *
 * @param answerKept whether the call's answer will be kept
 * @param until latest end of the invocation that executes the action
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

  /** Returns this call for another execution of the same action. */
  Calling in(Execution other) {
    return new Calling(other, evaluation, connector, tool, answerKept, until);
  }

  Verdict verdict() {
    return evaluation.verdict();
  }

  /** Returns the latest end of the call that still leaves time for the disposal. */
  Instant lastEnd() {
    return until.minus(KernelTimes.DISPOSAL);
  }

  /** Returns the latest start of the call's first request. */
  Instant lastStart() {
    return lastEnd().minus(KernelTimes.FIRST_TRY);
  }

  /** Returns the action as limits count it. Approved assertions count as facts. */
  Candidate counted() {
    Candidate candidate = action().terms().candidate(evaluation.at());
    return execution.mandate().approved() ? candidate.approved() : candidate;
  }

  Intents.CallTerms terms() {
    return new Intents.CallTerms(
        tool.retrySafe() ? Duration.ofSeconds(tool.retrySafeSeconds()) : null,
        tool.hasSideEffects() ? connector.settle() : Duration.ZERO);
  }

  Ending ending(Ending ending) {
    return ending.of(action(), connector, tool);
  }
}
