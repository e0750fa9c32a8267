package io.actiongovernance.operator;

import com.cronutils.model.definition.CronConstraintsFactory;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When an operator runs without an event: {@code rate(15 minutes)} or {@code cron(0 9 ? * MON-FRI
 * *)}, as EventBridge Scheduler takes them, in UTC (contract, section 4). A rate counts from when
 * the operator came to run by it. Immutable.
 */
public record Schedule(String expression) {
  private static final int LONGEST = 256;
  private static final Pattern RATE =
      Pattern.compile("rate\\(([1-9][0-9]{0,5}) (minute|minutes|hour|hours|day|days)\\)");

  /** The library's last execution is one before the instant, not at it. */
  private static final Duration WITHIN = Duration.ofMillis(1);

  private static final Pattern CRON = Pattern.compile("cron\\((\\S+(?: \\S+){5})\\)");

  public Schedule {
    if (!isValid(expression)) {
      throw new IllegalArgumentException("No schedule: " + expression);
    }
  }

  /** The schedule, if the text is one. */
  public static Optional<Schedule> parse(String text) {
    return isValid(text) ? Optional.of(new Schedule(text)) : Optional.empty();
  }

  /** The first time it is due after the instant; nothing if it never is again. */
  public Optional<Instant> next(Instant after) {
    return execution()
        .map(cron -> cron.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toInstant))
        .orElseGet(() -> Optional.of(after.plus(rate())));
  }

  /**
   * The last time it was due, where it has come due at least once: what was missed before is not
   * made up for.
   *
   * @param due a time it was due
   * @param now that time or later
   */
  public Instant latest(Instant due, Instant now) {
    return execution()
        .map(
            cron ->
                cron.lastExecution(now.plus(WITHIN).atZone(ZoneOffset.UTC))
                    .map(ZonedDateTime::toInstant)
                    .filter(last -> last.isAfter(due))
                    .orElse(due))
        .orElseGet(
            () -> due.plus(rate().multipliedBy(Duration.between(due, now).dividedBy(rate()))));
  }

  private Optional<ExecutionTime> execution() {
    var cron = CRON.matcher(expression);
    return cron.matches()
        ? Optional.of(ExecutionTime.forCron(new CronParser(definition()).parse(cron.group(1))))
        : Optional.empty();
  }

  private Duration rate() {
    var rate = RATE.matcher(expression);
    if (!rate.matches()) {
      throw new IllegalStateException("No rate: " + expression);
    }
    long count = Long.parseLong(rate.group(1));
    return switch (rate.group(2)) {
      case "minute", "minutes" -> Duration.ofMinutes(count);
      case "hour", "hours" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  private static boolean isValid(String text) {
    if (text.length() > LONGEST) {
      return false;
    }
    var cron = CRON.matcher(text);
    return cron.matches() ? isCron(cron.group(1)) : RATE.matcher(text).matches();
  }

  private static boolean isCron(String fields) {
    try {
      new CronParser(definition()).parse(fields).validate();
      return true;
    } catch (IllegalArgumentException e) {
      return false; // The library's word for a field out of range or an expression it cannot read.
    }
  }

  // Minutes, hours, day of month, month, day of week (SUN is 1), year; one of the two days must be
  // "?".
  private static CronDefinition definition() {
    return CronDefinitionBuilder.defineCron()
        .withMinutes()
        .withValidRange(0, 59)
        .and()
        .withHours()
        .withValidRange(0, 23)
        .and()
        .withDayOfMonth()
        .withValidRange(1, 31)
        .supportsL()
        .supportsW()
        .supportsQuestionMark()
        .and()
        .withMonth()
        .withValidRange(1, 12)
        .and()
        .withDayOfWeek()
        .withValidRange(1, 7)
        .withMondayDoWValue(2)
        .supportsHash()
        .supportsL()
        .supportsQuestionMark()
        .and()
        .withYear()
        .withValidRange(1970, 2199)
        .and()
        .withCronValidation(CronConstraintsFactory.ensureEitherDayOfWeekOrDayOfMonth())
        .instance();
  }
}
