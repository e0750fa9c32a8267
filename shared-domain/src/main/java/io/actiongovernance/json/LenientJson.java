package io.actiongovernance.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads the JSON in other systems' answers, on which no permission depends; requests are read by
 * {@link Json#parse}. The resulting tree can always be stored, hashed and shown. Stateless.
 *
 * <ul>
 *   <li>Half of a surrogate pair becomes U+FFFD.
 *   <li>Of several members with the same name, the last counts.
 *   <li>A number that requests may not have becomes its text.
 *   <li>A value more than {@value #MAX_DEPTH} levels deep becomes its text.
 *   <li>A byte order mark, control characters in strings, and {@code NaN} are accepted.
 * </ul>
 */
public final class LenientJson {
  /**
   * Maximum number of levels of a tree. It is less than that of a text, because trees are stored
   * inside others.
   */
  public static final int MAX_DEPTH = 90;

  /** Number of levels beyond which a text is not read as JSON at all. */
  private static final int DEEPEST = 10_000;

  private static final char REPLACEMENT = '\uFFFD';

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          // Names chosen by other systems are not worth caching.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .build();

  private LenientJson() {}

  /** Reads the value; empty if the text is not exactly one JSON value. */
  public static Optional<JsonNode> read(String text) {
    String json = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() == null) {
        return Optional.empty();
      }
      JsonNode value = value(parser, json, 0);
      return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static JsonNode value(JsonParser parser, String json, int depth) throws IOException {
    JsonToken token = parser.currentToken();
    if (token.isStructStart() && depth == MAX_DEPTH) {
      return written(parser, json);
    }
    return switch (token) {
      case START_OBJECT -> object(parser, json, depth);
      case START_ARRAY -> array(parser, json, depth);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE, VALUE_FALSE -> BooleanNode.valueOf(token == JsonToken.VALUE_TRUE);
      case VALUE_NULL -> NullNode.getInstance();
      default -> TextNode.valueOf(wellFormed(parser.getText()));
    };
  }

  private static ObjectNode object(JsonParser parser, String json, int depth) throws IOException {
    ObjectNode object = Json.object();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      object.set(wellFormed(name), value(parser, json, depth + 1));
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser, String json, int depth) throws IOException {
    ArrayNode array = Json.object().arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, json, depth + 1));
    }
    return array;
  }

  private static JsonNode number(JsonParser parser) throws IOException {
    String written = parser.getText();
    if (parser.isNaN() || !NumberRange.fits(written)) {
      return TextNode.valueOf(written);
    }
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      return DecimalNode.valueOf(parser.getDecimalValue());
    }
    return switch (parser.getNumberType()) {
      case INT -> IntNode.valueOf(parser.getIntValue());
      case LONG -> LongNode.valueOf(parser.getLongValue());
      default -> BigIntegerNode.valueOf(parser.getBigIntegerValue());
    };
  }

  /** Returns the array or object that begins here as its original text. */
  private static JsonNode written(JsonParser parser, String json) throws IOException {
    int from = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    parser.skipChildren();
    int to = Math.toIntExact(parser.currentLocation().getCharOffset());
    return TextNode.valueOf(wellFormed(json.substring(from, to)));
  }

  private static String wellFormed(String text) {
    if (!LoneSurrogates.in(text)) {
      return text;
    }
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(point -> LoneSurrogates.is(point) ? REPLACEMENT : point)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }
}
