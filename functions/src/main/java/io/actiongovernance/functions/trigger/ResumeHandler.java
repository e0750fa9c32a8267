package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.RunPlan;
import java.time.InstantSource;

/**
 * Handles messages of {@code Queue.RESUME}: resumes plans that had to wait, and dispatches waiting
 * actions again.
 */
public final class ResumeHandler extends MessageHandler {
  private final RunPlan runPlan;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  ResumeHandler(RunPlan runPlan, Dispatcher dispatcher, InstantSource clock) {
    this.runPlan = runPlan;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  @Override
  protected Handled handle(JsonNode message) {
    if (ActionMessage.isOne(message)) {
      dispatcher.dispatch(ActionMessage.read(message), clock.millis());
    } else {
      runPlan.resume(
          Partition.parse(message.path("partition").textValue()),
          new PlanId(message.path("plan_id").textValue()));
    }
    return Handled.DONE;
  }
}
