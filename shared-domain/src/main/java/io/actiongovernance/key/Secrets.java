package io.actiongovernance.key;

import io.actiongovernance.access.Mode;
import io.actiongovernance.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/**
 * The secrets of keys: {@code sk_live_} or {@code sk_test_}, 32 random base62 characters, and 6 of
 * checksum. The checksum reveals a mistyped or invented secret without a look-up (contract, section
 * 9). Only the SHA-256 of a secret is ever stored. Thread-safe if its random source is.
 */
final class Secrets {
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int RANDOM = 32;
  private static final int CHECKSUM = 6;

  private final RandomGenerator random;

  Secrets(RandomGenerator random) {
    this.random = random;
  }

  static String prefix(Mode mode) {
    return "sk_" + mode.wire() + "_";
  }

  String next(Mode mode) {
    StringBuilder secret = new StringBuilder(prefix(mode));
    for (int count = 0; count < RANDOM; count++) {
      secret.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return secret + checksum(secret.toString());
  }

  /** Returns whether the text has the form of a secret, including its checksum. */
  static boolean isWellFormed(String text) {
    for (Mode mode : Mode.values()) {
      if (text.startsWith(prefix(mode))
          && text.length() == prefix(mode).length() + RANDOM + CHECKSUM) {
        int end = text.length() - CHECKSUM;
        return checksum(text.substring(0, end)).equals(text.substring(end));
      }
    }
    return false;
  }

  /** Returns the stored form of a secret: its SHA-256 in hex. */
  static String hash(String secret) {
    return CanonicalJson.sha256(secret);
  }

  /**
   * Returns the part of the secret that a key always shows: the prefix and the last four
   * characters.
   */
  static String hint(Mode mode, String secret) {
    return prefix(mode) + secret.substring(secret.length() - 4);
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    long rest = crc.getValue();
    char[] out = new char[CHECKSUM];
    for (int at = CHECKSUM - 1; at >= 0; at--) {
      out[at] = ALPHABET.charAt((int) (rest % ALPHABET.length()));
      rest /= ALPHABET.length();
    }
    return new String(out);
  }
}
