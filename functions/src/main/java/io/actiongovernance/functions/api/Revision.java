package io.actiongovernance.functions.api;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The published revisions, newest first. A revision affects only defaults (specification,
 * Versioning).
 */
public enum Revision {
  R2026_09_01("2026-09-01", 20, true, null),
  R2026_05_01(
      "2026-05-01",
      10,
      false,
      new Deprecation(Change.REVISION_2026_05_01_DEPRECATED, LocalDate.of(2027, 12, 1)));

  private final String date;
  private final int defaultLimit;
  private final boolean strict;
  private final @Nullable Deprecation deprecation;

  Revision(String date, int defaultLimit, boolean strict, @Nullable Deprecation deprecation) {
    this.date = date;
    this.defaultLimit = defaultLimit;
    this.strict = strict;
    this.deprecation = deprecation;
  }

  /** The revision of a request that names none. */
  public static final Revision LATEST = R2026_09_01;

  public String date() {
    return date;
  }

  /** The number of items on a page if the request does not specify a limit. */
  public int defaultLimit() {
    return defaultLimit;
  }

  /** Returns whether unknown fields and parameters are refused rather than ignored. */
  public boolean strict() {
    return strict;
  }

  /** The revision's announced removal; empty if none. */
  public Optional<Deprecation> deprecation() {
    return Optional.ofNullable(deprecation);
  }

  public static Optional<Revision> parse(String date) {
    return Arrays.stream(values()).filter(revision -> revision.date.equals(date)).findFirst();
  }
}
