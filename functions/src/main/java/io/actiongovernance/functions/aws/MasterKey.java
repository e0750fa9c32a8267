package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/** The master key of a deployment, which Secrets Manager keeps: read once, at a cold start. */
public final class MasterKey {
  /** Names the secret; a function's environment holds this, never the key. */
  public static final String SECRET = "GOVERNANCE_MASTER_KEY_SECRET";

  private static final String KEY = Settings.MASTER_KEY;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);
  private static final Logger LOG = LoggerFactory.getLogger(MasterKey.class);

  private MasterKey() {}

  /** The environment with the key that its secret holds; unchanged where it names none. */
  public static Map<String, String> resolved(Map<String, String> environment) {
    String secret = environment.get(SECRET);
    if (secret == null || secret.isBlank()) {
      return environment;
    }
    Map<String, String> resolved = new HashMap<>(environment);
    resolved.put(KEY, permitted(() -> secret(secret), patience(environment), Sleeper.real()));
    return resolved;
  }

  /** What a secret holds. */
  public static String secret(String arn) {
    try (SecretsManagerClient secrets =
        AwsClients.secrets(AwsClients.Maker.of(TimeLimits.ofRequests()))) {
      return secrets.getSecretValue(get -> get.secretId(arn)).secretString();
    }
  }

  /**
   * How long the role may still be without what it was just given. Lambda lets a process be made
   * for ten seconds where it is made for a request, and for more than two minutes where a snapshot
   * is taken of it.
   */
  static Duration patience(Map<String, String> environment) {
    return "snap-start".equals(environment.get("AWS_LAMBDA_INITIALIZATION_TYPE"))
        ? Duration.ofMinutes(1)
        : Duration.ofSeconds(8);
  }

  /** What is read, once IAM knows that it may be: what a new role may do is known after a while. */
  static String permitted(Supplier<String> read, Duration patience, Sleeper sleeper) {
    Duration pause = FIRST_PAUSE;
    Duration left = patience;
    while (true) {
      try {
        return read.get();
      } catch (SecretsManagerException e) {
        if (!isDenied(e) || left.compareTo(pause) < 0) {
          throw e;
        }
        LOG.info("The master key may not be read yet", e);
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
