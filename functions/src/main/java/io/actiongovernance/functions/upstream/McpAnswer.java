package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the answer to one request in what a Model Context Protocol server sends: one JSON text, or
 * a stream of server-sent events that may hold other messages before the answer and may not end
 * after it. Not thread-safe.
 */
final class McpAnswer implements OutboundClient.Enough {
  private static final String DATA = "data:";

  private final int id;
  private final int longest;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private Form form = Form.UNKNOWN;
  private boolean afterReturn;
  private @Nullable JsonNode found;

  /** What an answer is, as its first byte says. */
  private enum Form {
    UNKNOWN,
    JSON,
    STREAM
  }

  /**
   * @param id of the request
   * @param longest bytes that are read of it
   */
  McpAnswer(int id, int longest) {
    this.id = id;
    this.longest = longest;
  }

  @Override
  public int longest() {
    return longest;
  }

  @Override
  public boolean after(byte[] bytes, int count) {
    for (int at = 0; at < count && found == null && form != Form.JSON; at++) {
      byte next = bytes[at];
      if (form == Form.UNKNOWN && !Character.isWhitespace(next)) {
        // A JSON text is read when all of it is there, and is not to be held twice till then.
        form = next == '{' || next == '[' ? Form.JSON : Form.STREAM;
      }
      if (next != '\n' && next != '\r') {
        line.write(next);
      } else if (next == '\r' || !afterReturn) {
        endLine();
      }
      afterReturn = next == '\r';
    }
    return found != null;
  }

  /** The answer in a body that was read with this. */
  Optional<JsonNode> in(String body) {
    if (found == null) {
      consider(body);
    }
    return Optional.ofNullable(found);
  }

  /**
   * An error in the body of an answer that is none by its status, where it need not name its id.
   */
  Optional<JsonNode> errorIn(String body) {
    Optional<JsonNode> message = parse(body);
    return message.filter(
        answer ->
            answer.path("error").isObject()
                && (!answer.hasNonNull("id") || answer.path("id").asInt() == id));
  }

  private void endLine() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (text.startsWith(DATA)) {
      data.append(text.substring(DATA.length())).append('\n');
    } else if (text.isEmpty()) {
      consider(data.toString());
      data.setLength(0);
    }
  }

  private void consider(String text) {
    parse(text)
        .filter(message -> message.has("result") || message.has("error"))
        .filter(message -> message.path("id").isInt() && message.path("id").intValue() == id)
        .ifPresent(message -> found = message);
  }

  private static Optional<JsonNode> parse(String text) {
    try {
      return Optional.of(Json.parse(text.getBytes(StandardCharsets.UTF_8)));
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      // What is no JSON is no answer: comments and keep-alives of the stream among others.
      return Optional.empty();
    }
  }
}
