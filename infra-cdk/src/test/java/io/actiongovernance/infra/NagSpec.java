package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of cdk-nag's pack {@code AwsSolutions} hold in every environment, but for what is
 * suppressed, with its reason, beside the thing it is about.
 */
final class NagSpec {
  @ParameterizedTest
  @ValueSource(strings = {"dev", "staging", "10k"})
  void noRuleIsBrokenWithoutAReason(String environment) {
    assertThat(Synthesised.of(Environment.named(environment)).broken()).isEmpty();
  }

  @Test
  void noRuleIsBrokenByAFullProductionEnvironment() {
    assertThat(Synthesised.PROD.broken()).isEmpty();
    assertThat(Synthesised.of(Synthesised.placed()).broken()).isEmpty();
  }
}
