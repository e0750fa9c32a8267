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
 * What a call came back with, as it is kept.
 *
 * @param contentType as the source system says; null where it does not
 * @param truncated whether this is only the beginning of the answer
 * @param size bytes of the whole answer, as far as it was read, without credentials
 * @param sha256 of the same, in hex
 * @param expiresAt until when it can be read
 */
public record KeptResult(
    ActionId actionId,
    @Nullable String contentType,
    Content content,
    boolean truncated,
    long size,
    String sha256,
    Instant expiresAt) {

  /** How bytes are written as text. */
  public enum Encoding {
    TEXT,
    BASE64;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same with the beginning of its content, of at most so many bytes. */
  public KeptResult first(int most) {
    return content.size() <= most
        ? this
        : new KeptResult(actionId, contentType, content.first(most), true, size, sha256, expiresAt);
  }

  /** The bytes that are kept. Immutable, so long as nobody changes them. */
  public static final class Content {
    private final Encoding encoding;
    private final byte[] bytes;

    Content(Encoding encoding, byte[] bytes) {
      this.encoding = encoding;
      this.bytes = bytes;
    }

    /** Text, if the bytes are UTF-8. */
    public Encoding encoding() {
      return encoding;
    }

    /** How many bytes there are. */
    public int size() {
      return bytes.length;
    }

    byte[] bytes() {
      return bytes;
    }

    /** The bytes in their encoding. */
    public String body() {
      return encoding == Encoding.TEXT
          ? new String(bytes, StandardCharsets.UTF_8)
          : Base64.getEncoder().encodeToString(bytes);
    }

    /** At most so many of them, no character of a text cut in two. */
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
