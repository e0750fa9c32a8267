package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.kernel.Sweep;

/** Handles messages of {@code Queue.SWEEPS}: repeats every overdue step, shard by shard. */
public final class SweepHandler extends MessageHandler {
  private final Sweep sweep;
  private final Metrics metrics;

  SweepHandler(Sweep sweep, Metrics metrics) {
    this.sweep = sweep;
    this.metrics = metrics;
  }

  @Override
  protected Handled handle(JsonNode message) {
    Sweep.Result found = sweep.sweep(SqsSweeps.shard(message));
    metrics.count(Metric.OVERDUE, found.overdue());
    metrics.count(Metric.STUCK_PLANS, found.stuck());
    return Handled.DONE;
  }
}
