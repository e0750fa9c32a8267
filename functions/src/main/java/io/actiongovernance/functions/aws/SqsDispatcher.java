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
 * The dispatcher on SQS. {@link ActionQueues} chooses one of the FIFO queues for an action. The
 * message group is the hash of tenant, mode and entity key, so that one action is in flight per
 * entity. A resent action has its own group, so that a failing message blocks only itself. Delayed
 * messages go to a queue that supports delays. Their group is their tenant and mode, which makes
 * that queue fair. Thread-safe.
 */
public final class SqsDispatcher implements Dispatcher {
  /**
   * The longest delay of a message. A longer wait takes several delays: after each, the wait is
   * checked, and the message is sent again.
   */
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
