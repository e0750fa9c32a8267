package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests a sweep of each shard in which something is due, every minute, and returns the number of
 * these shards. It reports the age of the oldest due step. It also counts zero overdue steps and
 * zero stuck plans, so that these metrics show activity even when nothing is due.
 */
public final class LookForDueHandler implements RequestHandler<Map<String, Object>, Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(LookForDueHandler.class);

  private final LookForDue look;
  private final SqsSweeps sweeps;
  private final Metrics metrics;
  private final InstantSource clock;

  LookForDueHandler(LookForDue look, SqsSweeps sweeps, Metrics metrics, InstantSource clock) {
    this.look = look;
    this.sweeps = sweeps;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      int all = 0;
      Instant now = clock.instant();
      Instant oldest = now;
      for (DueIndex what : DueIndex.values()) {
        List<LookForDue.DueShard> found = look.look(what);
        oldest = oldest(oldest, found);
        all += send(what, found.stream().map(LookForDue.DueShard::shard).toList());
      }
      metrics.count(Metric.OLDEST_DUE, Duration.between(oldest, now).toSeconds());
      metrics.count(Metric.OVERDUE, 0);
      metrics.count(Metric.STUCK_PLANS, 0);
      return all;
    }
  }

  private static Instant oldest(Instant before, List<LookForDue.DueShard> found) {
    return found.stream()
        .map(LookForDue.DueShard::since)
        .filter(Objects::nonNull)
        .filter(since -> since.isBefore(before))
        .min(Comparator.naturalOrder())
        .orElse(before);
  }

  private int send(DueIndex what, List<Integer> shards) {
    int refused = sweeps.send(what, shards);
    if (refused > 0) {
      LOG.atWarn().addKeyValue("refused", refused).log("Shards are swept a minute later");
    }
    return shards.size() - refused;
  }
}
