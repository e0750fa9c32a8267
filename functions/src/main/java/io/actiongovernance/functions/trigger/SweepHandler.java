package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.kernel.Sweep;
import java.util.Map;

/** Redoes whatever step is overdue, every minute. */
public final class SweepHandler implements RequestHandler<Map<String, Object>, Integer> {
  private final Sweep sweep;
  private final Metrics metrics;

  public SweepHandler(Wiring wiring) {
    this.sweep = wiring.loop().sweep();
    this.metrics = wiring.metrics();
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      Sweep.Found found = sweep.sweep();
      metrics.count(Metric.OVERDUE, found.overdue());
      metrics.count(Metric.STUCK_PLANS, found.stuck());
      return found.overdue();
    }
  }
}
