package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the archive up to the last day that is over, for all tenants: each day of each once, in
 * their order, as far as there is time. What is left, the next run does. Thread-safe.
 */
public final class RunArchive {
  /** After the end of a day, for what has its identifier from before and is being written. */
  static final Duration SETTLES = Duration.ofHours(3);

  private static final Logger LOG = LoggerFactory.getLogger(RunArchive.class);
  private static final String JOB = "archive";

  private final Supplier<Stream<Partition>> partitions;
  private final ArchiveDay archiveDay;
  private final ArchiveObjects objects;
  private final ArchivedRows archived;
  private final InstantSource clock;

  public RunArchive(
      Supplier<Stream<Partition>> partitions,
      ArchiveDay archiveDay,
      ArchiveObjects objects,
      InstantSource clock) {
    this.partitions = partitions;
    this.archiveDay = archiveDay;
    this.objects = objects;
    this.archived = new ArchivedRows(objects);
    this.clock = clock;
  }

  /**
   * What a run came to.
   *
   * @param days that it completed, of all tenants and modes
   * @param rows in them
   * @param behind how many days the one that is furthest behind is to be brought up yet; 0 if all
   *     is done
   * @param failed tenants and modes that could not be brought up
   */
  public record Ran(long days, long rows, long behind, long failed) {}

  /** Runs once. No day is begun after {@code until}. */
  public Ran run(Instant until) {
    return run(until, Instant.MAX);
  }

  /**
   * Runs once.
   *
   * @param until no day is begun after that
   * @param givesUp what was begun and is not done by then fails
   */
  public Ran run(Instant until, Instant givesUp) {
    LocalDate over =
        LocalDate.ofInstant(clock.instant().minus(SETTLES), ZoneOffset.UTC).minusDays(1);
    String done = ArchiveNames.done(JOB, over);
    if (objects.get(done).isPresent()) {
      return new Ran(0, 0, 0, 0);
    }
    Run run = new Run(over, until, new Deadline(clock, givesUp));
    run.all();
    if (run.behind == 0 && run.failed == 0) {
      var unused = objects.putFirst(done, "{}".getBytes(StandardCharsets.UTF_8));
    }
    return new Ran(run.days, run.rows, run.behind, run.failed);
  }

  /** One run. Not thread-safe. */
  private final class Run {
    private final LocalDate over;
    private final Instant until;
    private final Deadline deadline;
    private long days;
    private long rows;
    private long behind;
    private long failed;

    Run(LocalDate over, Instant until, Deadline deadline) {
      this.over = over;
      this.until = until;
      this.deadline = deadline;
    }

    /** In another order each time: one that takes all of a run must not be before the same. */
    void all() {
      List<Partition> all;
      try (Stream<Partition> there = partitions.get()) {
        all = new ArrayList<>(there.toList());
      }
      Collections.shuffle(all, new Random(clock.instant().toEpochMilli()));
      all.forEach(this::bringUp);
    }

    private void bringUp(Partition partition) {
      LocalDate next = over;
      try {
        next = next(partition);
        while (!next.isAfter(over) && clock.instant().isBefore(until)) {
          rows += archiveDay.write(partition, next, deadline).rows();
          days++;
          next = next.plusDays(1);
        }
      } catch (RuntimeException e) {
        // What is wrong with one tenant's day must not keep the others out of the archive.
        failed++;
        LOG.atError()
            .setCause(e)
            .addKeyValue("partition", partition.key())
            .addKeyValue("day", next)
            .log("A day could not be archived");
      }
      behind = Math.max(behind, ChronoUnit.DAYS.between(next, over.plusDays(1)));
    }

    /** The first day that is not complete: after the last that is, or that of the tenant. */
    private LocalDate next(Partition partition) {
      if (archived.manifest(partition, over).isPresent()) {
        return over.plusDays(1);
      }
      if (archived.manifest(partition, over.minusDays(1)).isPresent()) {
        return over;
      }
      return archived
          .last(partition)
          .map(last -> last.plusDays(1))
          .orElseGet(() -> LocalDate.ofInstant(partition.tenant().madeAt(), ZoneOffset.UTC));
    }
  }
}
