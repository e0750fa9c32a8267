package io.actiongovernance.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.actiongovernance.access.Sealer.Purpose;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is sealed, what it says of itself, and what opens it while a master key is replaced. */
final class SealerTest {
  private static final byte[] OLD = key(1);
  private static final byte[] NEW = key(2);

  @Test
  void aSealedTextOpensOnlyForItsPurposeAndContext() {
    Sealer sealer = sealer(OLD);
    String sealed = seal(sealer);
    assertThat(open(sealer, sealed)).contains("secret");
    assertThat(sealer.open(Purpose.CREDENTIALS, "another", sealed)).isEmpty();
    assertThat(sealer.open(Purpose.CREDENTIALS, "", sealed)).isEmpty();
    for (String nothing : List.of("", "1", "1k", "short", sealed.substring(1), "not base64!")) {
      assertThat(open(sealer, nothing)).isEmpty();
    }
  }

  /** Texts stored by releases open for good: never write these values again. */
  @Test
  void theFormOfSealedTextsIsFixed() {
    Map<Purpose, String> golden = new EnumMap<>(Purpose.class);
    golden.put(Purpose.CURSOR, "1csRtrbEDPBwcHBwcHBwcHBwcH-GYdJErsI4TCv34b--XVIOEurCOblg");
    golden.put(Purpose.CREDENTIALS, "1ksRtrbEDPBwcHBwcHBwcHBwcHSBAs1EHDRnhBZKxh0NAyJ5YYC_ZowA");
    golden.put(Purpose.ANSWER, "1asRtrbEDPBwcHBwcHBwcHBwcHwPq051gpBdMy6F5KU0uwhZTt6fJI3Q");
    golden.put(Purpose.WEBHOOK_SECRET, "1wsRtrbEDPBwcHBwcHBwcHBwcHjInjlZM5vqY-5xBcaLHPipRktZSCKQ");
    golden.put(Purpose.AUTHORIZATION, "1ssRtrbEDPBwcHBwcHBwcHBwcH-n5N0c8h8Ur-hTt9kr2n1p9Lu2hdZw");
    golden.put(Purpose.RESULT, "1rsRtrbEDPBwcHBwcHBwcHBwcHreC5Q3PzukoorhJxM87zPEAKE1PTIA");
    golden.put(Purpose.REQUEST_STATE, "1qsRtrbEDPBwcHBwcHBwcHBwcHD3jAkXB8zp0eN04aSRFThSTLrGNCqA");
    golden.put(Purpose.CHANNEL, "1dsRtrbEDPBwcHBwcHBwcHBwcHdaBpDxbquGubTcgkHzwfML0Pp4Og5A");
    Sealer sealer = new Sealer(List.of(OLD), new Sevens());
    Map<Purpose, String> sealed = new EnumMap<>(Purpose.class);
    for (Purpose purpose : Purpose.values()) {
      sealed.put(purpose, sealer.seal(purpose, "context", "secret".getBytes(UTF_8)));
    }
    assertThat(sealed).isEqualTo(golden);
  }

  @Test
  void aSealedTextNamesItsFormPurposeAndKey() {
    String sealed = seal(sealer(OLD, NEW));
    assertThat(sealed).matches("1k[\\w-]{54}").startsWith("1k" + name(sealer(OLD)));
    assertThat(name(sealer(NEW))).isNotEqualTo(name(sealer(OLD)));
    // The name is not of the key's own bytes.
    assertThat(Base64.getUrlEncoder().encodeToString(OLD)).doesNotContain(name(sealer(OLD)));
  }

  @Test
  void aSealedTextWithAnotherPurposesHeaderDoesNotOpen() {
    Sealer sealer = sealer(OLD);
    for (Purpose purpose : Purpose.values()) {
      String sealed = sealer.seal(purpose, "context", "secret".getBytes(UTF_8));
      for (Purpose other : Purpose.values()) {
        String said = sealer.seal(other, "context", new byte[0]).substring(0, HEADER);
        String disguised = said + sealed.substring(HEADER);
        assertThat(sealer.open(other, "context", sealed).isPresent()).isEqualTo(other == purpose);
        assertThat(sealer.open(other, "context", disguised).isPresent())
            .isEqualTo(other == purpose);
        assertThat(sealer.open(purpose, "context", disguised).isPresent())
            .isEqualTo(other == purpose);
      }
    }
  }

  @Test
  void anotherFormOrAnUnknownKeyDoesNotOpen() {
    Sealer both = sealer(OLD, NEW);
    String sealed = seal(both);
    assertThat(open(both, sealed)).contains("secret");
    for (String form : List.of("0", "2", "k", "")) {
      assertThat(open(both, form + sealed.substring(1))).isEmpty();
    }
    // Named by the other key, by none, and by one that differs in a bit.
    String body = sealed.substring(HEADER);
    assertThat(open(both, "1k" + name(sealer(NEW)) + body)).isEmpty();
    assertThat(open(both, "1k" + name(sealer(key(3))) + body)).isEmpty();
    assertThat(open(both, "1k" + body)).isEmpty();
    char last = sealed.charAt(HEADER - 1);
    assertThat(open(both, sealed.substring(0, HEADER - 1) + (char) (last ^ 1) + body)).isEmpty();
  }

  @Test
  void aSealedTextWithAnyChangedCharacterDoesNotOpen() {
    for (int at = 0; at < seal(sealer(OLD)).length(); at++) {
      String sealed = seal(sealer(OLD));
      char other = sealed.charAt(at) == 'A' ? 'B' : 'A';
      String changed = sealed.substring(0, at) + other + sealed.substring(at + 1);
      assertThat(open(sealer(OLD), changed)).isEmpty();
    }
  }

  @Test
  void onlyTheExactSpellingOfASealedTextOpens() {
    Sealer sealer = sealer(OLD);
    // 34 bytes after the header: the last of their 46 characters has four bits to spare.
    String sealed = seal(sealer);
    String other =
        sealed.substring(0, sealed.length() - 1) + (char) (sealed.charAt(sealed.length() - 1) + 1);
    assertThat(Base64.getUrlDecoder().decode(other.substring(HEADER)))
        .isEqualTo(Base64.getUrlDecoder().decode(sealed.substring(HEADER)));
    assertThat(open(sealer, other)).isEmpty();
    assertThat(open(sealer, sealed + "==")).isEmpty();
    assertThat(open(sealer, sealed + "\n")).isEmpty();
    assertThat(open(sealer, " " + sealed)).isEmpty();
    assertThat(open(sealer, sealed.replace("1k", "1K"))).isEmpty();
  }

  @Test
  void theFirstMasterKeySealsAndAnyOpens() {
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
  void aKeyListedTwiceCountsOnce() {
    assertThat(open(sealer(NEW, OLD, NEW), seal(sealer(NEW)))).contains("secret");
  }

  @Test
  void aMasterKeyHas32Bytes() {
    assertThatIllegalArgumentException().isThrownBy(() -> sealer(new byte[31]));
    assertThatIllegalArgumentException().isThrownBy(() -> sealer(OLD, new byte[0]));
  }

  /** Using a sealer without a key is a fault, unlike a text that cannot be opened. */
  @Test
  void withoutAKeyNothingIsSealedAndNothingOpened() {
    assertThatIllegalStateException().isThrownBy(() -> seal(sealer()));
    assertThatIllegalStateException().isThrownBy(() -> open(sealer(), seal(sealer(OLD))));
  }

  /** So that a function has what it needs, and no other. */
  @Test
  void aSealerWithSomePurposeKeysOpensOnlyThosePurposes() {
    Sealer all = sealer(OLD, NEW);
    PurposeKeys keys = PurposeKeys.derived(List.of(OLD, NEW));
    String text = "c=%s;k=%s".formatted(keys.text(Purpose.CURSOR), keys.text(Purpose.CREDENTIALS));
    Sealer some = new Sealer(PurposeKeys.read(text), null, new SecureRandom());
    assertThat(open(some, seal(all))).contains("secret");
    assertThat(open(all, seal(some))).contains("secret");
    assertThat(open(some, seal(sealer(NEW)))).contains("secret");
    Sealer cursors = new Sealer(keys.only(Set.of(Purpose.CURSOR)), null, new SecureRandom());
    String cursor = cursors.seal(Purpose.CURSOR, "context", "secret".getBytes(UTF_8));
    assertThat(some.open(Purpose.CURSOR, "context", cursor)).isPresent();
    assertThatIllegalStateException().isThrownBy(() -> seal(cursors));
    assertThatIllegalStateException().isThrownBy(() -> open(cursors, seal(all)));
    // Of what it holds nothing is a master key, or leads to another purpose's.
    assertThat(text).doesNotContain(Base64.getUrlEncoder().withoutPadding().encodeToString(OLD));
    for (String none : List.of("", "c", "c=", "x=" + keys.text(Purpose.CURSOR), "c=12345678:AA")) {
      assertThatIllegalArgumentException().isThrownBy(() -> PurposeKeys.read(none));
    }
  }

  /** Characters before the nonce. */
  private static final int HEADER = 10;

  private static String name(Sealer sealer) {
    return seal(sealer).substring(2, HEADER);
  }

  /** Draws nothing but sevens. */
  private static final class Sevens extends SecureRandom {
    @Override
    public void nextBytes(byte[] bytes) {
      Arrays.fill(bytes, (byte) 7);
    }
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
