package io.actiongovernance.localstack.source;

import static io.actiongovernance.functions.trigger.FailedChanges.BY_LAMBDA;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Where changes go that no retry helped: a bucket, each with its whole record, as on AWS.
 *
 * @param attempts how often a change is tried before
 */
public record FailedChanges(Supplier<S3Client> objects, String bucket, int attempts) {
  private static final Logger LOG = LoggerFactory.getLogger(FailedChanges.class);

  /** How often this stack tries a change; AWS does so 500 times. */
  private static final int ATTEMPTS = 8;

  public FailedChanges(Supplier<S3Client> objects, String bucket) {
    this(objects, bucket, ATTEMPTS);
  }

  FailedChanges after(int attempts) {
    return new FailedChanges(objects, bucket, attempts);
  }

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
    message.set("payload", ChangeEvents.tree(List.of(change), streamArn));
    objects
        .get()
        .putObject(
            request ->
                request.bucket(bucket).key(BY_LAMBDA + function + "/" + shard + "/" + sequence),
            RequestBody.fromString(Json.write(message)));
  }
}
