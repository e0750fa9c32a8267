package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.Queue;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.EmbeddedSqs;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Where changes go that no retry helped: a queue, with the place of the change and not its content,
 * as on AWS.
 */
final class FailedChanges {
  private static final Logger LOG = LoggerFactory.getLogger(FailedChanges.class);

  private final EmbeddedSqs queues;

  FailedChanges(EmbeddedSqs queues) {
    this.queues = queues;
  }

  void add(String function, String streamArn, String shard, Record change, int attempts) {
    LOG.error(
        "Stepping over change {} of {} after {} attempts", change.eventID(), streamArn, attempts);
    String sequence = change.dynamodb().sequenceNumber();
    ObjectNode message =
        Json.object().put("version", "1.0").put("timestamp", Instant.now().toString());
    message
        .putObject("requestContext")
        .put("requestId", change.eventID())
        .put("functionArn", Aws.arn("lambda", "function:" + function))
        .put("condition", "RetryAttemptsExhausted")
        .put("approximateInvokeCount", attempts);
    message
        .putObject("DDBStreamBatchInfo")
        .put("shardId", shard)
        .put("startSequenceNumber", sequence)
        .put("endSequenceNumber", sequence)
        .put("batchSize", 1)
        .put("streamArn", streamArn);
    queues
        .client()
        .sendMessage(
            request ->
                request
                    .queueUrl(queues.url(Queue.FAILED_CHANGES))
                    .messageBody(Json.write(message)));
  }
}
