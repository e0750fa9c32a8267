package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.id.EventId;
import io.actiongovernance.json.Json;
import io.actiongovernance.proposer.ProposalQueue;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.util.List;

/**
 * The queue of events and requests from which operators make proposals. A message's group is its
 * tenant and mode. Thread-safe.
 */
public final class SqsProposalQueue implements ProposalQueue {
  private static final int CHUNK = 10;

  private final SqsQueues queues;

  public SqsProposalQueue(SqsQueues queues) {
    this.queues = queues;
  }

  /** Sends up to ten messages; returns the positions of those that SQS refused. */
  public List<Integer> sendAll(List<SqsQueues.Fair> messages) {
    return queues.sendAll(Queue.PROPOSALS, messages);
  }

  @Override
  public void send(Partition partition, List<EventId> events) {
    for (int from = 0; from < events.size(); from += CHUNK) {
      List<SqsQueues.Fair> chunk =
          events.subList(from, Math.min(from + CHUNK, events.size())).stream()
              .map(event -> new SqsQueues.Fair(message(partition, event), partition.key()))
              .toList();
      if (!sendAll(chunk).isEmpty()) {
        throw new StoreUnavailable("SQS did not take all messages.", null);
      }
    }
  }

  private static String message(Partition partition, EventId event) {
    return Json.write(
        Json.object()
            .put("type", "envelope.ingested")
            .put("partition", partition.key())
            .put("id", event.value()));
  }

  /** Resends a message of the queue after a pause of at most 15 minutes. */
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
