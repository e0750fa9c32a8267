package io.actiongovernance.functions.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;

/**
 * The message that sends an action to the executor, on {@link Queue#ACTIONS} and its further
 * queues.
 */
public final class ActionMessage {
  private ActionMessage() {}

  public static ObjectNode of(Dispatch dispatch) {
    return Json.object()
        .put("partition", dispatch.partition().key())
        .put("action_id", dispatch.action().value())
        .put("plan_id", dispatch.plan().value())
        .put("operator_id", dispatch.operator().value())
        .put("connector_id", dispatch.connector().value())
        .put("line", dispatch.line());
  }

  public static Dispatch read(JsonNode message) {
    return new Dispatch(
        Partition.parse(message.path("partition").textValue()),
        new ActionId(message.path("action_id").textValue()),
        new PlanId(message.path("plan_id").textValue()),
        new OperatorId(message.path("operator_id").textValue()),
        new ConnectorId(message.path("connector_id").textValue()),
        message.path("line").textValue());
  }

  /** Returns whether a message is about an action, not a plan. */
  public static boolean isOne(JsonNode message) {
    return message.has("action_id");
  }
}
