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
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares tables and archive, each day of each tenant twice; what differs is told every hour, for
 * two weeks. Invoked with {@code {"since":"2026-01-31"}} it compares the days from then on too that
 * are older than that. It answers what it did, and fails if a day could not be compared.
 */
public final class AuditArchiveHandler implements RequestHandler<Map<String, Object>, Object> {
  private static final String SINCE = "since";

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
      Instant now = clock.instant();
      RunAudit.Ran ran =
          audit.run(
              now.plus(ArchiveHandler.BEGINS_FOR), now.plus(ArchiveHandler.GIVES_UP), since(event));
      metrics.count(Metric.ARCHIVE_DIFFERENCES, ran.differences());
      if (ran.failed() > 0) {
        throw new IllegalStateException("Not all days could be compared: " + ran);
      }
      return Json.convert(Json.tree(ran), Map.class);
    }
  }

  private static @Nullable LocalDate since(@Nullable Map<String, Object> event) {
    // Lambda hands on none where an invocation has no payload.
    Object since = event == null ? null : event.get(SINCE);
    try {
      return since == null ? null : LocalDate.parse(since.toString());
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(SINCE + " must be a day, such as 2026-01-31.", e);
    }
  }
}
