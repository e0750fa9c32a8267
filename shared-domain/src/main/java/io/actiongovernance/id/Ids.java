package io.actiongovernance.id;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes identifiers: a prefix and a ULID in lower case. A ULID is 26 characters of Crockford
 * base32, ten of time in milliseconds and sixteen random, so that identifiers sort by time of
 * creation (contract, section 1). Identifiers that one instance makes in the same millisecond sort
 * in the order in which they were made. Thread-safe if its random source is.
 */
public final class Ids {
  private static final int LONGEST_OPAQUE = 100;
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 26;

  /** Number of values of the last character, and so the maximum number of shards. */
  public static final int SHARDS = ALPHABET.length();

  private final InstantSource clock;
  private final RandomGenerator random;
  private long lastMillis = -1;
  private long lastHigh;
  private long lastLow;

  public Ids(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns the next ULID, without a prefix. */
  public synchronized String next() {
    long millis = Math.max(clock.millis(), lastMillis);
    if (millis > lastMillis) {
      lastHigh = random.nextLong() & 0xFF_FFFF_FFFFL;
      lastLow = random.nextLong() & 0xFF_FFFF_FFFFL;
    } else {
      // Same millisecond: add a random step to the last one, so that the order is kept and nothing
      // can be guessed. The step is so large that the order does not depend on the last character.
      long step = SHARDS + (random.nextLong() & 0xFFFF_FFFFL);
      lastLow += step;
      lastHigh += lastLow >>> 40;
      lastLow &= 0xFF_FFFF_FFFFL;
    }
    lastMillis = millis;
    return encode(millis, 10) + encode(lastHigh, 8) + encode(lastLow, 8);
  }

  /**
   * Returns the least ULID of an instant. Identifiers made at this instant or later sort at or
   * after it; all others sort before it.
   */
  public static String floor(Instant instant) {
    // A ULID has whole milliseconds: a fraction is rounded up.
    long whole = instant.plusNanos(999_999).toEpochMilli();
    long millis = Math.max(0, Math.min(whole, (1L << 48) - 1));
    return encode(millis, 10) + "0".repeat(16);
  }

  /**
   * Returns a ULID of an instant, to the millisecond, that depends only on the instant and the
   * seed. It is for objects that must be created once, however often their cause is reported.
   */
  public static String derived(Instant instant, String seed) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
      ByteBuffer bytes = ByteBuffer.wrap(hash);
      long high = bytes.getLong() & 0xFF_FFFF_FFFFL;
      long low = bytes.getLong() & 0xFF_FFFF_FFFFL;
      return encode(instant.toEpochMilli(), 10) + encode(high, 8) + encode(low, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the shard that an identifier names by its last character, from 0 to {@value #SHARDS}
   * less one; 0 if the identifier was not made here.
   */
  static int shardOf(String id) {
    return Math.max(0, ALPHABET.indexOf(id.charAt(id.length() - 1)));
  }

  /**
   * Returns the ULID with its last character replaced, so that it names one of this many shards, a
   * power of two.
   */
  static String amongShards(String ulid, int shards) {
    return inShard(ulid, shardOf(ulid) & (shards - 1));
  }

  /** Returns the ULID with its last character replaced, so that it names this shard. */
  static String inShard(String ulid, int shard) {
    return ulid.substring(0, ulid.length() - 1) + ALPHABET.charAt(shard);
  }

  /** Returns when an identifier was made, from its ULID. */
  public static Instant timeOf(String body) {
    long millis = 0;
    for (int at = 0; at < 10; at++) {
      millis = millis << 5 | ALPHABET.indexOf(body.charAt(at));
    }
    return Instant.ofEpochMilli(millis);
  }

  /** Returns whether the text is this prefix and a ULID as made here. */
  public static boolean isMinted(String prefix, String text) {
    return text.startsWith(prefix)
        && text.length() == prefix.length() + LENGTH
        && text.chars().skip(prefix.length()).allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  /**
   * Returns whether the text may be an identifier. For identifiers from outside, only the prefix is
   * assumed (specification, Identifiers).
   */
  static boolean isOpaque(String prefix, String text) {
    int body = text.length() - prefix.length();
    if (body < 1 || body > LONGEST_OPAQUE || !text.startsWith(prefix)) {
      return false;
    }
    for (int at = prefix.length(); at < text.length(); at++) {
      if (!isOpaque(text.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOpaque(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || c == '_'
        || c == '-'
        || c == '.'
        || c == ':';
  }

  static String require(String prefix, String text) {
    if (!isOpaque(prefix, text)) {
      throw new IllegalArgumentException("Not an identifier with prefix " + prefix + ": " + text);
    }
    return text;
  }

  static <T> Optional<T> parse(
      String prefix, String text, java.util.function.Function<String, T> make) {
    return isOpaque(prefix, text) ? Optional.of(make.apply(text)) : Optional.empty();
  }

  private static String encode(long value, int characters) {
    char[] out = new char[characters];
    for (int at = characters - 1; at >= 0; at--) {
      out[at] = ALPHABET.charAt((int) (value & 31));
      value >>>= 5;
    }
    return new String(out);
  }
}
