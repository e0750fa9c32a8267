package io.actiongovernance.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Writes a payload with every number exact, and no longer than it was sent. For example, {@code
 * 1E400} stays five characters instead of 401 digits. Otherwise a body of 256 KB could grow to 17
 * MB.
 */
final class PayloadText {
  private PayloadText() {}

  /** Returns the payload as JSON on one line, with keys in the order in which they were sent. */
  static String of(JsonNode payload) {
    StringBuilder out = new StringBuilder();
    append(payload, out);
    return out.toString();
  }

  private static void append(JsonNode node, StringBuilder out) {
    String separator = "";
    switch (node.getNodeType()) {
      case OBJECT -> {
        out.append('{');
        for (Map.Entry<String, JsonNode> field : node.properties()) {
          out.append(separator).append(Json.write(field.getKey())).append(':');
          append(field.getValue(), out);
          separator = ",";
        }
        out.append('}');
      }
      case ARRAY -> {
        out.append('[');
        for (JsonNode element : node) {
          out.append(separator);
          append(element, out);
          separator = ",";
        }
        out.append(']');
      }
      case NUMBER -> out.append(number(node.decimalValue()));
      default -> out.append(Json.write(node));
    }
  }

  /**
   * Writes the digits with their point if that is short, as {@code 1.10}; otherwise the digits with
   * an exponent, as {@code 15E8}.
   */
  private static String number(BigDecimal value) {
    // For a number of contract size, neither form costs more than its characters.
    String exponent = value.unscaledValue() + "E" + -(long) value.scale();
    String plain = value.toPlainString();
    return plain.length() <= exponent.length() ? plain : exponent;
  }
}
