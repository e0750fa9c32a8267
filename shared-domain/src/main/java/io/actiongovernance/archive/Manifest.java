package io.actiongovernance.archive;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What says that a day of a tenant and mode is complete: everything that came to its end on that
 * day is in the objects it names. It is written last and once, and says nothing of when, so that
 * the same day is the same manifest.
 *
 * @param form of the archive's objects: {@value #FORM}
 * @param day the day, in UTC: {@code 2026-11-24}
 * @param index the name of the object with the hashes of the filter values; null where nothing was
 *     written
 * @param indexSha256 of its content
 * @param openPlans those met on this day or before that had not ended
 * @param openActions the same, of actions whose plan has ended: unknown, or being undone
 */
public record Manifest(
    int form,
    String day,
    List<Part> parts,
    @Nullable String index,
    @Nullable String indexSha256,
    List<PlanId> openPlans,
    List<ActionId> openActions) {
  /** What is written today. */
  static final int FORM = 1;

  public Manifest {
    if (form != FORM) {
      throw new IllegalStateException("The archive was written by a later release: form " + form);
    }
    parts = List.copyOf(parts);
    openPlans = List.copyOf(openPlans);
    openActions = List.copyOf(openActions);
  }

  /**
   * An object with rows.
   *
   * @param day of the identifiers of what is in it
   * @param sha256 of its content
   * @param rows how many it holds
   * @param sum of the first eight bytes of the SHA-256 of each line, in hex: of the same rows it is
   *     the same, however they are divided
   * @param first the least identifier that it has rows of; null if it may have any
   * @param last the greatest
   */
  public record Part(
      String name,
      RowKind kind,
      String day,
      String sha256,
      long rows,
      String sum,
      @Nullable String first,
      @Nullable String last) {
    /** Whether it may have rows of an identifier. */
    boolean spans(String id) {
      return (first == null || id.compareTo(first) >= 0)
          && (last == null || id.compareTo(last) <= 0);
    }

    /** Whether it may have rows of an identifier in a range. */
    boolean overlaps(@Nullable String from, @Nullable String below) {
      return (from == null || last == null || last.compareTo(from) >= 0)
          && (below == null || first == null || first.compareTo(below) < 0);
    }

    boolean isOf(RowKind other, LocalDate otherDay) {
      return kind == other && day.equals(otherDay.toString());
    }
  }

  byte[] bytes() {
    return Json.write(this).getBytes(StandardCharsets.UTF_8);
  }

  static Manifest read(byte[] bytes) {
    return Json.read(new String(bytes, StandardCharsets.UTF_8), Manifest.class);
  }

  /** How many rows it names. */
  public long rows() {
    return parts.stream().mapToLong(Part::rows).sum();
  }
}
