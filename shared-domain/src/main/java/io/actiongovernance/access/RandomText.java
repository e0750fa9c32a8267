package io.actiongovernance.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;

/** Unguessable texts: 32 random bytes in base64url without padding. Stateless. */
public final class RandomText {
  public static final int LENGTH = 43;

  private static final int BYTES = 32;

  private RandomText() {}

  /**
   * Draws a text.
   *
   * @param random must be unpredictable
   */
  public static String next(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return base64(bytes);
  }

  /** Returns whether a text has this form. */
  public static boolean isOne(String text) {
    return text.matches("[A-Za-z0-9_-]{" + LENGTH + "}");
  }

  /**
   * Returns the SHA-256 of a text in base64url without padding: a code challenge by S256 (RFC
   * 7636).
   */
  public static String sha256(String text) {
    try {
      return base64(MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
