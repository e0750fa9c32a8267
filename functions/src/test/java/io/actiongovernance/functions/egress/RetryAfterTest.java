package io.actiongovernance.functions.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The header {@code Retry-After} in the forms that RFC 9110 has clients read. */
class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-28T09:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | PT0S",
        "7 | PT7S",
        " 007  | PT7S",
        "0.2 | PT0.2S",
        "1.5 | PT1.5S",
        "99999999999999999999999 | PT8760H",
        "Sat, 28 Nov 2026 09:00:07 GMT | PT7S",
        "sat, 28 nov 2026 09:00:07 gmt | PT7S",
        "Mon, 28 Nov 2026 09:00:07 GMT | PT7S",
        "28 Nov 2026 09:00:07 GMT | PT7S",
        "Sat, 28 Nov 2026 10:00:07 +0100 | PT7S",
        "Saturday, 28-Nov-26 09:00:07 GMT | PT7S",
        "Sat Nov 28 09:00:07 2026 | PT7S",
        "Tue Dec  1 09:00:00 2026 | PT72H",
        "Sunday, 06-Nov-94 08:49:37 GMT | PT0S",
        "Sunday, 27-Nov-76 08:49:37 GMT | PT8760H",
        "Sunday, 29-Nov-76 08:49:37 GMT | PT0S",
        "Sun Nov  6 08:49:37 1994 | PT0S",
        "Sat, 28 Nov 9999 09:00:07 GMT | PT8760H",
      })
  void aWaitIsReadInEveryForm(String header, String wait) {
    assertThat(RetryAfter.read(header, NOW)).contains(Duration.parse(wait));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "-0.5",
        "1e3",
        "soon",
        "7s",
        "7, 8",
        "1.",
        ".5",
        "٧",
        "NaN",
        "Sat",
        "Sat, 31 Feb 2026 25:00:00 GMT",
        "28-Nov-2026 09:00:07 GMT",
        "2026-11-28T09:00:07Z"
      })
  void anInvalidRetryAfterIsIgnored(String header) {
    assertThat(RetryAfter.read(header, NOW)).isEmpty();
  }

  @Test
  void theLocaleOfTheProcessChangesNothing() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertThat(RetryAfter.read("Saturday, 28-Nov-26 09:00:07 GMT", NOW))
          .contains(Duration.ofSeconds(7));
    } finally {
      Locale.setDefault(before);
    }
  }
}
