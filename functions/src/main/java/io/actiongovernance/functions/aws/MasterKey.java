package io.actiongovernance.functions.aws;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** The master key of a deployment, which Secrets Manager keeps: read once, at a cold start. */
public final class MasterKey {
  /** Names the secret; a function's environment holds this, never the key. */
  public static final String SECRET = "GOVERNANCE_MASTER_KEY_SECRET";

  private static final String KEY = "GOVERNANCE_MASTER_KEY";

  private MasterKey() {}

  /** The environment with the key that its secret holds; unchanged where it names none. */
  public static Map<String, String> resolved(Map<String, String> environment) {
    String secret = environment.get(SECRET);
    if (secret == null || secret.isBlank()) {
      return environment;
    }
    Map<String, String> resolved = new HashMap<>(environment);
    try (SecretsManagerClient secrets =
        AwsClients.secrets(AwsClients.Maker.of(TimeLimits.ofRequests()))) {
      resolved.put(KEY, secrets.getSecretValue(get -> get.secretId(secret)).secretString());
    }
    return resolved;
  }
}
