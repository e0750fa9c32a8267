package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationMessage;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tool's JSON Schema 2020-12 for its arguments. Whatever is done with it costs at most a {@link
 * SchemaBudget}. Compiled at first use and then kept; thread-safe. Two are equal when their texts
 * are.
 */
public final class InputSchema {
  private static final int LONGEST_PROBLEM = 500;

  private final ObjectNode json;
  private final boolean refers;
  private volatile @Nullable JsonSchema compiled;

  /**
   * @param json a schema without {@link #flaw}, unless it is to be asked for that
   */
  public InputSchema(ObjectNode json) {
    this.json = json;
    this.refers = Stream.of("$ref", "$dynamicRef", "$recursiveRef").anyMatch(this::mentions);
  }

  /** The schema as it was written; not to be changed. */
  @JsonValue
  public ObjectNode json() {
    return json;
  }

  /** Why it is no schema that can be used, in one sentence; empty when it is one. */
  public Optional<String> flaw() {
    return Schemas.problem(json);
  }

  /** Arguments that probably fit, as few as can be; of a schema without {@link #flaw}. */
  public ObjectNode sample() {
    return SchemaBudget.limited(() -> SampleArgs.of(json));
  }

  /** What is wrong with the arguments, in one sentence; empty when they fit. */
  public Optional<String> problem(JsonNode args) {
    try {
      return SchemaBudget.limited(
          () ->
              compiled().validate(args).stream()
                  .map(ValidationMessage::getMessage)
                  .map(message -> message.replaceFirst("^: ", "")) // the root has no name
                  .min(Comparator.naturalOrder())
                  .map(InputSchema::cut));
    } catch (SchemaBudget.TooCostly | StackOverflowError e) {
      return Optional.of("It takes too long to validate this with the schema.");
    } catch (Schemas.NoPattern e) {
      return Optional.of(cut(String.valueOf(e.getMessage())));
    }
  }

  /** A schema may be quoted in it, with an enumeration of any length. */
  private static String cut(String message) {
    return message.codePointCount(0, message.length()) <= LONGEST_PROBLEM
        ? message
        : message.substring(0, message.offsetByCodePoints(0, LONGEST_PROBLEM)) + "…";
  }

  /**
   * What goes by references alone is compiled when first met, and would be kept: a schema that
   * refers to itself grows with what it is given. Such a one is compiled anew for each use.
   */
  private JsonSchema compiled() {
    JsonSchema schema = compiled;
    if (schema == null) {
      schema = Schemas.compile(json);
      if (!refers) {
        compiled = schema;
      }
    }
    return schema;
  }

  private boolean mentions(String keyword) {
    return json.findValue(keyword) != null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InputSchema schema && schema.json.equals(json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
