package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.json.LenientJson;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the answer to one request in the output of a Model Context Protocol server. The output is
 * one JSON text or a stream of server-sent events, which may contain other messages before the
 * answer and may continue after it. Not thread-safe.
 */
final class McpAnswer implements OutboundClient.Enough {
  private static final String DATA = "data:";

  /** The bytes of the byte order marks of UTF-8 and UTF-16. */
  private static final String MARK = "\u00EF\u00BB\u00BF\u00FE\u00FF";

  private final int id;
  private final int longest;
  private final BigDecimal number;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private Format form = Format.UNKNOWN;
  private boolean afterReturn;
  private @Nullable JsonNode found;

  /** The format of an answer, which its first byte shows. */
  private enum Format {
    UNKNOWN,
    JSON,
    STREAM
  }

  /**
   * @param id the request's id
   * @param longest the most bytes to read of the answer
   */
  McpAnswer(int id, int longest) {
    this.id = id;
    this.number = BigDecimal.valueOf(id);
    this.longest = longest;
  }

  @Override
  public int longest() {
    return longest;
  }

  @Override
  public boolean after(byte[] bytes, int count) {
    for (int at = 0; at < count && found == null && form != Format.JSON; at++) {
      byte next = bytes[at];
      if (form == Format.UNKNOWN) {
        if (Character.isWhitespace(next) || MARK.indexOf(next & 0xff) >= 0) {
          continue;
        }
        // A JSON text is parsed once it is complete, so it need not be kept here until then.
        form = next == '{' || next == '[' ? Format.JSON : Format.STREAM;
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

  /** The answer in a body that this object observed while it was read. */
  Optional<JsonNode> in(String body) {
    if (found == null && form == Format.STREAM) {
      // A server may close the stream without the blank line that ends an event.
      endLine();
      consider(data.toString());
    }
    if (found == null) {
      consider(body);
    }
    return Optional.ofNullable(found);
  }

  /** An error in the body of a failed response, in which the error may omit its id. */
  Optional<JsonNode> errorIn(String body) {
    return LenientJson.read(body)
        .filter(answer -> answer.path("error").isObject())
        .filter(answer -> !answer.hasNonNull("id") || isOurs(answer.path("id")));
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
    // Text that is not JSON, such as the stream's comments and keep-alives, is no answer.
    LenientJson.read(text)
        .filter(message -> message.has("result") || message.has("error"))
        .filter(message -> isOurs(message.path("id")))
        .ifPresent(message -> found = message);
  }

  /** Returns whether an id is the request's. Some servers return the id 4 as 4.0 or "4". */
  private boolean isOurs(JsonNode said) {
    return said.isNumber()
        ? said.decimalValue().compareTo(number) == 0
        : said.isTextual() && said.textValue().equals(String.valueOf(id));
  }
}
