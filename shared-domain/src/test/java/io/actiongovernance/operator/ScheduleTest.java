package io.actiongovernance.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
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
}
