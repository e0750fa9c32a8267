package io.actiongovernance.session;

import io.actiongovernance.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Secret part of a browser's cookie: 32 random bytes. Only their SHA-256 is stored. */
final class Token {
  private Token() {}

  static String hash(String token) {
    return CanonicalJson.sha256(token);
  }

  /** Compares in constant time, so that the duration reveals nothing. */
  static boolean is(String token, String hash) {
    return MessageDigest.isEqual(
        hash(token).getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
  }
}
