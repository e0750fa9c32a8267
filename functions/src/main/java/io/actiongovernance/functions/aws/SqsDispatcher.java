package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import java.time.Duration;

/**
 * The dispatcher on SQS: actions on a FIFO queue whose message group is the hash of tenant, mode
 * and entity key, so that one is in flight per entity; what is sent again in a group of its own, so
 * that a message that fails holds back nothing but itself; what is to wait on a queue with delays.
 * Thread-safe.
 */
public final class SqsDispatcher implements Dispatcher {
  /** The longest delay of a message; what is to wait longer is looked at and sent on again. */
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private final SqsQueues queues;

  public SqsDispatcher(SqsQueues queues) {
    this.queues = queues;
  }

  @Override
  public void dispatch(Dispatch dispatch, long number) {
    String line = CanonicalJson.sha256(dispatch.partition().key() + "#" + dispatch.line());
    String group = number == FIRST ? line : line + "#" + number;
    String body = Json.write(ActionMessage.of(dispatch));
    queues.send(
        Queue.ACTIONS,
        request ->
            request
                .messageBody(body)
                .messageGroupId(group)
                .messageDeduplicationId(dispatch.action().value() + "-" + number));
  }

  @Override
  public void dispatchLater(Dispatch dispatch, Duration pause) {
    later(ActionMessage.of(dispatch), pause);
  }

  @Override
  public void wake(Partition partition, PlanId plan, Duration pause) {
    later(Json.object().put("partition", partition.key()).put("plan_id", plan.value()), pause);
  }

  private void later(ObjectNode message, Duration pause) {
    Duration delay = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    String body = Json.write(message);
    queues.send(
        Queue.RESUME,
        request -> request.messageBody(body).delaySeconds((int) delay.plusMillis(999).toSeconds()));
  }
}
