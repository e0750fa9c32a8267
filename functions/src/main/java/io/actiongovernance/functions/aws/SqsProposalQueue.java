package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.List;

/** What is to be proposed for. Tenant and mode are the group of each message. Thread-safe. */
public final class SqsProposalQueue {
  private final SqsQueues queues;

  public SqsProposalQueue(SqsQueues queues) {
    this.queues = queues;
  }

  /** Sends up to ten messages, and returns the positions of those that were not taken. */
  public List<Integer> sendAll(List<SqsQueues.Fair> messages) {
    return queues.sendAll(Queue.PROPOSALS, messages);
  }

  /** Sends a message of the queue again after a pause, of a quarter of an hour at most. */
  public void sendAgain(JsonNode message, Duration pause) {
    queues.send(
        Queue.PROPOSALS,
        request ->
            request
                .messageBody(Json.write(message))
                .messageGroupId(message.path("partition").textValue())
                .delaySeconds((int) pause.toSeconds()));
  }
}
