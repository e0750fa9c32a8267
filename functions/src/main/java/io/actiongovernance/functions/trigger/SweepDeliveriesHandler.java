package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.webhook.SweepDeliveries;
import java.util.Map;

/** Has the webhook attempts made that are overdue, every minute. */
public final class SweepDeliveriesHandler implements RequestHandler<Map<String, Object>, Integer> {
  private final SweepDeliveries sweep;

  public SweepDeliveriesHandler(Wiring wiring) {
    this.sweep = new WebhookWiring(wiring).sweepDeliveries();
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      return sweep.sweep();
    }
  }
}
