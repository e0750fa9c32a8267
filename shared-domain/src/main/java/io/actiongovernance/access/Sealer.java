package io.actiongovernance.access;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals texts so that nobody without a master key can read or forge them: AES-256-GCM under a key
 * derived per purpose by HKDF. What was sealed for one purpose and context opens for no other. Of
 * several master keys the first seals, and each opens what names it; so one can be replaced while
 * the service runs. Thread-safe.
 *
 * <p>A sealed text is {@code 1}, the mark of this form; the letter of its purpose; eight characters
 * that name its key; and nonce, ciphertext and tag in URL-safe base64. All that stands before the
 * nonce is authenticated with the context. So other keys, for one purpose or one tenant, and other
 * forms can come later, and what was sealed before still opens by what it says of itself.
 *
 * <p>The name of a master key is derived from it, and does not lead back to it. Who sees sealed
 * texts, in a log say, learns what each is for, about how long it is, and which were sealed under
 * the same key.
 */
public final class Sealer {
  private static final String FORM = "1";
  private static final int NONCE = 12;

  private final Map<String, MasterKey> byName;
  private final @Nullable MasterKey first;
  private final SecureRandom random;

  /**
   * @param masterKeys 32 bytes each; none where nothing may be sealed or opened
   */
  public Sealer(List<byte[]> masterKeys, SecureRandom random) {
    List<MasterKey> keys = masterKeys.stream().map(MasterKey::new).toList();
    this.first = keys.isEmpty() ? null : keys.getFirst();
    // One that is listed twice is one key.
    this.byName =
        keys.stream().collect(toUnmodifiableMap(key -> key.name, key -> key, (key, same) -> key));
    this.random = random;
  }

  /**
   * What is sealed, each under a key of its own. The letter is stored: it stays what it is, and no
   * other purpose ever gets it.
   */
  public enum Purpose {
    CURSOR('c'),
    CREDENTIALS('k'),
    ANSWER('a'),
    WEBHOOK_SECRET('w'),
    AUTHORIZATION('s'),
    RESULT('r'),
    REQUEST_STATE('q'),
    CHANNEL('d');

    private final char letter;

    Purpose(char letter) {
      this.letter = letter;
    }
  }

  /**
   * @param context what the text belongs to; must be given again to open it
   * @return characters of URL-safe base64
   * @throws IllegalStateException if there is no master key
   */
  public String seal(Purpose purpose, String context, byte[] text) {
    MasterKey first = requireKey(purpose);
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      byte[] sealed = first.cipher(Cipher.ENCRYPT_MODE, purpose, context, nonce).doFinal(text);
      byte[] all = ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
      return first.header(purpose) + base64(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The text, unless it was sealed in another form, by an unknown key, for another purpose or
   * context, or tampered with.
   *
   * @throws IllegalStateException if there is no master key
   */
  public Optional<byte[]> open(Purpose purpose, String context, String sealed) {
    requireKey(purpose);
    String before = FORM + purpose.letter;
    int from = before.length() + MasterKey.NAME;
    if (sealed.length() < from || !sealed.startsWith(before)) {
      return Optional.empty();
    }
    return Optional.ofNullable(byName.get(sealed.substring(before.length(), from)))
        .flatMap(key -> key.open(purpose, context, sealed.substring(from)));
  }

  private MasterKey requireKey(Purpose purpose) {
    if (first == null) {
      throw new IllegalStateException("There is no master key here, and none for " + purpose + ".");
    }
    return first;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** A master key, and what is derived from it. */
  private static final class MasterKey {
    /** Characters of a name, four for three bytes. */
    static final int NAME = 8;

    private final byte[] bytes;
    private final String name;

    /** Derived when first used: it takes longer than sealing a short text. */
    private final Map<Purpose, SecretKey> derived = new ConcurrentHashMap<>();

    MasterKey(byte[] bytes) {
      if (bytes.length != 32) {
        throw new IllegalArgumentException("A master key has 32 bytes, not " + bytes.length);
      }
      this.bytes = bytes.clone();
      this.name = base64(derive("name", NAME / 4 * 3));
    }

    String header(Purpose purpose) {
      return FORM + purpose.letter + name;
    }

    Optional<byte[]> open(Purpose purpose, String context, String body) {
      try {
        byte[] all = Base64.getUrlDecoder().decode(body);
        // Of one text there is one spelling, though the last character has bits to spare.
        if (all.length < NONCE || !base64(all).equals(body)) {
          return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(all, NONCE);
        return Optional.of(
            cipher(Cipher.DECRYPT_MODE, purpose, context, nonce)
                .doFinal(all, NONCE, all.length - NONCE));
      } catch (IllegalArgumentException | GeneralSecurityException e) {
        return Optional.empty();
      }
    }

    Cipher cipher(int mode, Purpose purpose, String context, byte[] nonce)
        throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKey key = derived.computeIfAbsent(purpose, this::key);
      cipher.init(mode, key, new GCMParameterSpec(128, nonce));
      // The header is of one length: no other header and context read the same.
      cipher.updateAAD((header(purpose) + context).getBytes(StandardCharsets.UTF_8));
      return cipher;
    }

    private SecretKey key(Purpose purpose) {
      return new SecretKeySpec(derive(FORM + purpose.letter, 32), "AES");
    }

    private byte[] derive(String label, int length) {
      HKDFParameterSpec spec =
          HKDFParameterSpec.ofExtract()
              .addIKM(bytes)
              .thenExpand(label.getBytes(StandardCharsets.UTF_8), length);
      try {
        return KDF.getInstance("HKDF-SHA256").deriveData(spec);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
