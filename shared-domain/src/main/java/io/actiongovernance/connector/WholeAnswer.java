package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A source system's answer, byte for byte, but without the credentials that it repeated. Immutable,
 * so long as nobody changes the bytes.
 */
public final class WholeAnswer {
  /** Most bytes of an answer that are kept, and most bytes of an HTTP answer that are read. */
  public static final int LONGEST = 4 << 20;

  private final @Nullable String contentType;
  private final byte[] bytes;
  private final boolean cut;

  /**
   * @param contentType as the source system states it; null if it does not
   * @param cut whether there was more than is read
   */
  public WholeAnswer(@Nullable String contentType, byte[] bytes, boolean cut) {
    this.contentType = contentType;
    this.bytes = bytes;
    this.cut = cut;
  }

  /** An answer in JSON that was read whole. */
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

  /** Omits the content, which may be anything. */
  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
