package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.regex.RegularExpression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Compiles JSON Schema 2020-12. A schema reaches nothing outside itself: no reference is ever
 * fetched.
 */
final class Schemas {
  /** Characters a pattern may look at in one match: far beyond any honest one. */
  private static final int PATTERN_STEPS = 1_000_000;

  private Schemas() {}

  /** A pattern went over and over its input. No exception: those the library would log. */
  static final class TooCostly extends Error {
    private static final long serialVersionUID = 1L;

    TooCostly() {
      super("The pattern takes too long to match.", null, false, false);
    }
  }

  static JsonSchema compile(ObjectNode json) {
    return factory().getSchema(json, config(pattern -> {}));
  }

  /** Why it is no schema that can be used, in one sentence; empty when it is one. */
  static Optional<String> problem(ObjectNode json) {
    List<String> brokenPatterns = new ArrayList<>();
    try {
      JsonSchema meta =
          JsonSchemaFactory.getInstance(VersionFlag.V202012)
              .getSchema(SchemaLocation.of(SchemaId.V202012), config(pattern -> {}));
      Optional<String> broken =
          meta.validate(json).stream()
              .map(ValidationMessage::getMessage)
              .min(Comparator.naturalOrder());
      if (broken.isEmpty()) {
        factory().getSchema(json, config(brokenPatterns::add)).initializeValidators();
      }
      return broken.or(
          () -> brokenPatterns.stream().map(it -> "The pattern " + it + " is broken.").findFirst());
    } catch (RuntimeException | StackOverflowError e) {
      // The library says so in many ways: an unknown dialect, a reference to nowhere.
      return Optional.of("It cannot be compiled: references must stay within the schema.");
    }
  }

  private static JsonSchemaFactory factory() {
    return JsonSchemaFactory.getInstance(
        VersionFlag.V202012,
        builder ->
            builder.schemaLoaders(
                loaders ->
                    loaders.add(
                        location -> {
                          throw new IllegalArgumentException("Not fetched: " + location);
                        })));
  }

  /**
   * @param broken told of patterns that are none: thrown at the library, they would be logged
   */
  private static SchemaValidatorsConfig config(Consumer<String> broken) {
    return SchemaValidatorsConfig.builder()
        .regularExpressionFactory(pattern -> regularExpression(pattern, broken))
        .build();
  }

  private static RegularExpression regularExpression(String regex, Consumer<String> broken) {
    try {
      Pattern pattern = Pattern.compile(regex);
      return value -> pattern.matcher(new Counted(value, new AtomicInteger(PATTERN_STEPS))).find();
    } catch (PatternSyntaxException e) {
      broken.accept(regex);
      return value -> false;
    }
  }

  /** A text that allows so many looks at it. */
  private record Counted(CharSequence text, AtomicInteger left) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (left.getAndDecrement() <= 0) {
        throw new TooCostly();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), left);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
