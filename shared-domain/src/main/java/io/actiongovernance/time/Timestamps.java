package io.actiongovernance.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/**
 * RFC 3339: always milliseconds and {@code Z} on the way out, any offset on the way in (contract,
 * section 1).
 */
public final class Timestamps {
  private static final DateTimeFormatter OUT =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'")
          .toFormatter(Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter IN =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          // Four digits and no sign: the pattern "uuuu" would take more.
          .appendValue(ChronoField.YEAR, 4)
          .appendPattern("-MM-dd'T'HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .appendOffset("+HH:MM", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private Timestamps() {}

  /** {@code 2026-11-20T21:44:07.412Z}. */
  public static String format(Instant instant) {
    return OUT.format(instant);
  }

  /**
   * The instant, if the text is RFC 3339 with an offset and can be written again, as a year of four
   * digits in UTC.
   */
  public static Optional<Instant> parse(String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text, IN).withOffsetSameInstant(ZoneOffset.UTC);
      return time.getYear() < 0 || time.getYear() > 9999
          ? Optional.empty()
          : Optional.of(time.toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
