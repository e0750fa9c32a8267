package io.actiongovernance.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Canonical form of a JSON value: RFC 8785, except that a number is its exact normalised decimal,
 * so that no two different numbers collide. {@code {"b":1.50,"a":1e2}} is {@code {"a":100,"b":1.5}}
 * (contract, section 1).
 */
public final class CanonicalJson {
  private CanonicalJson() {}

  public static String of(JsonNode node) {
    StringBuilder out = new StringBuilder();
    append(node, out);
    return out.toString();
  }

  /** Returns the SHA-256 of the canonical text in UTF-8, in lower-case hex. */
  public static String sha256(JsonNode node) {
    return sha256(of(node));
  }

  /** Returns the SHA-256 of a text in UTF-8, in lower-case hex. */
  public static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void append(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> appendObject(node, out);
      case ARRAY -> appendArray(node, out);
      case STRING -> quote(node.textValue(), out);
      case NUMBER -> out.append(number(node.decimalValue()));
      case BOOLEAN, NULL -> out.append(node.asText());
      default -> throw new IllegalArgumentException("No JSON value: " + node.getNodeType());
    }
  }

  private static void appendObject(JsonNode node, StringBuilder out) {
    // Java's string order is by UTF-16 code units, as RFC 8785 requires.
    TreeMap<String, JsonNode> sorted = new TreeMap<>();
    node.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
    out.append('{');
    String separator = "";
    for (Map.Entry<String, JsonNode> field : sorted.entrySet()) {
      out.append(separator);
      quote(field.getKey(), out);
      out.append(':');
      append(field.getValue(), out);
      separator = ",";
    }
    out.append('}');
  }

  private static void appendArray(JsonNode node, StringBuilder out) {
    out.append('[');
    String separator = "";
    for (JsonNode element : node) {
      out.append(separator);
      append(element, out);
      separator = ",";
    }
    out.append(']');
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < 0x20) {
            out.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
