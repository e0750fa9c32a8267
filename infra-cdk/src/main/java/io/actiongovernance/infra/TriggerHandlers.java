package io.actiongovernance.infra;

import io.actiongovernance.functions.access.CreateTenantFunction;
import io.actiongovernance.functions.trigger.DeliverWebhookHandler;
import io.actiongovernance.functions.trigger.ExecuteActionHandler;
import io.actiongovernance.functions.trigger.ExpirePlanHandler;
import io.actiongovernance.functions.trigger.FanOutHandler;
import io.actiongovernance.functions.trigger.FollowPlansHandler;
import io.actiongovernance.functions.trigger.GiveUpActionHandler;
import io.actiongovernance.functions.trigger.ProposeHandler;
import io.actiongovernance.functions.trigger.RelayFacts;
import io.actiongovernance.functions.trigger.ResumeHandler;
import io.actiongovernance.functions.trigger.RetryDeliveryHandler;
import io.actiongovernance.functions.trigger.RunDueOperatorsHandler;
import io.actiongovernance.functions.trigger.RunExportHandler;
import io.actiongovernance.functions.trigger.SweepDeliveriesHandler;
import io.actiongovernance.functions.trigger.SweepHandler;
import io.actiongovernance.functions.trigger.Trigger;

/** The class that Lambda makes for each trigger, by its constructor without arguments. */
final class TriggerHandlers {
  private TriggerHandlers() {}

  static Class<?> of(Trigger trigger) {
    return switch (trigger) {
      case CREATE_TENANT -> CreateTenantFunction.class;
      case RELAY_STATE, RELAY_EVENTS, RELAY_RECEIPTS -> RelayFacts.class;
      case PROPOSE -> ProposeHandler.class;
      case EXECUTE_ACTION -> ExecuteActionHandler.class;
      case GIVE_UP_ACTION -> GiveUpActionHandler.class;
      case RESUME -> ResumeHandler.class;
      case RUN_EXPORT -> RunExportHandler.class;
      case FAN_OUT -> FanOutHandler.class;
      case DELIVER_WEBHOOK -> DeliverWebhookHandler.class;
      case RETRY_DELIVERY -> RetryDeliveryHandler.class;
      case SWEEP_DELIVERIES -> SweepDeliveriesHandler.class;
      case SWEEP -> SweepHandler.class;
      case RUN_DUE_OPERATORS -> RunDueOperatorsHandler.class;
      case FOLLOW_PLANS -> FollowPlansHandler.class;
      case EXPIRE_PLAN -> ExpirePlanHandler.class;
    };
  }
}
