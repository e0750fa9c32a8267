package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long an entity settles after a call of which nobody knows (contract, section 5). */
class EndingTest {
  private static final Verdict VERDICT = new Verdict(Decision.ALLOW, 2, "small");

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 100})
  void theConnectorsSettleTimeCountsEvenWithoutTheTool(long seconds) {
    Connector connector =
        new ConnectorFixture()
            .installed(
                "{'listing_id':'cn-sandbox','name':'box','config':{'settle_seconds':%d}}"
                    .formatted(seconds));
    Ending ending = Ending.abandoned(VERDICT, "the executor was interrupted");
    assertThat(ending.ofNoTool(Optional.of(connector), Duration.ofSeconds(150)).settle())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 150})
  void theSettleTimeAtTheCallCountsForADeletedConnector(long seconds) {
    Ending ending = Ending.abandoned(VERDICT, "the executor was interrupted");
    Duration said = Duration.ofSeconds(seconds);
    assertThat(ending.ofNoTool(Optional.empty(), said).settle()).isEqualTo(said);
  }

  @Test
  void anUnknownSettleTimeIsAMinute() {
    Ending ending = Ending.abandoned(VERDICT, "the executor was interrupted");
    assertThat(ending.ofNoTool(Optional.empty(), null).settle()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void anUncalledActionLeavesNothingToSettle() {
    Ending ending = Ending.refused(VERDICT, null);
    assertThat(ending.ofNoTool(Optional.empty(), null).settle()).isZero();
  }
}
