package io.actiongovernance.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(1 minute)",
        "rate(15 minutes)",
        "rate(1 hour)",
        "rate(24 hours)",
        "rate(7 days)",
        "cron(0 9 ? * MON-FRI *)",
        "cron(15 10 * * ? *)",
        "cron(0/15 * * * ? *)",
        "cron(0 18 L * ? *)",
        "cron(0 8 1W * ? *)",
        "cron(0 8 ? * 2#1 *)",
        "cron(0 8 ? JAN,JUL SUN 2026-2030)",
        "cron(59 23 31 12 ? 2199)",
        "cron(30 9 31W * ? *)",
        "cron(30 9 LW * ? *)",
        "cron(0 9 1W,15W * ? *)",
        "cron(0 9 L-3 * ? *)",
        "cron(0 9 ? * FRIL *)",
        "cron(0 9 ? * 6#3 *)",
        "cron(0 22-8 ? OCT-MAR FRI-MON *)",
        "cron(0 9 25-3 11-2 ? *)",
        "cron(1-59/2,0 */6 * * ? 2026/2)",
        "cron(0  9 ? * mon-fri *)"
      })
  void expressionsOfEventBridgeSchedulerAreAccepted(String text) {
    assertThat(Schedule.problem(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rate()",
        "rate(0 minutes)",
        "rate(-1 minutes)",
        "rate(1.5 hours)",
        "rate(1 second)",
        "rate(1 weeks)",
        "rate(15 minutes) ",
        "RATE(15 minutes)",
        "at(2026-11-20T13:00:00)",
        "cron(0 9 * * MON-FRI)",
        "cron(0 9 * * MON-FRI *)",
        "cron(0 9 ? * ? *)",
        "cron(60 9 ? * MON *)",
        "cron(0 24 ? * MON *)",
        "cron(0 9 32 * ? *)",
        "cron(0 9 ? 13 MON *)",
        "cron(0 9 ? * 8 *)",
        "cron(0 9 ? * FOO *)",
        "cron(0 9 ? * MON 1969)",
        "cron(0 9 ? * MON 2200)",
        "cron(0 0 9 ? * MON *)",
        "cron(٠ 0 * * ? *)",
        "rate(١ minute)",
        "cron(0 9 ? * MON 2030-2026)",
        "cron(0/0 9 * * ? *)",
        "cron(0/61 9 * * ? *)",
        "cron(0, 9 * * ? *)",
        "cron(1-2-3 9 * * ? *)",
        "cron(*-5 9 * * ? *)",
        "cron(/ 9 * * ? *)",
        "cron(? 9 * * ? *)",
        "cron(0 9 1-15W * ? *)",
        "cron(0 9 1W/2 * ? *)",
        "cron(0 9 32W * ? *)",
        "cron(0 9 W * ? *)",
        "cron(0 9 LWW * ? *)",
        "cron(0 9 L-32 * ? *)",
        "cron(0 9 ?,1 * ? *)",
        "cron(0 9 ? * 6#6 *)",
        "cron(0 9 ? * 8L *)",
        "cron(0 9 ? * MON,6#3 *)",
        "cron(0 9 ? * 3#1,6#3 *)",
        "cron(0 9 ? * JAN *)",
        "cron(0 9 ? MON 2 *)",
        "cron(\n0 9 ? * MON *)",
        "0 9 ? * MON *"
      })
  void otherExpressionsAreRefused(String text) {
    assertThat(Schedule.problem(text)).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "every day | must be rate(…) or cron(…), such as rate(15 minutes) or cron(0 9 ? * MON-FRI"
            + " *)",
        "rate(5 weeks) | must have a rate of 1 to 999999 minutes, hours or days, such as rate(15"
            + " minutes)",
        "cron(0 9 * * MON) | must have six fields in cron(…): minutes, hours, day of month, month,"
            + " day of week, year",
        "cron(0 9 * * MON *) | must have ? as either its day of month or its day of week",
        "cron(0 24 ? * MON *) | has \"24\" as hours: it takes 0 to 23 and , - * /",
        "cron(0 9 ? FOO MON *) | has \"FOO\" as month: it takes 1 to 12, JAN to DEC and , - * /",
        "cron(0/90 9 ? * MON *) | has \"0/90\" as minutes: a step must be 1 to 60",
        "cron(0 9 ? * MON 2030-2026) | has \"2030-2026\" as year: a range of years must not end"
            + " before it starts",
        "cron(0 9 ? * 3#1,6#3 *) | must have a day of week with # on its own, not in a list",
        "cron(٠ 9 ? * MON *) | must have at most 256 characters, all of them ASCII"
      })
  void theProblemWithAScheduleIsNamed(String text, String problem) {
    assertThat(Schedule.problem(text)).contains(problem);
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  @ParameterizedTest
  @CsvSource({
    "rate(15 minutes), 2026-11-20T10:00:42.123Z, 2026-11-20T10:15:42.123Z",
    "rate(1 hour), 2026-11-20T23:30:00Z, 2026-11-21T00:30:00Z",
    "rate(7 days), 2026-11-20T10:00:00Z, 2026-11-27T10:00:00Z",
    "cron(0 9 ? * MON-FRI *), 2026-11-20T09:00:00Z, 2026-11-23T09:00:00Z",
    "cron(0/15 * * * ? *), 2026-11-20T10:00:00Z, 2026-11-20T10:15:00Z",
    "cron(0/15 * * * ? *), 2026-11-20T09:59:59.999Z, 2026-11-20T10:00:00Z",
    "cron(0 18 L * ? *), 2026-02-01T00:00:00Z, 2026-02-28T18:00:00Z",
    "cron(0 8 1W * ? *), 2026-07-15T00:00:00Z, 2026-08-03T08:00:00Z",
    "cron(0 8 ? * 2#1 *), 2026-11-20T00:00:00Z, 2026-12-07T08:00:00Z",
    "cron(0 0 29 2 ? *), 2026-11-20T00:00:00Z, 2028-02-29T00:00:00Z",
    "cron(59 23 31 12 ? 2040), 2026-11-20T00:00:00Z, 2040-12-31T23:59:00Z",
    // A day that a month does not have is left out, for the nearest weekday as well.
    "cron(30 9 31W * ? *), 2026-11-20T00:00:00Z, 2026-12-31T09:30:00Z",
    "cron(30 9 31W * ? *), 2027-01-01T00:00:00Z, 2027-01-29T09:30:00Z",
    "cron(30 9 30W * ? *), 2027-02-01T00:00:00Z, 2027-03-30T09:30:00Z",
    "cron(30 9 29W 2 ? *), 2027-01-01T00:00:00Z, 2028-02-29T09:30:00Z",
    // 28 February 2027 is a Sunday and the last day of its month: Friday is nearest within it.
    "cron(30 9 28W 2 ? *), 2027-01-01T00:00:00Z, 2027-02-26T09:30:00Z",
    "cron(30 9 LW * ? *), 2027-02-01T00:00:00Z, 2027-02-26T09:30:00Z",
    "cron(0 9 L-3 * ? *), 2026-11-20T00:00:00Z, 2026-11-27T09:00:00Z",
    // 15 November 2026 is a Sunday.
    "'cron(0 9 1W,15W * ? *)', 2026-11-03T00:00:00Z, 2026-11-16T09:00:00Z",
    "cron(0 22-8 * * ? *), 2026-11-20T22:00:00Z, 2026-11-20T23:00:00Z",
    "cron(0 22-8 * * ? *), 2026-11-20T08:00:00Z, 2026-11-20T22:00:00Z",
    "cron(0 22-2/2 * * ? *), 2026-11-20T22:00:00Z, 2026-11-21T00:00:00Z",
    "cron(0 9 1 OCT-MAR ? *), 2026-11-20T00:00:00Z, 2026-12-01T09:00:00Z",
    "cron(0 9 1 NOV-FEB ? *), 2027-02-02T00:00:00Z, 2027-11-01T09:00:00Z",
    "cron(0 9 25-3 * ? *), 2026-11-30T09:00:00Z, 2026-12-01T09:00:00Z",
    "cron(0 9 ? * L *), 2026-11-22T00:00:00Z, 2026-11-28T09:00:00Z",
    "cron(0 9 ? * FRIL *), 2026-11-20T09:00:00Z, 2026-11-27T09:00:00Z"
  })
  void theNextDueTimeFollowsTheSchedule(String schedule, String after, String next) {
    assertThat(new Schedule(schedule).next(at(after))).contains(at(next));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cron(0 9 ? * MON 2020)",
        "cron(0 0 30 2 ? *)",
        "cron(0 0 30W 2 ? *)",
        "cron(0 0 29W 2 ? 2027)",
        "cron(0 0 L-31 * ? *)"
      })
  void aScheduleThatLiesInThePastOrNeverComesIsNeverDue(String schedule) {
    assertThat(new Schedule(schedule).next(at("2026-11-20T00:00:00Z"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // Due, now, the last time it was due.
    "rate(1 hour), 2026-11-20T10:00:01Z, 2026-11-20T10:00:01Z, 2026-11-20T10:00:01Z",
    "rate(1 hour), 2026-11-20T10:00:01Z, 2026-11-20T10:59:59Z, 2026-11-20T10:00:01Z",
    "rate(1 hour), 2026-11-20T10:00:01Z, 2026-11-23T08:15:00Z, 2026-11-23T08:00:01Z",
    "cron(0 9 ? * MON-FRI *), 2026-11-20T09:00:00Z, 2026-11-20T09:00:00Z, 2026-11-20T09:00:00Z",
    "cron(0 9 ? * MON-FRI *), 2026-11-20T09:00:00Z, 2026-11-22T12:00:00Z, 2026-11-20T09:00:00Z",
    "cron(0 9 ? * MON-FRI *), 2026-11-20T09:00:00Z, 2026-11-24T09:00:00Z, 2026-11-24T09:00:00Z",
    "cron(0/15 * * * ? *), 2026-11-20T09:00:00Z, 2027-11-20T09:14:59.999Z, 2027-11-20T09:00:00Z",
    "cron(0 9 20 11 ? 2026), 2026-11-20T09:00:00Z, 2027-01-01T00:00:00Z, 2026-11-20T09:00:00Z"
  })
  void onlyTheLastMissedTimeCounts(String schedule, String due, String now, String latest) {
    assertThat(new Schedule(schedule).latest(at(due), at(now))).isEqualTo(at(latest));
  }
}
