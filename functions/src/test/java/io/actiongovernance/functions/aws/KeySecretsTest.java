package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/** What a function may do is known to IAM some seconds after its role was made. */
final class KeySecretsTest {
  private final List<Duration> pauses = new ArrayList<>();
  private int denials;

  @Test
  void readingTheKeyIsRetriedUntilItIsPermitted() {
    assertThat(read(3, Duration.ofSeconds(8))).isEqualTo("key");
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  void theWaitForTheKeyFitsIntoTheInitPhase() {
    Map<String, String> none = Map.of();
    Map<String, String> snapshot = Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    Map<String, String> provisioned =
        Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", "provisioned-concurrency");
    for (Map<String, String> environment : List.of(none, snapshot)) {
      pauses.clear();
      Duration patience = KeySecrets.patience(environment);
      assertThatThrownBy(() -> read(1_000, patience)).isInstanceOf(SecretsManagerException.class);
      Duration waited = pauses.stream().reduce(Duration.ZERO, Duration::plus);
      assertThat(waited).isBetween(patience.minusSeconds(4), patience);
    }
    assertThat(KeySecrets.patience(none)).isEqualTo(Duration.ofSeconds(8));
    assertThat(KeySecrets.patience(snapshot)).isEqualTo(Duration.ofMinutes(1));
    assertThat(KeySecrets.patience(provisioned)).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void otherFailuresAreNotRetried() {
    assertThatThrownBy(
            () ->
                KeySecrets.permitted(
                    () -> {
                      throw failure("ResourceNotFoundException");
                    },
                    Duration.ofMinutes(1),
                    pauses::add))
        .isInstanceOf(SecretsManagerException.class);
    assertThat(pauses).isEmpty();
  }

  private String read(int denied, Duration patience) {
    denials = denied;
    return KeySecrets.permitted(
        () -> {
          if (denials-- > 0) {
            throw failure("AccessDeniedException");
          }
          return "key";
        },
        patience,
        pauses::add);
  }

  private static RuntimeException failure(String code) {
    return SecretsManagerException.builder()
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
        .build();
  }
}
