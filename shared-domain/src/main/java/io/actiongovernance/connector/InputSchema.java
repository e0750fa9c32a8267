package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationMessage;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool's JSON Schema 2020-12 for its arguments. Compiled at first use and then kept; thread-safe.
 * Two are equal when their texts are.
 */
public final class InputSchema {
  private final ObjectNode json;
  private volatile @Nullable JsonSchema compiled;

  /**
   * @param json a schema that {@link Schemas#problem} finds nothing wrong with
   */
  public InputSchema(ObjectNode json) {
    this.json = json;
  }

  /** The schema as it was written; not to be changed. */
  @JsonValue
  public ObjectNode json() {
    return json;
  }

  /** Arguments that probably fit, as few as can be. */
  public ObjectNode sample() {
    return SampleArgs.of(json);
  }

  /** What is wrong with the arguments, in one sentence; empty when they fit. */
  public Optional<String> problem(JsonNode args) {
    try {
      return compiled().validate(args).stream()
          .map(ValidationMessage::getMessage)
          .map(message -> message.replaceFirst("^: ", "")) // at the root there is no place to name
          .min(Comparator.naturalOrder());
    } catch (Schemas.TooCostly e) {
      return Optional.of("A pattern of the schema takes too long to match.");
    } catch (StackOverflowError e) {
      return Optional.of("The schema refers to itself without end.");
    }
  }

  private JsonSchema compiled() {
    JsonSchema schema = compiled;
    if (schema == null) {
      schema = Schemas.compile(json);
      compiled = schema;
    }
    return schema;
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
