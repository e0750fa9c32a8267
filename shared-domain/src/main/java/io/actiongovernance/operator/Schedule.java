package io.actiongovernance.operator;

import com.cronutils.model.definition.CronConstraintsFactory;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When an operator runs without an event: {@code rate(15 minutes)} or {@code cron(0 9 ? * MON-FRI
 * *)}, as EventBridge Scheduler takes them, in UTC (contract, section 4). Immutable.
 */
public record Schedule(String expression) {
  private static final int LONGEST = 256;
  private static final Pattern RATE =
      Pattern.compile("rate\\([1-9][0-9]{0,5} (minute|minutes|hour|hours|day|days)\\)");
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
