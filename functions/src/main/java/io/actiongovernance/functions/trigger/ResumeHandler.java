package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.RunPlan;
import java.time.InstantSource;

/**
 * Looks again at plans, and dispatches again actions, that had to wait: queue {@link Queue#RESUME}.
 */
public final class ResumeHandler extends MessageHandler {
  private final RunPlan runPlan;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  /** For the Lambda runtime. */
  public ResumeHandler() {
    this(Wiring.onAws());
  }

  public ResumeHandler(Wiring wiring) {
    this.runPlan = wiring.loop().runPlan();
    this.dispatcher = wiring.dispatcher();
    this.clock = wiring.clock();
  }

  @Override
  protected Handled handle(JsonNode message) {
    Partition partition = Partition.parse(message.path("partition").textValue());
    if (message.has("plan_id")) {
      runPlan.resume(partition, new PlanId(message.path("plan_id").textValue()));
    } else {
      dispatcher.dispatch(
          partition,
          new ActionId(message.path("action_id").textValue()),
          message.path("entity_key").textValue(),
          clock.millis());
    }
    return Handled.DONE;
  }
}
