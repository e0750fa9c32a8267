package io.actiongovernance.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "2026-11-20T21:44:07.412Z, 2026-11-20T21:44:07.412Z",
    "2026-11-20T21:44:07Z, 2026-11-20T21:44:07.000Z",
    "2026-11-20T21:44:07.4129999Z, 2026-11-20T21:44:07.412Z",
    "2026-11-20T21:44:07.4Z, 2026-11-20T21:44:07.400Z",
    "2026-11-20T23:44:07+02:00, 2026-11-20T21:44:07.000Z",
    "2026-11-20T00:14:07-05:30, 2026-11-20T05:44:07.000Z",
    "2026-11-20t21:44:07z, 2026-11-20T21:44:07.000Z",
    "2024-02-29T00:00:00Z, 2024-02-29T00:00:00.000Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z"
  })
  void anyOffsetIsReadAndMillisecondsInUtcAreWritten(String in, String out) {
    assertThat(Timestamps.parse(in).map(Timestamps::format).orElse("")).isEqualTo(out);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-20",
        "2026-11-20T21:44:07",
        "2026-11-20 21:44:07Z",
        "2026-11-20T21:44Z",
        "2026-11-20T21:44:07.Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T21:60:00Z",
        "2026-13-20T21:44:07Z",
        "2026-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-11-20T21:44:07+0200",
        "2026-11-20T21:44:07+02",
        "20261120T214407Z",
        "+12026-11-20T21:44:07Z",
        "12026-11-20T21:44:07Z",
        "-0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59-05:00",
        "0000-01-01T00:00:00+01:00",
        "2026-11-20T21:44:07Z ",
        "1763675047"
      })
  void textThatIsNotRfc3339IsNotRead(String text) {
    assertThat(Timestamps.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999, 1_763_675_047_412L})
  void aWrittenTimestampReadsBackAsTheSame(long millis) {
    Instant instant = Instant.ofEpochMilli(millis);
    assertThat(Timestamps.parse(Timestamps.format(instant))).contains(instant);
    assertThat(Timestamps.read(Timestamps.format(instant))).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-01-01T00:00:00.000Z",
        "2024-02-29T23:59:59.999Z",
        "2026-11-20T21:44:07Z",
        "2026-11-20T21:44:07.412345678Z",
        "+10000-01-01T00:00:00.000Z",
        "-0001-12-31T23:59:59.999Z"
      })
  void aStoredTimestampIsReadAsInstantParseDoes(String text) {
    assertThat(Timestamps.read(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-29T00:00:00.000Z",
        "2026-11-20T21:60:07.000Z",
        "2026-11-20 21:44:07.000Z",
        "2026-11-2OT21:44:07.000Z",
        "now"
      })
  void aStoredTextThatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> Timestamps.read(text)).isInstanceOf(DateTimeException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0001-12-31T23:59:59.999Z", "+10000-01-01T00:00:00.000Z"})
  void yearsThatTakeMoreThanFourDigitsAreWrittenToo(String text) {
    assertThat(Timestamps.format(Instant.parse(text))).isEqualTo(text);
  }
}
