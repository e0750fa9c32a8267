package io.actiongovernance.functions.priming;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.priming.AnsweredAws.Answer;
import io.actiongovernance.json.Json;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** Answers each AWS operation with its recorded responses, in order. Thread-safe. */
final class Replay implements AnsweredAws.Answers {
  private final Map<String, Queue<JsonNode>> answers = new HashMap<>();

  /** Uses the responses of this recording from now on. */
  synchronized void of(Recording recording) {
    answers.clear();
    for (JsonNode answer : recording.answers()) {
      answers.computeIfAbsent(answer.path(0).textValue(), _ -> new ArrayDeque<>()).add(answer);
    }
  }

  @Override
  public synchronized Answer to(String operation, JsonNode request) {
    if (operation.equals("AmazonSQS.SendMessage")) {
      return Answer.sent(request);
    }
    Queue<JsonNode> left = answers.getOrDefault(operation, new ArrayDeque<>());
    JsonNode answer = left.poll();
    return answer == null
        ? Answer.ok(Json.object())
        : new Answer(answer.path(1).intValue(), answer.path(2));
  }
}
