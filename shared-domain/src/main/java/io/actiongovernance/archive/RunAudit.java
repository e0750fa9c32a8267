package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares table and archive for all tenants, each day twice ({@link AuditAge}), and notes in the
 * archive which days agreed. A day that did not is compared again with every run, for two weeks:
 * for as long it is told of. Thread-safe.
 */
public final class RunAudit {
  /** The most differences of a day that are told one by one. */
  private static final int TOLD = 100;

  private static final Logger LOG = LoggerFactory.getLogger(RunAudit.class);

  private final Supplier<Stream<Partition>> partitions;
  private final AuditDay auditDay;
  private final ArchiveObjects objects;
  private final ArchivedRows archived;
  private final InstantSource clock;

  public RunAudit(
      Supplier<Stream<Partition>> partitions,
      AuditDay auditDay,
      ArchiveObjects objects,
      InstantSource clock) {
    this.partitions = partitions;
    this.auditDay = auditDay;
    this.objects = objects;
    this.archived = new ArchivedRows(objects);
    this.clock = clock;
  }

  /**
   * What a run came to.
   *
   * @param days that it compared, of all tenants and modes
   * @param differences between table and archive
   * @param failed days that could not be compared
   */
  public record Ran(long days, long rows, long differences, long failed) {}

  /** Runs once. No day is begun after {@code until}. */
  public Ran run(Instant until) {
    return run(until, Instant.MAX, null);
  }

  /**
   * Runs once, and makes up for days that nobody compared while they were young enough, as when an
   * archive began later than what is in it.
   *
   * @param givesUp what was begun and is not done by then fails
   * @param since the first of these; null if there are none
   */
  public Ran run(Instant until, Instant givesUp, @Nullable LocalDate since) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    Run run = new Run(until, new Deadline(clock, givesUp));
    if (since != null) {
      AuditAge.LAST.before(today, since).forEach(day -> run.compare(AuditAge.LAST, day));
    }
    for (AuditAge age : AuditAge.values()) {
      age.days(today).forEach(day -> run.compare(age, day));
    }
    return new Ran(run.days, run.rows, run.differences, run.failed);
  }

  /** One run. Not thread-safe. */
  private final class Run {
    private final Instant until;
    private final Deadline deadline;
    private long days;
    private long rows;
    private long differences;
    private long failed;

    Run(Instant until, Deadline deadline) {
      this.until = until;
      this.deadline = deadline;
    }

    void compare(AuditAge age, LocalDate day) {
      String done = ArchiveNames.done("audit-" + age.wire(), day);
      if (objects.get(done).isPresent()) {
        return;
      }
      List<Partition> then;
      try (Stream<Partition> all = partitions.get()) {
        then = new ArrayList<>(all.filter(one -> wasThere(one, day)).toList());
      }
      // One that takes all of a run must not be before the same every time.
      Collections.shuffle(then, new Random(clock.instant().toEpochMilli()));
      // Each is compared, whatever came of the ones before.
      if (then.stream().filter(one -> agrees(age, one, day)).count() == then.size()) {
        var unused = objects.putFirst(done, "{}".getBytes(StandardCharsets.UTF_8));
      }
    }

    private static boolean wasThere(Partition partition, LocalDate day) {
      return !LocalDate.ofInstant(partition.tenant().madeAt(), ZoneOffset.UTC).isAfter(day);
    }

    private boolean agrees(AuditAge age, Partition partition, LocalDate day) {
      String agreed = ArchiveNames.agreed(partition, day, age);
      if (objects.get(agreed).isPresent()) {
        return true;
      }
      if (!clock.instant().isBefore(until)) {
        return false;
      }
      try {
        Optional<LocalDate> last = archived.last(partition);
        if (last.isEmpty() || last.get().isBefore(day)) {
          return false; // It is behind, which is told of by who writes it.
        }
        AuditDay.Audited audited = auditDay.audit(partition, day, last.get(), deadline);
        days++;
        rows += audited.inTable();
        differences += audited.differences().size();
        if (audited.agrees()) {
          // Two runs at once that both saw it agree say the same.
          var unused =
              objects.putFirst(agreed, Json.write(audited).getBytes(StandardCharsets.UTF_8));
        } else {
          tell(partition, day, audited);
        }
        return audited.agrees();
      } catch (RuntimeException e) {
        failed++;
        LOG.atError()
            .setCause(e)
            .addKeyValue("partition", partition.key())
            .addKeyValue("day", day)
            .log("A day could not be compared with the archive");
        return false;
      }
    }

    private void tell(Partition partition, LocalDate day, AuditDay.Audited audited) {
      audited.differences().stream()
          .limit(TOLD)
          .forEach(
              difference ->
                  LOG.atError()
                      .addKeyValue("partition", partition.key())
                      .addKeyValue("day", day)
                      .addKeyValue("kind", difference.kind())
                      .addKeyValue("what", difference.what())
                      .log("Table and archive differ"));
    }
  }
}
