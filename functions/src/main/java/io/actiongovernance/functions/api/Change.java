package io.actiongovernance.functions.api;

import java.time.LocalDate;
import java.util.Locale;

/**
 * The entries of the contract's changelog, newest first: revisions, and announced removals
 * (specification, Versioning).
 */
public enum Change {
  REVISION_2026_05_01_DEPRECATED(
      "2026-11-22",
      "Revision 2026-05-01 is deprecated",
      "This revision is removed on 2027-12-01 at the earliest, and not within /v1. Until then it"
          + " works as before, and every answer under it has Deprecation: true. To migrate, leave"
          + " out Service-Version or set it to 2026-09-01. Ask for limit=10 if you relied on it,"
          + " and send no parameters or fields that the contract does not know."),
  REVISION_2026_09_01(
      "2026-09-01",
      "Revision 2026-09-01",
      "A page of a list has 20 items instead of 10, unless limit says otherwise. Unknown query"
          + " parameters and unknown fields of a body are refused with 400 invalid_parameter"
          + " instead of being ignored."),
  REVISION_2026_05_01("2026-05-01", "Revision 2026-05-01", "The first revision.");

  private final LocalDate date;
  private final String title;
  private final String text;

  Change(String date, String title, String text) {
    this.date = LocalDate.parse(date);
    this.title = title;
    this.text = text;
  }

  /** The anchor of its entry on the changelog page. */
  public String anchor() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public LocalDate date() {
    return date;
  }

  public String title() {
    return title;
  }

  public String text() {
    return text;
  }
}
