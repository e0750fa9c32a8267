package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Map;

/**
 * The queue of shards to sweep, with one message for each shard: {@code {"shard":12}}. Thread-safe.
 */
public final class SqsSweeps {
  private static final String SHARD = "shard";

  /** The most messages that SQS accepts in one request. */
  private static final int AT_ONCE = 10;

  private final SqsQueues queues;

  public SqsSweeps(SqsQueues queues) {
    this.queues = queues;
  }

  /**
   * Requests a sweep of each shard.
   *
   * @return the number of shards whose message the queue refused
   */
  public int send(DueIndex what, List<Integer> shards) {
    int refused = 0;
    for (int from = 0; from < shards.size(); from += AT_ONCE) {
      List<Integer> some = shards.subList(from, Math.min(from + AT_ONCE, shards.size()));
      refused += queues.sendAll(queue(what), some.stream().map(SqsSweeps::message).toList()).size();
    }
    return refused;
  }

  private static SqsQueues.Fair message(int shard) {
    return new SqsQueues.Fair(body(shard), Integer.toString(shard));
  }

  public static String body(int shard) {
    return Json.write(Map.of(SHARD, shard));
  }

  /**
   * The shard in a message.
   *
   * @throws IllegalArgumentException if it names none
   */
  public static int shard(JsonNode message) {
    JsonNode shard = message.path(SHARD);
    if (!shard.isInt() || shard.intValue() < 0 || shard.intValue() >= DueIndex.SHARDS) {
      throw new IllegalArgumentException("There is no shard " + shard);
    }
    return shard.intValue();
  }

  private static Queue queue(DueIndex what) {
    return switch (what) {
      case STEPS -> Queue.SWEEPS;
      case DELIVERIES -> Queue.DELIVERY_SWEEPS;
      case SCHEDULES -> Queue.SCHEDULE_RUNS;
    };
  }
}
