package io.actiongovernance.functions.aws;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.settings.Start;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * The keys of a function's purposes, each in its own secret. They are read once, at a cold start.
 */
public final class KeySecrets {
  /**
   * The variable that names the secrets: for each purpose its letter, {@code =} and the ARN of its
   * secret, separated by commas. A function's environment contains this variable, never a key.
   */
  public static final String SECRETS = "GOVERNANCE_KEY_SECRETS";

  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);
  private static final Logger LOG = LoggerFactory.getLogger(KeySecrets.class);

  private KeySecrets() {}

  /** The environment with the keys from its secrets; unchanged if it names none. */
  public static Map<String, String> resolved(Map<String, String> environment) {
    String named = environment.get(SECRETS);
    if (named == null || named.isBlank()) {
      return environment;
    }
    Map<String, String> resolved = new HashMap<>(environment);
    try (SecretsManagerClient secrets = client()) {
      String keys =
          Arrays.stream(named.split(","))
              .map(one -> one.split("=", 2))
              .map(
                  one ->
                      one[0]
                          + "="
                          + permitted(
                              () -> secret(secrets, one[1]), patience(environment), Sleeper.real()))
              .collect(Collectors.joining(";"));
      resolved.put(Settings.PURPOSE_KEYS, keys);
    }
    return resolved;
  }

  /** The value of {@link #SECRETS} for these secrets. */
  public static String named(Map<Purpose, String> arns) {
    return new TreeMap<>(arns)
        .entrySet().stream()
            .map(one -> one.getKey().letter() + "=" + one.getValue())
            .collect(Collectors.joining(","));
  }

  public static String secret(String arn) {
    try (SecretsManagerClient secrets = client()) {
      return secret(secrets, arn);
    }
  }

  static SecretsManagerClient client() {
    return AwsClients.secrets(AwsClients.Maker.of(TimeLimits.ofRequests()));
  }

  private static String secret(SecretsManagerClient secrets, String arn) {
    return secrets.getSecretValue(get -> get.secretId(arn)).secretString();
  }

  /**
   * The longest wait for a new permission to take effect. It is longer if no request waits for the
   * function to start.
   */
  static Duration patience(Map<String, String> environment) {
    return Start.of(environment).isAhead() ? Duration.ofMinutes(1) : Duration.ofSeconds(8);
  }

  /** Retries a read until IAM permits it; a new role's permissions take effect with a delay. */
  static <T> T permitted(Supplier<T> read, Duration patience, Sleeper sleeper) {
    Duration pause = FIRST_PAUSE;
    Duration left = patience;
    while (true) {
      try {
        return read.get();
      } catch (SecretsManagerException e) {
        if (!isDenied(e) || left.compareTo(pause) < 0) {
          throw e;
        }
        LOG.info("The keys may not be read yet", e);
      }
      sleeper.sleep(pause);
      left = left.minus(pause);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
  }

  private static boolean isDenied(SecretsManagerException e) {
    return e.awsErrorDetails() != null
        && "AccessDeniedException".equals(e.awsErrorDetails().errorCode());
  }
}
