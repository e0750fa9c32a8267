package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.due.Due;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the shards swept in which something is due, every minute, and answers how many these are. It
 * counts none overdue and none stuck: so those who watch what sweeps count see that somebody looks,
 * also when nothing is due.
 */
public final class LookForDueHandler implements RequestHandler<Map<String, Object>, Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(LookForDueHandler.class);

  private final LookForDue look;
  private final SqsSweeps sweeps;
  private final Metrics metrics;

  public LookForDueHandler(Wiring wiring) {
    this.look = new LookForDue(wiring.store(), wiring.clock());
    this.sweeps = new SqsSweeps(wiring.queues());
    this.metrics = wiring.metrics();
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      int all = 0;
      for (Due what : Due.values()) {
        all += send(what, look.shards(what));
      }
      metrics.count(Metric.OVERDUE, 0);
      metrics.count(Metric.STUCK_PLANS, 0);
      return all;
    }
  }

  private int send(Due what, List<Integer> shards) {
    int refused = sweeps.send(what, shards);
    if (refused > 0) {
      LOG.atWarn().addKeyValue("refused", refused).log("Shards are swept a minute later");
    }
    return shards.size() - refused;
  }
}
