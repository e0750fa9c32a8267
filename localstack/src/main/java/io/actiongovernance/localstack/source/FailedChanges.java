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
 * Store for changes that still failed after all retries: a bucket, with the whole record of each
 * change, as on AWS.
 *
 * @param attempts number of attempts at a change before it is stored
 */
public record FailedChanges(Supplier<S3Client> objects, String bucket, int attempts) {
  private static final Logger LOG = LoggerFactory.getLogger(FailedChanges.class);

  /** Attempts at a change in this stack; AWS makes 500. */
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
