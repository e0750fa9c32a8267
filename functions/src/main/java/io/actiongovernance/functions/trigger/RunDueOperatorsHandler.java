package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.proposer.RunDueOperators;

/**
 * Handles messages of {@code Queue.SCHEDULE_RUNS}: asks operators with a due schedule to propose,
 * shard by shard.
 */
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
