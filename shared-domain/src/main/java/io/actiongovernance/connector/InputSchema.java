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
 * A tool's JSON Schema 2020-12 for its arguments. All work with it is limited by a {@link
 * SchemaBudget}. It is compiled at first use and then kept; thread-safe. Two schemas are equal if
 * their texts are.
 */
public final class InputSchema {
  private static final int LONGEST_PROBLEM = 500;

  private final ObjectNode json;
  private final boolean refers;
  private volatile @Nullable JsonSchema compiled;

  /**
   * @param json a schema without {@link #flaw}, unless the instance is created to ask for its flaw
   */
  public InputSchema(ObjectNode json) {
    this.json = json;
    this.refers = Stream.of("$ref", "$dynamicRef", "$recursiveRef").anyMatch(this::mentions);
  }

  /** Returns the schema as it was written; callers must not change it. */
  @JsonValue
  public ObjectNode json() {
    return json;
  }

  /** Returns why the schema cannot be used, in one sentence; empty if it can. */
  public Optional<String> flaw() {
    return Schemas.problem(json);
  }

  /** Returns the smallest arguments that probably fit; requires a schema without {@link #flaw}. */
  public ObjectNode sample() {
    return SchemaBudget.limited(() -> SampleArgs.of(json));
  }

  /** Returns why the arguments do not fit, in one sentence; empty if they fit. */
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
      return Optional.of("It takes too long to validate these arguments against the schema.");
    } catch (Schemas.NoPattern e) {
      return Optional.of(cut(String.valueOf(e.getMessage())));
    }
  }

  /** Shortens a message. It may quote the schema, with an enumeration of any length. */
  private static String cut(String message) {
    return message.codePointCount(0, message.length()) <= LONGEST_PROBLEM
        ? message
        : message.substring(0, message.offsetByCodePoints(0, LONGEST_PROBLEM)) + "…";
  }

  /**
   * Compiles the schema. Referenced parts are compiled at their first use, and then kept, so a
   * schema that refers to itself would grow with its input. Such a schema is compiled again for
   * each use.
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
