package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.action.ActionView;
import io.actiongovernance.functions.connector.ConnectorView;
import io.actiongovernance.functions.contract.Samples;
import io.actiongovernance.functions.operator.OperatorView;
import io.actiongovernance.functions.plan.PlanView;
import io.actiongovernance.functions.receipt.ReceiptForm;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.webhook.DeliveryType;
import java.util.List;

/** The objects in deliveries, by type (specification, Webhook delivery types). Stateless. */
public final class DeliveredObjects {
  private DeliveredObjects() {}

  /**
   * The published description of a type.
   *
   * @param summary a few words, without a full stop
   * @param data the record that a GET of the object returns
   */
  public record Description(String summary, String description, Class<?> data) {}

  public static Description told(DeliveryType type) {
    return switch (type) {
      case PLAN_PROPOSED ->
          new Description(
              "A plan is proposed",
              "An operator has proposed a plan. `data` is the plan with its verdicts.",
              PlanView.class);
      case PLAN_DISPOSED ->
          new Description(
              "A plan is disposed",
              "A plan has finished executing, was vetoed, or expired. `data` is the plan in its"
                  + " final state.",
              PlanView.class);
      case ACTION_DISPOSED ->
          new Description(
              "An action is disposed",
              "The executor has disposed one action: allowed, alerted, blocked or deduplicated."
                  + " `data` is the action.",
              ActionView.class);
      case ACTION_NEEDS_APPROVAL ->
          new Description(
              "An action needs approval",
              "An action's verdict is `ALERT`, and a person must approve it. `data` is the action,"
                  + " with its `plan_id`.",
              ActionView.class);
      case APPROVAL_REQUESTED ->
          new Description(
              "An approval is requested",
              "A plan is held under an approval policy. `data` is the plan.",
              PlanView.class);
      case APPROVAL_VOTED ->
          new Description(
              "A person has voted",
              "A person has voted on a plan. `data` is the receipt that proves it.",
              ReceiptForm.class);
      case CONNECTOR_STATUS_CHANGED ->
          new Description(
              "A connector's status changes",
              "A connector has moved between `connected`, `degraded`, `error` and `pending_auth`."
                  + " `data` is the connector.",
              ConnectorView.class);
      case OPERATOR_SCHEDULE_STOPPED ->
          new Description(
              "An operator's schedule stops",
              "An active operator no longer runs by its schedule: the schedule has no time left,"
                  + " or cannot be run. `data` is the operator; `status_reason` gives the reason.",
              OperatorView.class);
      case RECEIPT_WRITTEN ->
          new Description(
              "A receipt is written",
              "A receipt of any kind was appended, refusals included; expect many. `data` is the"
                  + " receipt.",
              ReceiptForm.class);
      case WEBHOOK_ENDPOINT_STATUS_CHANGED ->
          new Description(
              "A webhook endpoint's status changes",
              "An endpoint was disabled, suspended or made active again. `data` is the endpoint,"
                  + " without its secret.",
              WebhookEndpointView.class);
    };
  }

  /** A sample object of the type, as in a delivery that tests an endpoint. */
  public static ObjectNode sample(DeliveryType type) {
    ObjectNode sample = Samples.answer(told(type).data());
    return type == DeliveryType.APPROVAL_VOTED ? ofVote(sample) : sample;
  }

  /** Turns the general sample of a receipt into one of a vote. */
  private static ObjectNode ofVote(ObjectNode receipt) {
    for (String field : List.of("action_id", "undo_of", "tool", "entity_key", "action_digest")) {
      receipt.putNull(field);
    }
    receipt.put("kind", Receipt.Kind.APPROVAL.wire()).put("outcome", ReceiptOutcome.VOTED.wire());
    ObjectNode evidence = receipt.putObject("evidence").put("method", "session");
    evidence
        .putObject("statement")
        .put("v", 1)
        .put("purpose", "plan.approve")
        .set("plan_id", receipt.path("plan_id"));
    return receipt;
  }
}
