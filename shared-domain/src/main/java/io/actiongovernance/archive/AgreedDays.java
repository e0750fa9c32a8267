package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Retention;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the rows of a tenant and mode may leave their tables: whether the audit has noted
 * that table and archive agreed, before the first row of the day could leave, on each day whose
 * rows may leave now, and the archive is not behind. Thread-safe.
 */
public final class AgreedDays {
  /** A day is archived within this many days after it. */
  private static final int BEHIND = 3;

  private final ArchiveObjects objects;
  private final ArchivedRows archived;
  private final InstantSource clock;

  public AgreedDays(ArchiveObjects objects, InstantSource clock) {
    this.objects = objects;
    this.archived = new ArchivedRows(objects);
    this.clock = clock;
  }

  /**
   * Why rows of a tenant and mode may not leave yet.
   *
   * @param first the first day that did not agree, or was not compared; null if all were
   * @param days how many there are of those
   * @param last the last day that is archived; empty if none is
   * @param behind whether that is longer ago than it may be
   */
  public record Lacking(
      Partition partition,
      @Nullable LocalDate first,
      long days,
      Optional<LocalDate> last,
      boolean behind) {}

  /** The last day whose rows may leave now. */
  public LocalDate until() {
    return today().minusDays(Retention.IN_TABLE.toDays());
  }

  /** What keeps the rows of a tenant and mode from leaving; empty if nothing does. */
  public Optional<Lacking> lacking(Partition partition) {
    LocalDate born = LocalDate.ofInstant(partition.tenant().madeAt(), ZoneOffset.UTC);
    Set<LocalDate> agreed =
        objects.list(ArchiveNames.audits(partition)).stream()
            .flatMap(name -> ArchiveNames.dayOfAgreed(name, AuditAge.LAST).stream())
            .collect(Collectors.toSet());
    List<LocalDate> open =
        born.isAfter(until())
            ? List.of()
            : born.datesUntil(until().plusDays(1)).filter(day -> !agreed.contains(day)).toList();
    Optional<LocalDate> last = archived.last(partition);
    long since = ChronoUnit.DAYS.between(last.orElse(born.minusDays(1)), today());
    boolean behind = since > BEHIND;
    return open.isEmpty() && !behind
        ? Optional.empty()
        : Optional.of(
            new Lacking(
                partition, open.isEmpty() ? null : open.getFirst(), open.size(), last, behind));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }
}
