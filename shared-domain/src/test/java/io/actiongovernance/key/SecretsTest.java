package io.actiongovernance.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SecretsTest {
  private final Secrets secrets = new Secrets(new SecureRandom());

  @Test
  void aSecretIsItsModesPrefix32RandomCharactersAndAChecksum() {
    Set<String> seen = new HashSet<>();
    for (int count = 0; count < 1000; count++) {
      String secret = secrets.next(Mode.TEST);
      assertThat(secret).matches("sk_test_[0-9A-Za-z]{38}");
      assertThat(Secrets.isWellFormed(secret)).isTrue();
      assertThat(seen.add(secret)).isTrue();
    }
  }

  @Test
  void aChangeOfAnyCharacterIsNoticed() {
    String secret = secrets.next(Mode.LIVE);
    for (int at = 0; at < secret.length(); at++) {
      char other = secret.charAt(at) == 'x' ? 'y' : 'x';
      String changed = secret.substring(0, at) + other + secret.substring(at + 1);
      assertThat(Secrets.isWellFormed(changed)).as(changed).isFalse();
    }
    assertThat(Secrets.isWellFormed(secret + "0")).isFalse();
    assertThat(Secrets.isWellFormed(secret.substring(1))).isFalse();
    assertThat(Secrets.isWellFormed("")).isFalse();
  }
}
