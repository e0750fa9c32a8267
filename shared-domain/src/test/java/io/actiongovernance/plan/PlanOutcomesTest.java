package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What became of an executed plan, in counts and in a word. */
final class PlanOutcomesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, 0, 0, 0, applied",
    "2, 0, 0, 0, 1, 0, applied",
    "0, 0, 0, 0, 2, 0, deduplicated",
    "1, 1, 0, 0, 0, 0, partly applied",
    "1, 0, 0, 0, 0, 1, partly applied",
    "0, 0, 1, 0, 1, 0, partly applied",
    "0, 2, 0, 0, 0, 0, refused",
    "0, 2, 0, 0, 0, 1, refused",
    "0, 0, 1, 0, 0, 0, failed",
    "0, 1, 1, 0, 0, 0, not applied",
    "3, 0, 0, 1, 0, 0, unknown"
  })
  void theWordNeverClaimsMoreThanApplied(
      int applied,
      int refused,
      int failed,
      int unknown,
      int deduplicated,
      int skipped,
      String word) {
    PlanOutcomes outcomes =
        new PlanOutcomes(applied, refused, failed, unknown, deduplicated, skipped);
    assertThat(outcomes.word()).isEqualTo(word);
    assertThat(Json.read(Json.write(outcomes), PlanOutcomes.class)).isEqualTo(outcomes);
  }

  @Test
  void anExecutedPlanCountsTheOutcomesOfItsActions() {
    LoopFixture fixture = new LoopFixture();
    Plan plan = fixture.propose(fixture.refund("1", 50), fixture.refund("2", 60));
    fixture.deliver();
    assertThat(fixture.again(plan).outcomes()).isEqualTo(new PlanOutcomes(2, 0, 0, 0, 0, 0));
  }
}
