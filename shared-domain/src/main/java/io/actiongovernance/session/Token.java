package io.actiongovernance.session;

import io.actiongovernance.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * The secret part of what a browser shows: 32 random bytes, of which only the SHA-256 is stored.
 */
final class Token {
  private static final int BYTES = 32;

  /** How many characters each has. */
  static final int LENGTH = 43;

  private Token() {}

  /**
   * A new one.
   *
   * @param random not to be foreseen
   */
  static String next(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What stands for it in the store. */
  static String hash(String token) {
    return CanonicalJson.sha256(token);
  }

  /** Whether the hash is of this one; how long that takes tells nothing of it. */
  static boolean is(String token, String hash) {
    return MessageDigest.isEqual(
        hash(token).getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
  }
}
