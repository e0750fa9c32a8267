package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.archive.RunAudit;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.wiring.ArchiveWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import java.time.InstantSource;
import java.util.Map;

/**
 * Compares tables and archive, each day of each tenant twice; what differs is told every hour, for
 * two weeks. It answers what it did, and fails if a day could not be compared.
 */
public final class AuditArchiveHandler implements RequestHandler<Map<String, Object>, Object> {
  private final RunAudit audit;
  private final Metrics metrics;
  private final InstantSource clock;

  public AuditArchiveHandler(Wiring wiring) {
    this.audit = new ArchiveWiring(wiring).runAudit();
    this.metrics = wiring.metrics();
    this.clock = wiring.clock();
  }

  @Override
  public Object handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      RunAudit.Ran ran = audit.run(clock.instant().plus(ArchiveHandler.BEGINS_FOR));
      metrics.count(Metric.ARCHIVE_DIFFERENCES, ran.differences());
      if (ran.failed() > 0) {
        throw new IllegalStateException("Not all days could be compared: " + ran);
      }
      return Json.convert(Json.tree(ran), Map.class);
    }
  }
}
