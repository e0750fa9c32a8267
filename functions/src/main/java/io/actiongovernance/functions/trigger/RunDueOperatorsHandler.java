package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.proposer.RunDueOperators;

/** Asks operators with a due schedule to propose, by shard: queue {@code Queue.SCHEDULE_RUNS}. */
public final class RunDueOperatorsHandler extends MessageHandler {
  private final RunDueOperators runDueOperators;

  RunDueOperatorsHandler(RunDueOperators runDueOperators) {
    this.runDueOperators = runDueOperators;
  }

  @Override
  protected Handled handle(JsonNode message) {
    runDueOperators.run(SqsSweeps.shard(message));
    return Handled.DONE;
  }
}
