package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Where changes go that no retry helped: a queue, with the place of the change and not its content,
 * as on AWS.
 *
 * @param attempts how often a change is tried before
 */
public record FailedChanges(SqsClient queues, String queueUrl, int attempts) {
  private static final Logger LOG = LoggerFactory.getLogger(FailedChanges.class);

  void add(String function, String streamArn, String shard, Record change) {
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
    queues.sendMessage(request -> request.queueUrl(queueUrl).messageBody(Json.write(message)));
  }
}
