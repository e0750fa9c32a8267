package io.actiongovernance.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key of one purpose, with the name by which its sealed texts identify it. Key and name are derived
 * from the same bytes and do not reveal them. Immutable and thread-safe.
 */
final class SealingKey {
  /** Length in bytes of a key, and of the source that a key is derived from. */
  static final int BYTES = 32;

  /** Length of a name in characters: four for every three bytes. */
  static final int NAME = 8;

  private static final int NONCE = 12;

  private final String name;
  private final byte[] bytes;
  private final SecretKey key;

  private SealingKey(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
    this.key = new SecretKeySpec(bytes, "AES");
  }

  /**
   * Derives a key from these bytes.
   *
   * @param label a different label derives a different key
   */
  static SealingKey derived(byte[] source, String label) {
    if (source.length != BYTES) {
      throw new IllegalArgumentException(
          "A master key must have 32 bytes, not " + source.length + ".");
    }
    return new SealingKey(
        base64(derive(source, "name", NAME / 4 * 3)), derive(source, label, BYTES));
  }

  /**
   * Reads a key that {@link #text} wrote.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  static SealingKey parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 2 || !parts[0].matches("[\\w-]{" + NAME + "}")) {
      throw new IllegalArgumentException(
          "A key must be written as its name, a colon and its bytes.");
    }
    byte[] bytes = Base64.getUrlDecoder().decode(parts[1]);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("A key must have 32 bytes, not " + bytes.length + ".");
    }
    return new SealingKey(parts[0], bytes);
  }

  /**
   * Returns the key's name and bytes as text. Anyone who has this text can open what the key
   * sealed.
   */
  String text() {
    return name + ":" + base64(bytes);
  }

  String name() {
    return name;
  }

  /**
   * Seals a text.
   *
   * @param header the part before the nonce; it is authenticated too
   */
  String seal(String header, String context, byte[] text, SecureRandom random) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, header, context, nonce).doFinal(text);
      return header
          + base64(ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens a text; empty if it was sealed with another key, header or context, or tampered with. */
  Optional<byte[]> open(String header, String context, String body) {
    try {
      byte[] all = Base64.getUrlDecoder().decode(body);
      // A text has only one valid spelling, although its last character has unused bits.
      if (all.length < NONCE || !base64(all).equals(body)) {
        return Optional.empty();
      }
      byte[] nonce = Arrays.copyOf(all, NONCE);
      return Optional.of(
          cipher(Cipher.DECRYPT_MODE, header, context, nonce)
              .doFinal(all, NONCE, all.length - NONCE));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, String header, String context, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(128, nonce));
    // The header has a fixed length, so no other header and context give the same bytes.
    cipher.updateAAD((header + context).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static byte[] derive(byte[] source, String label, int length) {
    HKDFParameterSpec spec =
        HKDFParameterSpec.ofExtract()
            .addIKM(source)
            .thenExpand(label.getBytes(StandardCharsets.UTF_8), length);
    try {
      return KDF.getInstance("HKDF-SHA256").deriveData(spec);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
