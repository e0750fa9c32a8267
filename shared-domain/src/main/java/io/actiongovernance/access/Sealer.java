package io.actiongovernance.access;

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

/**
 * Seals texts so that nobody without a master key can read or forge them: AES-256-GCM under a key
 * derived per purpose by HKDF. What was sealed for one purpose and context opens for no other. Of
 * several master keys the first seals, and each opens what was sealed under it; so one can be
 * replaced while the service runs. Thread-safe.
 */
public final class Sealer {
  private static final int NONCE = 12;

  private final List<MasterKey> masterKeys;
  private final SecureRandom random;

  /**
   * @param masterKeys 32 bytes each, at least one
   */
  public Sealer(List<byte[]> masterKeys, SecureRandom random) {
    if (masterKeys.isEmpty()) {
      throw new IllegalArgumentException("There is no master key.");
    }
    this.masterKeys = masterKeys.stream().map(MasterKey::new).toList();
    this.random = random;
  }

  /** What is sealed, each under a key of its own. */
  public enum Purpose {
    CURSOR,
    CREDENTIALS,
    ANSWER,
    WEBHOOK_SECRET,
    AUTHORIZATION
  }

  /**
   * @param context what the text belongs to; must be given again to open it
   * @return URL-safe base64 without padding
   */
  public String seal(Purpose purpose, String context, byte[] text) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      byte[] sealed =
          masterKeys.getFirst().cipher(Cipher.ENCRYPT_MODE, purpose, context, nonce).doFinal(text);
      byte[] all = ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The text, unless it was sealed by another key, for another purpose or context, or tampered
   * with.
   */
  public Optional<byte[]> open(Purpose purpose, String context, String sealed) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(sealed);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    // Of one text there is one spelling, though the last character has bits to spare.
    boolean spelled = Base64.getUrlEncoder().withoutPadding().encodeToString(all).equals(sealed);
    return all.length < NONCE || !spelled
        ? Optional.empty()
        : masterKeys.stream().flatMap(key -> key.open(purpose, context, all).stream()).findFirst();
  }

  /** A master key, and what is derived from it. */
  private static final class MasterKey {
    private final byte[] bytes;

    /** Derived when first used: it takes longer than sealing a short text. */
    private final Map<Purpose, SecretKey> derived = new ConcurrentHashMap<>();

    MasterKey(byte[] bytes) {
      if (bytes.length != 32) {
        throw new IllegalArgumentException("A master key has 32 bytes, not " + bytes.length);
      }
      this.bytes = bytes.clone();
    }

    Optional<byte[]> open(Purpose purpose, String context, byte[] sealed) {
      byte[] nonce = Arrays.copyOf(sealed, NONCE);
      try {
        return Optional.of(
            cipher(Cipher.DECRYPT_MODE, purpose, context, nonce)
                .doFinal(sealed, NONCE, sealed.length - NONCE));
      } catch (GeneralSecurityException e) {
        return Optional.empty();
      }
    }

    Cipher cipher(int mode, Purpose purpose, String context, byte[] nonce)
        throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKey key = derived.computeIfAbsent(purpose, this::derive);
      cipher.init(mode, key, new GCMParameterSpec(128, nonce));
      cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
      return cipher;
    }

    private SecretKey derive(Purpose purpose) {
      HKDFParameterSpec spec =
          HKDFParameterSpec.ofExtract()
              .addIKM(bytes)
              .thenExpand(purpose.name().getBytes(StandardCharsets.UTF_8), 32);
      try {
        return KDF.getInstance("HKDF-SHA256").deriveKey("AES", spec);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
