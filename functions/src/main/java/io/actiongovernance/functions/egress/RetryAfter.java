package io.actiongovernance.functions.egress;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the header {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date in any of the
 * three forms of section 5.6.7. The weekday is ignored, because a wrong one does not change the
 * date. Stateless.
 */
final class RetryAfter {
  /** The longest wait returned; no caller waits longer. */
  static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,100}(\\.[0-9]{1,100})?");
  private static final Pattern WEEKDAY =
      Pattern.compile("^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? ", Pattern.CASE_INSENSITIVE);
  private static final String TIME = "HH:mm:ss";

  /**
   * The most years that an RFC 850 date may lie in the future. A later date belongs to the previous
   * century.
   */
  private static final int YEARS_AHEAD = 50;

  private RetryAfter() {}

  /** Returns the wait, counted from now; empty if the header is malformed. */
  static Optional<Duration> read(String value, Instant now) {
    String text = value.strip().replaceAll("\\s+", " ");
    return SECONDS.matcher(text).matches()
        ? Optional.of(seconds(new BigDecimal(text)))
        : date(WEEKDAY.matcher(text).replaceFirst(""), now).map(at -> until(at, now));
  }

  private static Duration seconds(BigDecimal seconds) {
    BigDecimal longest = BigDecimal.valueOf(LONGEST.toSeconds());
    return Duration.ofMillis(
        seconds.min(longest).scaleByPowerOfTen(3).setScale(0, RoundingMode.UP).longValueExact());
  }

  private static Duration until(Instant at, Instant now) {
    Duration wait = Duration.between(now, at);
    return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  private static Optional<Instant> date(String text, Instant now) {
    return parsed(text, zoned(pattern("d MMM uuuu " + TIME + " ")))
        .or(() -> parsed(text, asctime()))
        .or(() -> parsed(text, rfc850(now)).map(at -> notFarAhead(at, now)))
        .map(OffsetDateTime::toInstant);
  }

  /** Reads {@code Nov 6 08:49:37 1994}, which is always in UTC. */
  private static DateTimeFormatterBuilder asctime() {
    return pattern("MMM d " + TIME + " uuuu").parseDefaulting(ChronoField.OFFSET_SECONDS, 0);
  }

  /**
   * Reads {@code 06-Nov-94 08:49:37 GMT}. The two-digit year is within the hundred years around
   * now.
   */
  private static DateTimeFormatterBuilder rfc850(Instant now) {
    LocalDate first = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(99L - YEARS_AHEAD);
    return zoned(
        pattern("d-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, first)
            .appendPattern(" " + TIME + " "));
  }

  private static OffsetDateTime notFarAhead(OffsetDateTime at, Instant now) {
    OffsetDateTime furthest = now.atOffset(ZoneOffset.UTC).plusYears(YEARS_AHEAD);
    return at.isAfter(furthest) ? at.minusYears(100) : at;
  }

  private static DateTimeFormatterBuilder pattern(String pattern) {
    return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern);
  }

  private static DateTimeFormatterBuilder zoned(DateTimeFormatterBuilder date) {
    return date.appendOffset("+HHMM", "GMT");
  }

  private static Optional<OffsetDateTime> parsed(String text, DateTimeFormatterBuilder form) {
    try {
      return Optional.of(OffsetDateTime.parse(text, form.toFormatter(Locale.ENGLISH)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
