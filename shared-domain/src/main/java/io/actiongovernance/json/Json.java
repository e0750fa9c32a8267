package io.actiongovernance.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.time.Timestamps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The only JSON mapper. Names are in {@code snake_case}, numbers are exact to the last digit, and
 * timestamps are in milliseconds UTC. Duplicate keys are refused, and there are at most {@value
 * #MAX_DEPTH} levels (contract, section 1). Thread-safe.
 */
public final class Json {
  public static final int MAX_DEPTH = 100;

  public static final int MAX_DIGITS = 100;

  /** Maximum power of ten, positive or negative, with which a number may be written. */
  public static final int MAX_EXPONENT = 400;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .annotationIntrospector(new StoredNames())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
          .addModule(
              new SimpleModule()
                  .addSerializer(
                      Instant.class,
                      new JsonSerializer<Instant>() {
                        @Override
                        public void serialize(
                            Instant value, JsonGenerator generator, SerializerProvider provider)
                            throws IOException {
                          generator.writeString(Timestamps.format(value));
                        }
                      })
                  .addDeserializer(
                      Instant.class,
                      new com.fasterxml.jackson.databind.JsonDeserializer<Instant>() {
                        @Override
                        public Instant deserialize(
                            JsonParser parser,
                            com.fasterxml.jackson.databind.DeserializationContext context)
                            throws IOException {
                          return Timestamps.read(parser.getText());
                        }
                      }))
          .build();

  private Json() {}

  /** The text is not JSON that the contract accepts. */
  public static final class InvalidJson extends Exception {
    InvalidJson(String message) {
      super(message);
    }
  }

  /**
   * A number that the contract does not accept, because it has too many digits or too great an
   * exponent.
   */
  public static final class NumberOutOfRange extends Exception {
    private final String path;

    NumberOutOfRange(String path) {
      super("The number at " + path + " has more than 100 digits or an exponent beyond 400.");
      this.path = path;
    }

    /** Path of the number, as {@code actions[0].value}. */
    public String path() {
      return path;
    }
  }

  /**
   * Reads a text from a request.
   *
   * @throws InvalidJson if the text is broken UTF-8, is not exactly one JSON value, is nested too
   *     deeply, or has duplicate keys or lone surrogates
   * @throws NumberOutOfRange if a number in the text is too long or too great
   */
  public static JsonNode parse(byte[] utf8) throws InvalidJson, NumberOutOfRange {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidJson("The body is not valid UTF-8.");
    }
    NumberRange.check(text);
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node.isMissingNode()) {
        throw new InvalidJson("The body is empty.");
      }
      if (LoneSurrogates.in(node)) {
        throw new InvalidJson("A string in the body holds half of a surrogate pair.");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new InvalidJson(describe(e));
    }
  }

  private static String describe(JsonProcessingException e) {
    String where =
        e.getLocation() == null
            ? ""
            : " at line "
                + e.getLocation().getLineNr()
                + ", column "
                + e.getLocation().getColumnNr();
    String what = e.getOriginalMessage();
    if (what.startsWith("Duplicate field")) {
      return "The body has a duplicate key" + where + ".";
    }
    if (what.contains("nesting depth")) {
      return "The body is nested more than 100 levels deep.";
    }
    return "The body is not valid JSON" + where + ".";
  }

  /** Reads a text that this service wrote. */
  public static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a value that this service wrote. */
  public static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a value as JSON text, on one line. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static JsonNode tree(Object value) {
    // Converted through text, because {@code valueToTree} would keep numbers in their Java types.
    return read(write(value));
  }

  public static <T> T convert(JsonNode tree, Class<T> type) {
    return read(write(tree), type);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Returns the number as the contract publishes it: exact, without an exponent. */
  public static String plain(BigDecimal number) {
    return number.toPlainString();
  }
}
