package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import java.time.Duration;

/**
 * The dispatcher on SQS: actions on FIFO queues, of which {@link ActionQueues} chooses one, with
 * the hash of tenant, mode and entity key as message group, so that one is in flight per entity;
 * what is sent again in a group of its own, so that a message that fails holds back nothing but
 * itself; what is to wait on a queue with delays, in the group of its tenant and mode, by which
 * that queue is fair. Thread-safe.
 */
public final class SqsDispatcher implements Dispatcher {
  /** The longest delay of a message; what is to wait longer is looked at and sent on again. */
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final SqsQueues queues;
  private final ActionQueues actionQueues;

  public SqsDispatcher(SqsQueues queues, ActionQueues actionQueues) {
    this.queues = queues;
    this.actionQueues = actionQueues;
  }

  @Override
  public void dispatch(Dispatch dispatch, long number) {
    String line = ActionQueues.hashOf(dispatch.partition(), dispatch.line());
    String group = number == FIRST ? line : line + "#" + number;
    String body = Json.write(ActionMessage.of(dispatch));
    queues.send(
        actionQueues.of(dispatch.partition(), dispatch.line()),
        request ->
            request
                .messageBody(body)
                .messageGroupId(group)
                .messageDeduplicationId(dispatch.action().value() + "-" + number));
  }

  @Override
  public void dispatchLater(Dispatch dispatch, Duration pause) {
    later(dispatch.partition(), ActionMessage.of(dispatch), pause);
  }

  @Override
  public void wake(Partition partition, PlanId plan, Duration pause) {
    later(
        partition,
        Json.object().put("partition", partition.key()).put("plan_id", plan.value()),
        pause);
  }

  private void later(Partition partition, ObjectNode message, Duration pause) {
    Duration delay = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    String body = Json.write(message);
    queues.send(
        Queue.RESUME,
        request ->
            request
                .messageBody(body)
                .messageGroupId(partition.key())
                .delaySeconds((int) delay.plusMillis(999).toSeconds()));
  }
}
