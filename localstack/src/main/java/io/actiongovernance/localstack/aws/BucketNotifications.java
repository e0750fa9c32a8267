package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.FailedChanges;
import io.actiongovernance.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Notifies a queue of the objects that a client puts into the bucket of {@link FailedChanges}, as
 * the bucket does on AWS.
 */
public record BucketNotifications(String bucket, SqsClient queues, String queueUrl)
    implements ExecutionInterceptor {
  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof PutObjectRequest put
        && put.bucket().equals(bucket)
        && !put.key().startsWith(FailedChanges.TRIED)) {
      ObjectNode notification = Json.object();
      ObjectNode s3 = notification.putArray("Records").addObject().putObject("s3");
      s3.putObject("bucket").put("name", bucket);
      s3.putObject("object").put("key", URLEncoder.encode(put.key(), StandardCharsets.UTF_8));
      queues.sendMessage(
          request -> request.queueUrl(queueUrl).messageBody(Json.write(notification)));
    }
  }
}
