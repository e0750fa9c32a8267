package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.time.Duration;

/** What is to be proposed for, once more: the bus sends the first time. Thread-safe. */
public final class SqsProposalQueue {
  private final SqsQueues queues;

  public SqsProposalQueue(SqsQueues queues) {
    this.queues = queues;
  }

  /** Sends a message of the queue again after a pause, of a quarter of an hour at most. */
  public void sendAgain(JsonNode message, Duration pause) {
    queues.send(
        Queue.PROPOSALS,
        request -> request.messageBody(Json.write(message)).delaySeconds((int) pause.toSeconds()));
  }
}
