package io.actiongovernance.functions.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.PurposeKeys;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.Sealer.Purpose;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.PutSecretValueRequest;
import software.amazon.awssdk.services.secretsmanager.model.PutSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * What functions seal and open under is derived from the master key, and opens what that sealed.
 */
final class KeyDerivationTest {
  private static final Map<Purpose, String> PURPOSES = new EnumMap<>(Purpose.class);

  static {
    for (Purpose purpose : Purpose.values()) {
      PURPOSES.put(purpose, "keys/" + purpose.wire());
    }
  }

  private final Map<String, String> secrets = new HashMap<>();
  private int puts;
  private int denials;

  private final SecretsManagerClient client =
      new SecretsManagerClient() {
        @Override
        public GetSecretValueResponse getSecretValue(GetSecretValueRequest get) {
          if (denials-- > 0) {
            throw SecretsManagerException.builder()
                .awsErrorDetails(
                    AwsErrorDetails.builder().errorCode("AccessDeniedException").build())
                .build();
          }
          String value = secrets.get(get.secretId());
          if (value == null) {
            throw ResourceNotFoundException.builder().message("It holds nothing.").build();
          }
          return GetSecretValueResponse.builder().secretString(value).build();
        }

        @Override
        public PutSecretValueResponse putSecretValue(PutSecretValueRequest put) {
          puts++;
          secrets.put(put.secretId(), put.secretString());
          return PutSecretValueResponse.builder().build();
        }

        @Override
        public String serviceName() {
          return "secretsmanager";
        }

        @Override
        public void close() {}
      };

  private void derive(String masterKeys) {
    secrets.put("master", masterKeys);
    try (KeyDerivation derivation = new KeyDerivation(client, _ -> {})) {
      derivation.derive("master", PURPOSES);
    }
  }

  private static String master(int filling) {
    byte[] key = new byte[32];
    key[0] = (byte) filling;
    return Base64.getEncoder().encodeToString(key);
  }

  private static Sealer all(String master) {
    return new Sealer(List.of(Base64.getDecoder().decode(master)), new SecureRandom());
  }

  /** A function of that purpose. */
  private Sealer of(Purpose purpose) {
    String keys = Objects.requireNonNull(secrets.get("keys/" + purpose.wire()));
    return new Sealer(PurposeKeys.read(purpose.letter() + "=" + keys), null, new SecureRandom());
  }

  @Test
  void textsSealedByTheMasterKeyOpenWithTheDerivedKey() {
    denials = 2; // its role is new
    derive(master(1));
    for (Purpose purpose : Purpose.values()) {
      String sealed = all(master(1)).seal(purpose, "context", "secret".getBytes(UTF_8));
      assertThat(of(purpose).open(purpose, "context", sealed)).isPresent();
    }
    assertThat(secrets.values().stream().filter(one -> one.contains(master(1)))).hasSize(1);
  }

  @Test
  void aMasterKeyIsReplacedInTwoDeployments() {
    derive(master(1));
    String before = of(Purpose.CURSOR).seal(Purpose.CURSOR, "context", new byte[1]);
    derive(master(1) + "," + master(2));
    Sealer learned = of(Purpose.CURSOR);
    derive(master(2) + "," + master(1));
    Sealer changed = of(Purpose.CURSOR);
    String after = changed.seal(Purpose.CURSOR, "context", new byte[1]);
    assertThat(after.substring(0, 10)).isNotEqualTo(before.substring(0, 10));
    for (Sealer sealer : List.of(learned, changed)) {
      assertThat(sealer.open(Purpose.CURSOR, "context", before)).isPresent();
      assertThat(sealer.open(Purpose.CURSOR, "context", after)).isPresent();
    }
  }

  @Test
  void aRepeatedDerivationWritesNothing() {
    derive(master(1));
    assertThat(puts).isEqualTo(Purpose.values().length);
    derive(master(1));
    assertThat(puts).isEqualTo(Purpose.values().length);
  }
}
