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
        "cron(59 23 31 12 ? 2199)"
      })
  void whatEventBridgeSchedulerTakesIsASchedule(String text) {
    assertThat(Schedule.parse(text)).contains(new Schedule(text));
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
        "0 9 ? * MON *"
      })
  void anythingElseIsNot(String text) {
    assertThat(Schedule.parse(text)).isEmpty();
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
    "cron(59 23 31 12 ? 2040), 2026-11-20T00:00:00Z, 2040-12-31T23:59:00Z"
  })
  void itIsDueNext(String schedule, String after, String next) {
    assertThat(new Schedule(schedule).next(at(after))).contains(at(next));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cron(0 9 ? * MON 2020)", "cron(0 0 30 2 ? *)"})
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
  void ofTheTimesThatWereMissedTheLastCounts(
      String schedule, String due, String now, String latest) {
    assertThat(new Schedule(schedule).latest(at(due), at(now))).isEqualTo(at(latest));
  }
}
