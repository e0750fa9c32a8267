package io.actiongovernance.functions.samples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.priming.AnsweredAws.Answer;
import io.actiongovernance.functions.priming.AnsweredAws.Answers;
import io.actiongovernance.json.Json;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * AWS without AWS: answers every operation as if it had been done, and keeps the answers. A message
 * is handed on while it is being sent. Not thread-safe.
 */
final class SampleAws implements Answers {
  /** Thirty-two bytes in base64. */
  private static final String DATA_KEY = "A".repeat(43) + "=";

  private final BiConsumer<String, String> messages;
  private final ArrayNode kept = Json.object().putArray("answers");
  private Answer ofTables = Answer.ok(Json.object());

  /**
   * @param messages takes the name of the queue and the body of each message that is sent
   */
  SampleAws(BiConsumer<String, String> messages) {
    this.messages = messages;
  }

  /** Makes requests to the tables, which are answered with this. */
  <T> T answering(Answer answer, Supplier<T> requests) {
    ofTables = answer;
    try {
      return requests.get();
    } finally {
      ofTables = Answer.ok(Json.object());
    }
  }

  /** All answers, in the form of a recording. */
  ArrayNode kept() {
    return kept;
  }

  @Override
  public Answer to(String operation, JsonNode request) {
    Answer answer = answer(operation, request);
    kept.addArray().add(operation).add(answer.status()).add(answer.body());
    return answer;
  }

  private Answer answer(String operation, JsonNode request) {
    return switch (operation) {
      case "AmazonSQS.GetQueueUrl" ->
          ok("QueueUrl", "https://queues.invalid/" + request.path("QueueName").textValue());
      case "AmazonSQS.SendMessage" -> {
        String queue = request.path("QueueUrl").textValue().replaceFirst(".*/", "");
        messages.accept(queue, request.path("MessageBody").textValue());
        yield Answer.sent(request);
      }
      case "AWSEvents.PutEvents" -> {
        ObjectNode taken = Json.object().put("FailedEntryCount", 0);
        ArrayNode entries = taken.putArray("Entries");
        request.path("Entries").forEach(_ -> entries.addObject().put("EventId", "1"));
        yield Answer.ok(taken);
      }
      // Wrapped it is what it is: nothing is kept.
      case "TrentService.GenerateDataKey" ->
          Answer.ok(Json.object().put("CiphertextBlob", DATA_KEY).put("Plaintext", DATA_KEY));
      case "TrentService.Decrypt" -> ok("Plaintext", request.path("CiphertextBlob").textValue());
      case "AWSStepFunctions.StartExecution" ->
          Answer.ok(
              Json.object().put("executionArn", "arn:aws:states:::execution").put("startDate", 0));
      default -> ofTable(operation);
    };
  }

  private static Answer ok(String name, String value) {
    return Answer.ok(Json.object().put(name, value));
  }

  /** What this operation reads of an answer that is in the form of all of them. */
  private Answer ofTable(String operation) {
    if (ofTables.status() != Answer.ok(Json.object()).status()) {
      return ofTables;
    }
    ObjectNode read = Json.object();
    switch (operation) {
      case "DynamoDB_20120810.GetItem" -> keep(read, "Item");
      case "DynamoDB_20120810.UpdateItem" -> keep(read, "Attributes");
      case "DynamoDB_20120810.Query" -> {
        keep(read, "Items");
        keep(read, "Count");
      }
      case "DynamoDB_20120810.BatchGetItem", "DynamoDB_20120810.TransactGetItems" ->
          keep(read, "Responses");
      default -> {}
    }
    return Answer.ok(read);
  }

  private void keep(ObjectNode read, String name) {
    if (ofTables.body().has(name)) {
      read.set(name, ofTables.body().path(name));
    }
  }
}
