package io.actiongovernance.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.actiongovernance.access.Sealer.Purpose;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is sealed, and what opens it while a master key is being replaced. */
final class SealerTest {
  private static final byte[] OLD = key(1);
  private static final byte[] NEW = key(2);

  @Test
  void whatWasSealedOpensForItsPurposeAndContextAlone() {
    Sealer sealer = sealer(OLD);
    String sealed = seal(sealer);
    assertThat(open(sealer, sealed)).contains("secret");
    assertThat(sealer.open(Purpose.CREDENTIALS, "another", sealed)).isEmpty();
    assertThat(sealer.open(Purpose.CURSOR, "context", sealed)).isEmpty();
    assertThat(open(sealer, sealed.substring(1))).isEmpty();
    assertThat(open(sealer, "short")).isEmpty();
    assertThat(open(sealer, "not base64!")).isEmpty();
  }

  @Test
  void thereIsOneSpellingOfWhatIsSealed() {
    Sealer sealer = sealer(OLD);
    // 34 bytes: the last of the 46 characters has four bits to spare.
    String sealed = seal(sealer);
    String other =
        sealed.substring(0, sealed.length() - 1) + (char) (sealed.charAt(sealed.length() - 1) + 1);
    assertThat(Base64.getUrlDecoder().decode(other))
        .isEqualTo(Base64.getUrlDecoder().decode(sealed));
    assertThat(open(sealer, other)).isEmpty();
    assertThat(open(sealer, sealed + "==")).isEmpty();
  }

  @Test
  void ofSeveralMasterKeysTheFirstSealsAndAnyOpens() {
    // As in a rotation: one process after the other learns the next key, then seals under it, and
    // all of them open what any of them sealed.
    List<Sealer> learning = List.of(sealer(OLD), sealer(OLD, NEW));
    List<Sealer> changing = List.of(sealer(OLD, NEW), sealer(NEW, OLD));
    for (List<Sealer> together : List.of(learning, changing)) {
      for (Sealer one : together) {
        for (Sealer other : together) {
          assertThat(open(other, seal(one))).contains("secret");
        }
      }
    }
    assertThat(open(sealer(OLD), seal(sealer(OLD, NEW)))).contains("secret");
    assertThat(open(sealer(OLD), seal(sealer(NEW, OLD)))).isEmpty();
  }

  @Test
  void aMasterKeyHas32Bytes() {
    assertThatIllegalArgumentException().isThrownBy(() -> sealer(new byte[31]));
    assertThatIllegalArgumentException().isThrownBy(() -> sealer(OLD, new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> sealer());
  }

  private static Sealer sealer(byte[]... masterKeys) {
    return new Sealer(List.of(masterKeys), new SecureRandom());
  }

  private static String seal(Sealer sealer) {
    return sealer.seal(Purpose.CREDENTIALS, "context", "secret".getBytes(UTF_8));
  }

  private static Optional<String> open(Sealer sealer, String sealed) {
    return sealer
        .open(Purpose.CREDENTIALS, "context", sealed)
        .map(opened -> new String(opened, UTF_8));
  }

  private static byte[] key(int filling) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) filling);
    return key;
  }
}
