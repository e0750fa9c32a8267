package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the command line says of an environment besides its name. */
final class CommandLineTest {
  private static final String CERTIFICATE = "arn:aws:acm:eu-west-1:111122223333:certificate/x";

  @Test
  void aDeploymentToAwsHasNoEndpoint() {
    assertThatThrownBy(
            () ->
                GovernanceApp.environment(
                    "prod", Synthesised.context(Map.of("endpoint", "http://127.0.0.1:4566"))))
        .hasMessageContaining("localstack");
  }

  @Test
  void anInvalidFunctionSettingIsRefusedBeforeTheDeployment() {
    assertThatThrownBy(
            () ->
                GovernanceApp.environment(
                    "dev", Synthesised.context(Map.of("GOVERNANCE_STREAM_MAX_SECONDS", "0"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GOVERNANCE_STREAM_MAX_SECONDS");
  }

  @Test
  void theCommandLineNamesOtherModels() {
    String profile =
        "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/eu.amazon.nova-lite-v1:0";
    Environment environment =
        GovernanceApp.environment(
            "prod", Synthesised.context(Map.of("models", profile + ",amazon.nova-micro-v1:0")));
    assertThat(environment.models()).containsExactly(profile, "amazon.nova-micro-v1:0");
    assertThatThrownBy(
            () -> GovernanceApp.environment("prod", Synthesised.context(Map.of("models", " ,"))))
        .hasMessageContaining("models");
  }

  @Test
  void theCommandLineOverridesTheFile() {
    Environment environment =
        Environment.named("prod")
            .with(
                Map.of(
                    "GOVERNANCE_STREAM_MAX_SECONDS", "600", "GOVERNANCE_TELL_EVERYTHING", "true"))
            .with(Map.of("GOVERNANCE_STREAM_MAX_SECONDS", "60"));
    assertThat(environment.settings())
        .containsEntry("GOVERNANCE_STREAM_MAX_SECONDS", "60")
        .containsEntry("GOVERNANCE_TELL_EVERYTHING", "true");
  }

  @Test
  void prodSealsUnderDataKeysUnlessSetOtherwise() {
    assertThat(Environment.named("prod").settings()).containsEntry("GOVERNANCE_DATA_KEYS", "seal");
    assertThat(Environment.named("prod").with(Map.of("GOVERNANCE_DATA_KEYS", "open")).settings())
        .containsEntry("GOVERNANCE_DATA_KEYS", "open");
    for (String name : new String[] {"dev", "localstack"}) {
      assertThat(Environment.named(name).settings()).doesNotContainKey("GOVERNANCE_DATA_KEYS");
    }
  }

  @Test
  void theCommandLineNamesTheDomain() {
    Environment environment =
        GovernanceApp.environment(
            "prod",
            Synthesised.context(Map.of("domain", "api.example.com", "certificate", CERTIFICATE)));
    assertThat(environment.domain()).isEqualTo(new Domain("api.example.com", CERTIFICATE));
  }

  @Test
  void theCommandLineNamesAccountAndRegion() {
    Environment environment =
        GovernanceApp.environment(
            "dev", Synthesised.context(Map.of("account", "111122223333", "region", "eu-west-1")));
    assertThat(environment.place()).isEqualTo(new Place("111122223333", "eu-west-1"));
    assertThatThrownBy(
            () ->
                GovernanceApp.environment(
                    "dev", Synthesised.context(Map.of("region", "eu-west-1"))))
        .hasMessage("A place needs both -c account=ACCOUNT and -c region=REGION.");
  }
}
