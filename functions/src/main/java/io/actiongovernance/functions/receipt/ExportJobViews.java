package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.ExportFiles;
import io.actiongovernance.export.ExportJob;
import io.actiongovernance.export.ExportJob.State;
import io.actiongovernance.functions.wiring.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows export jobs. Each time a job is read, its file's address is signed again; the address is
 * valid for at most a quarter of an hour. Thread-safe.
 */
final class ExportJobViews {
  private static final Duration LINK_LIVES = Duration.ofMinutes(15);

  private final ExportFiles files;
  private final InstantSource clock;

  ExportJobViews(Wiring wiring) {
    this.files = new ExportWiring(wiring).exportFiles();
    this.clock = wiring.clock();
  }

  ExportJobView of(ExportJob job) {
    return switch (job.state()) {
      case State.Running _ -> without(job, "running", null, null);
      case State.Failed(String error, Instant at) -> without(job, "failed", error, at);
      case State.Complete complete -> complete(job, complete);
    };
  }

  private static ExportJobView without(
      ExportJob job, String status, @Nullable String error, @Nullable Instant completedAt) {
    return new ExportJobView(
        job.id(),
        "export_job",
        status,
        job.format(),
        ExportJobView.ExportFilters.of(job.filters()),
        job.workspaceId(),
        null,
        null,
        null,
        null,
        null,
        error,
        job.createdAt(),
        completedAt,
        null);
  }

  private ExportJobView complete(ExportJob job, State.Complete complete) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Duration left = Duration.between(now, complete.expiresAt());
    Duration life = left.compareTo(LINK_LIVES) < 0 ? left : LINK_LIVES;
    boolean there = life.toSeconds() > 0;
    return new ExportJobView(
        job.id(),
        "export_job",
        "complete",
        job.format(),
        ExportJobView.ExportFilters.of(job.filters()),
        job.workspaceId(),
        complete.rowCount(),
        complete.sizeBytes(),
        complete.sha256(),
        there ? files.link(complete.file(), life).toString() : null,
        there ? now.plus(life) : null,
        null,
        job.createdAt(),
        complete.completedAt(),
        complete.expiresAt());
  }
}
