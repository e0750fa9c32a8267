package io.actiongovernance.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/**
 * Timestamps by RFC 3339: always milliseconds and {@code Z} in output, any offset in input
 * (contract, section 1).
 */
public final class Timestamps {
  /** Form of the output, in which a zero stands for a digit. */
  private static final String FORM = "0000-00-00T00:00:00.000Z";

  private static final DateTimeFormatter OUT =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'")
          .toFormatter(Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter IN =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          // Four digits and no sign, because the pattern "uuuu" would accept more.
          .appendValue(ChronoField.YEAR, 4)
          .appendPattern("-MM-dd'T'HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .appendOffset("+HH:MM", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private Timestamps() {}

  /** Formats an instant: {@code 2026-11-20T21:44:07.412Z}. */
  public static String format(Instant instant) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    if (time.getYear() < 0 || time.getYear() > 9999) {
      return OUT.format(instant);
    }
    char[] text = FORM.toCharArray();
    put(text, 0, 4, time.getYear());
    put(text, 5, 2, time.getMonthValue());
    put(text, 8, 2, time.getDayOfMonth());
    put(text, 11, 2, time.getHour());
    put(text, 14, 2, time.getMinute());
    put(text, 17, 2, time.getSecond());
    put(text, 20, 3, time.getNano() / 1_000_000);
    return new String(text);
  }

  private static void put(char[] text, int from, int digits, int number) {
    int left = number;
    for (int at = from + digits - 1; at >= from; at--) {
      text[at] = (char) ('0' + left % 10);
      left /= 10;
    }
  }

  /**
   * Reads a text that this service wrote. It is like {@link Instant#parse}, but faster for the form
   * of {@link #format}.
   */
  public static Instant read(String text) {
    if (!hasForm(text)) {
      return Instant.parse(text);
    }
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 2),
            number(text, 8, 2),
            number(text, 11, 2),
            number(text, 14, 2),
            number(text, 17, 2),
            number(text, 20, 3) * 1_000_000)
        .toInstant(ZoneOffset.UTC);
  }

  private static boolean hasForm(String text) {
    if (text.length() != FORM.length()) {
      return false;
    }
    for (int at = 0; at < FORM.length(); at++) {
      char c = text.charAt(at);
      char form = FORM.charAt(at);
      if (form == '0' ? c < '0' || c > '9' : c != form) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int digits) {
    int number = 0;
    for (int at = from; at < from + digits; at++) {
      number = number * 10 + text.charAt(at) - '0';
    }
    return number;
  }

  /** Parses RFC 3339 with an offset; empty if its year in UTC would not have four digits. */
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
