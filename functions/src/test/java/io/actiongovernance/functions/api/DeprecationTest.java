package io.actiongovernance.functions.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Announced ends (specification, Versioning 5). */
final class DeprecationTest {
  @Test
  void aYearOfNoticeIsTheLeast() {
    LocalDate announced = Change.REVISION_2026_09_01.date();
    new Deprecation(Change.REVISION_2026_09_01, announced.plusYears(1));
    assertThatThrownBy(
            () -> new Deprecation(Change.REVISION_2026_09_01, announced.plusYears(1).minusDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void everyRevisionButTheLatestIsDeprecatedAndItsAnnouncementNamesTheDay(Revision revision) {
    assertThat(revision.deprecation().isEmpty()).isEqualTo(revision == Revision.LATEST);
    revision
        .deprecation()
        .ifPresent(
            deprecation ->
                assertThat(deprecation.announcement().text())
                    .contains(deprecation.sunset().toString()));
  }
}
