package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A queue as an event source mapping uses it. Thread-safe. */
final class PolledQueue {
  /** Maximum number of messages that a queue accepts or hands out in one call. */
  static final int MOST_AT_ONCE = 10;

  private final SqsClient sqs;
  private final String url;

  PolledQueue(SqsClient sqs, String url) {
    this.sqs = sqs;
    this.url = url;
  }

  List<Message> receive(int most, int waitSeconds) {
    return sqs.receiveMessage(
            request ->
                request
                    .queueUrl(url)
                    .maxNumberOfMessages(most)
                    .waitTimeSeconds(waitSeconds)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  void hide(Collection<Message> messages, Duration time) {
    byTens(
        messages,
        some ->
            sqs.changeMessageVisibilityBatch(
                request ->
                    request
                        .queueUrl(url)
                        .entries(
                            some.stream()
                                .map(
                                    message ->
                                        ChangeMessageVisibilityBatchRequestEntry.builder()
                                            .id(message.messageId())
                                            .receiptHandle(message.receiptHandle())
                                            .visibilityTimeout((int) time.toSeconds())
                                            .build())
                                .toList())));
  }

  void delete(Collection<Message> messages) {
    byTens(
        messages,
        some ->
            sqs.deleteMessageBatch(
                request ->
                    request
                        .queueUrl(url)
                        .entries(
                            some.stream()
                                .map(
                                    message ->
                                        DeleteMessageBatchRequestEntry.builder()
                                            .id(message.messageId())
                                            .receiptHandle(message.receiptHandle())
                                            .build())
                                .toList())));
  }

  private static void byTens(Collection<Message> messages, Consumer<List<Message>> each) {
    List<Message> all = new ArrayList<>(messages);
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      each.accept(all.subList(from, Math.min(from + MOST_AT_ONCE, all.size())));
    }
  }

  byte[] event(List<Message> messages) {
    ObjectNode event = Json.object();
    ArrayNode records = event.putArray("Records");
    for (Message message : messages) {
      ObjectNode row = records.addObject();
      row.put("messageId", message.messageId());
      row.put("receiptHandle", message.receiptHandle());
      row.put("body", message.body());
      ObjectNode attributes = row.putObject("attributes");
      message.attributesAsStrings().forEach(attributes::put);
      ObjectNode own = row.putObject("messageAttributes");
      message
          .messageAttributes()
          .forEach(
              (name, value) ->
                  own.putObject(name)
                      .put("dataType", value.dataType())
                      .put("stringValue", value.stringValue()));
      row.put("md5OfBody", message.md5OfBody());
      row.put("eventSource", "aws:sqs");
      row.put("eventSourceARN", Aws.arn("sqs", url.substring(url.lastIndexOf('/') + 1)));
      row.put("awsRegion", Aws.REGION.id());
    }
    return Json.write(event).getBytes(StandardCharsets.UTF_8);
  }
}
