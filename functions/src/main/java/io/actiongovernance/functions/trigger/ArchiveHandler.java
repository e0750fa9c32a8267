package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.archive.RunArchive;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.wiring.ArchiveWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the archive up to the last day that is over, every hour: nearly always there is nothing
 * left to do. It answers what it did, and fails if a day of some tenant could not be written, once
 * those of all others are.
 */
public final class ArchiveHandler implements RequestHandler<Map<String, Object>, Object> {
  /** As long as a function may run. */
  static final Duration TIMEOUT = Duration.ofMinutes(15);

  /** After which no other day is begun. */
  static final Duration BEGINS_FOR = Duration.ofMinutes(10);

  /** After which what was begun is given up, in a sentence, before Lambda ends the process. */
  static final Duration GIVES_UP = Duration.ofMinutes(14);

  private static final Logger LOG = LoggerFactory.getLogger(ArchiveHandler.class);

  private final RunArchive archive;
  private final Metrics metrics;
  private final InstantSource clock;

  public ArchiveHandler(Wiring wiring) {
    this.archive = new ArchiveWiring(wiring).runArchive();
    this.metrics = wiring.metrics();
    this.clock = wiring.clock();
  }

  @Override
  public Object handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      Instant now = clock.instant();
      RunArchive.Ran ran = archive.run(now.plus(BEGINS_FOR), now.plus(GIVES_UP));
      metrics.count(Metric.ARCHIVE_BEHIND, ran.behind());
      if (ran.days() > 0) {
        LOG.atInfo().addKeyValue("ran", Json.write(ran)).log("Days were archived");
      }
      if (ran.failed() > 0) {
        throw new IllegalStateException("Not all that is over could be archived: " + ran);
      }
      return Json.convert(Json.tree(ran), Map.class);
    }
  }
}
