package io.actiongovernance.functions.aws;

import io.actiongovernance.access.PurposeKeys;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/**
 * Derives the purpose keys from the master keys, and stores each in its own secret. Only this class
 * reads a master key. A repetition changes nothing. Not thread-safe.
 */
public final class KeyDerivation implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final SecretsManagerClient secrets;
  private final Sleeper sleeper;

  KeyDerivation(SecretsManagerClient secrets, Sleeper sleeper) {
    this.secrets = secrets;
    this.sleeper = sleeper;
  }

  public static KeyDerivation onAws() {
    return new KeyDerivation(KeySecrets.client(), Sleeper.real());
  }

  /**
   * Stores the derived keys in the secrets.
   *
   * @param masterKey the ARN of the secret with the master keys
   * @param purposes the ARNs of the purposes' secrets
   */
  public void derive(String masterKey, Map<Purpose, String> purposes) {
    PurposeKeys keys = Settings.derived(permitted(masterKey));
    purposes.forEach(
        (purpose, arn) -> {
          String wanted = keys.text(purpose);
          if (!holds(arn, wanted)) {
            secrets.putSecretValue(put -> put.secretId(arn).secretString(wanted));
          }
        });
  }

  /** Returns whether the secret has this value; a newly created secret has none. */
  private boolean holds(String arn, String wanted) {
    try {
      return wanted.equals(permitted(arn));
    } catch (ResourceNotFoundException e) {
      return false;
    }
  }

  private String permitted(String arn) {
    return KeySecrets.permitted(
        () -> secrets.getSecretValue(get -> get.secretId(arn)).secretString(), PATIENCE, sleeper);
  }

  @Override
  public void close() {
    secrets.close();
  }
}
