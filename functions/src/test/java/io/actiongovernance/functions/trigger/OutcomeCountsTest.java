package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is counted of the changes of the tables. */
final class OutcomeCountsTest {
  private static final Map<String, String> NOTHING = Map.of();
  private static final Map<String, String> PENDING = Map.of("sk", "dlv_1", "status", "pending");
  private static final Map<String, String> SUCCEEDED = Map.of("sk", "dlv_1", "status", "succeeded");

  private static Map<String, String> receipt(String outcome) {
    return receipt("action", outcome);
  }

  private static Map<String, String> receipt(String kind, String outcome) {
    return Map.of(
        "kind", "receipt", "doc", "{\"kind\":\"%s\",\"outcome\":\"%s\"}".formatted(kind, outcome));
  }

  @Test
  void actionsAreCountedByTheOutcomesOfTheirReceipts() {
    OutcomeCounts tally =
        OutcomeCounts.of(
            List.of(
                Changes.of(NOTHING, receipt("applied")),
                Changes.of(NOTHING, receipt("failed")),
                Changes.of(NOTHING, receipt("undo", "applied")),
                Changes.of(NOTHING, receipt("config", "applied"))));
    assertThat(tally.actions()).isEqualTo(Map.of("applied", 2L, "failed", 1L));
    assertThat(tally.deliveries()).isEmpty();
  }

  @Test
  void aDeliveryIsCountedWhenItEnds() {
    OutcomeCounts tally =
        OutcomeCounts.of(
            List.of(
                Changes.of(NOTHING, PENDING),
                Changes.of(PENDING, PENDING),
                Changes.of(PENDING, SUCCEEDED),
                Changes.of(SUCCEEDED, SUCCEEDED),
                Changes.of(SUCCEEDED, NOTHING)));
    assertThat(tally.deliveries()).isEqualTo(Map.of("succeeded", 1L));
  }

  @Test
  void otherChangesAreNotCounted() {
    OutcomeCounts tally =
        OutcomeCounts.of(
            List.of(
                Changes.of(NOTHING, Map.of("kind", "plan", "sk", "pl_1", "status", "executed")),
                Changes.of(receipt("applied"), receipt("applied"))));
    assertThat(tally.actions()).isEmpty();
    assertThat(tally.deliveries()).isEmpty();
  }
}
