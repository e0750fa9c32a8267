package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A source system's answer, byte for byte, but without any credentials that it repeated. Immutable,
 * if the bytes are not changed.
 */
public final class WholeAnswer {
  /** Maximum size in bytes of an answer that is kept, and of an HTTP answer that is read. */
  public static final int LONGEST = 4 << 20;

  private final @Nullable String contentType;
  private final byte[] bytes;
  private final boolean cut;

  /**
   * @param contentType as the source system states it; null if it does not
   * @param cut whether the answer was longer than the part that was read
   */
  public WholeAnswer(@Nullable String contentType, byte[] bytes, boolean cut) {
    this.contentType = contentType;
    this.bytes = bytes;
    this.cut = cut;
  }

  /** Returns an answer in JSON that was read whole. */
  public static WholeAnswer ofJson(JsonNode answer) {
    byte[] bytes = Json.write(answer).getBytes(StandardCharsets.UTF_8);
    return new WholeAnswer("application/json", bytes, false);
  }

  public @Nullable String contentType() {
    return contentType;
  }

  public byte[] bytes() {
    return bytes;
  }

  public boolean cut() {
    return cut;
  }

  /** Omits the content, which may contain anything. */
  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
