package io.actiongovernance.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times at which an operator runs without an event: {@code rate(15 minutes)} or {@code cron(0 9 ? *
 * MON-FRI *)}, as in EventBridge Scheduler, in UTC (contract, section 4). A rate counts from when
 * the operator began to run by it. Immutable.
 */
public record Schedule(String expression) {
  public static final int LONGEST = 256;

  private static final Pattern ASCII = Pattern.compile("\\p{ASCII}*");
  private static final Pattern CRON = Pattern.compile("cron\\((.*)\\)");
  private static final Pattern RATE =
      Pattern.compile("rate\\(([1-9][0-9]{0,5}) (minute|minutes|hour|hours|day|days)\\)");

  /** EventBridge documents it as invalid. */
  private static final Pattern NTH_IN_LIST = Pattern.compile(".*(,\\S*#|#\\S*,).*");

  /**
   * @throws IllegalArgumentException if the expression is not a schedule
   */
  public Schedule {
    read(expression);
  }

  interface Times {
    /** Returns the first time after the instant; empty if none. */
    Optional<Instant> next(Instant after);

    /** Returns the last time until now, or {@code due} if there was none after it. */
    Instant latest(Instant due, Instant now);
  }

  private record Rate(Duration period) implements Times {
    static Rate of(String count, String unit) {
      long number = Long.parseLong(count);
      return new Rate(
          switch (unit.charAt(0)) {
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          });
    }

    @Override
    public Optional<Instant> next(Instant after) {
      return Optional.of(after.plus(period));
    }

    @Override
    public Instant latest(Instant due, Instant now) {
      return due.plus(period.multipliedBy(Duration.between(due, now).dividedBy(period)));
    }
  }

  /** Returns why a text is not a schedule, as {@code must …}. */
  public static Optional<String> problem(String text) {
    try {
      read(text);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Returns the first time after the instant; empty if it is never due again. */
  public Optional<Instant> next(Instant after) {
    return read(expression).next(after);
  }

  /**
   * Returns the last time it was due; earlier missed runs are not made up for.
   *
   * @param due a time it was due
   * @param now that time or later
   */
  public Instant latest(Instant due, Instant now) {
    return read(expression).latest(due, now);
  }

  private static Times read(String text) {
    if (text.length() > LONGEST || !ASCII.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must have at most " + LONGEST + " characters, all of them ASCII");
    }
    Matcher cron = CRON.matcher(text);
    if (cron.matches()) {
      Times times = new Cron(cron.group(1));
      if (NTH_IN_LIST.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "must have a day of week with # on its own, not in a list");
      }
      return times;
    }
    Matcher rate = RATE.matcher(text);
    if (rate.matches()) {
      return Rate.of(rate.group(1), rate.group(2));
    }
    throw new IllegalArgumentException(
        text.startsWith("rate(")
            ? "must have a rate of 1 to 999999 minutes, hours or days, such as rate(15 minutes)"
            : "must be rate(…) or cron(…), such as rate(15 minutes) or cron(0 9 ? * MON-FRI *)");
  }
}
