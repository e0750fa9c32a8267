package io.actiongovernance.session;

import io.actiongovernance.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The secret part of what a browser shows: 32 random bytes, of which only the SHA-256 is stored.
 */
final class Token {
  private Token() {}

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
