package io.actiongovernance.localstack.source;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Received messages of a standard queue that wait for an invocation. The next is the oldest message
 * of the group with the fewest in flight, as fair queues prefer tenants that use little. A message
 * without a group forms its own group. Thread-safe.
 */
final class Turns {
  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();
  private final Map<String, Integer> inFlight = new HashMap<>();
  private int size;
  private long arrivals;

  private record Waiting(Message message, long arrival, Instant hiddenSince) {}

  record Turn(Message message, Instant hiddenSince) {}

  synchronized void add(List<Message> received, Instant now) {
    for (Message message : received) {
      waiting
          .computeIfAbsent(group(message), _ -> new ArrayDeque<>())
          .add(new Waiting(message, arrivals++, now));
      size++;
    }
  }

  /** Returns the messages whose turn it is. They are in flight from now on. */
  synchronized List<Turn> take(int most) {
    List<Turn> taken = new ArrayList<>();
    while (taken.size() < most && size > 0) {
      String group =
          waiting.entrySet().stream()
              .min(
                  Comparator.comparingInt(
                          (Map.Entry<String, Deque<Waiting>> one) ->
                              inFlight.getOrDefault(one.getKey(), 0))
                      .thenComparing(one -> one.getValue().element().arrival()))
              .orElseThrow()
              .getKey();
      Deque<Waiting> line = Optional.ofNullable(waiting.get(group)).orElseThrow();
      Waiting next = line.remove();
      if (line.isEmpty()) {
        waiting.remove(group);
      }
      size--;
      inFlight.merge(group, 1, Integer::sum);
      taken.add(new Turn(next.message(), next.hiddenSince()));
    }
    return taken;
  }

  /** Marks messages as no longer in flight. */
  synchronized void done(List<Message> messages) {
    for (Message message : messages) {
      inFlight.computeIfPresent(group(message), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized int size() {
    return size;
  }

  /**
   * Returns messages that have been hidden for longer than {@code age}. From now on they count as
   * just hidden.
   */
  synchronized List<Message> hiddenFor(Duration age, Instant now) {
    List<Message> old = new ArrayList<>();
    for (Map.Entry<String, Deque<Waiting>> line : waiting.entrySet()) {
      Deque<Waiting> renewed = new ArrayDeque<>();
      for (Waiting one : line.getValue()) {
        boolean isOld = one.hiddenSince().plus(age).isBefore(now);
        if (isOld) {
          old.add(one.message());
        }
        renewed.add(isOld ? new Waiting(one.message(), one.arrival(), now) : one);
      }
      line.setValue(renewed);
    }
    return old;
  }

  private static String group(Message message) {
    return message
        .attributes()
        .getOrDefault(MessageSystemAttributeName.MESSAGE_GROUP_ID, "#" + message.messageId());
  }
}
