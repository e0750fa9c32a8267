package io.actiongovernance.result;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.id.ActionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a call, as it is kept.
 *
 * @param contentType as the source system states it; null if it states none
 * @param truncated whether this is only the beginning of the answer
 * @param size size in bytes of the whole answer as far as it was read, without credentials
 * @param sha256 the SHA-256 of the same bytes, in hex
 * @param expiresAt the time until which it can be read
 */
public record KeptResult(
    ActionId actionId,
    @Nullable String contentType,
    Content content,
    boolean truncated,
    long size,
    String sha256,
    Instant expiresAt) {

  /** Encoding of bytes as text. */
  public enum Encoding {
    TEXT,
    BASE64;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns this result with the beginning of its content, at most {@code most} bytes. */
  public KeptResult first(int most) {
    return content.size() <= most
        ? this
        : new KeptResult(actionId, contentType, content.first(most), true, size, sha256, expiresAt);
  }

  /** Kept bytes. Immutable if the array is not changed. */
  public static final class Content {
    private final Encoding encoding;
    private final byte[] bytes;

    Content(Encoding encoding, byte[] bytes) {
      this.encoding = encoding;
      this.bytes = bytes;
    }

    /** Returns TEXT if the bytes are UTF-8. */
    public Encoding encoding() {
      return encoding;
    }

    /** Returns the size in bytes. */
    public int size() {
      return bytes.length;
    }

    byte[] bytes() {
      return bytes;
    }

    public String body() {
      return encoding == Encoding.TEXT
          ? new String(bytes, StandardCharsets.UTF_8)
          : Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns at most {@code most} bytes. Never splits a character of a text. */
    Content first(int most) {
      if (bytes.length <= most) {
        return this;
      }
      int end = most;
      while (encoding == Encoding.TEXT && end > 0 && (bytes[end] & 0xC0) == 0x80) {
        end--;
      }
      return new Content(encoding, Arrays.copyOf(bytes, end));
    }
  }
}
