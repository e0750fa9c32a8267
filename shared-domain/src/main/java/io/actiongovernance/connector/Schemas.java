package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.regex.RegularExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Compiles JSON Schema 2020-12. A schema cannot reach anything outside itself: references are never
 * fetched, and all work runs under a {@link SchemaBudget}.
 */
final class Schemas {
  /** Number of steps without a look that cost as much as one look. */
  private static final long STEPS_OF_A_LOOK = 16;

  private Schemas() {}

  static JsonSchema compile(ObjectNode json) {
    return factory().getSchema(json, config(pattern -> {}));
  }

  /** Returns why the schema cannot be used, in one sentence; empty if it can. */
  static Optional<String> problem(ObjectNode json) {
    return problem(json, new SchemaBudget(SchemaBudget.STEPS));
  }

  /**
   * Checks one of several schemas, which together must not cost more than the budget.
   *
   * @param all the budget of all schemas; after the check it has what this schema left of it
   */
  static Optional<String> problem(ObjectNode json, SchemaBudget all) {
    long most = Math.min(all.left(), SchemaBudget.STEPS);
    SchemaBudget own = new SchemaBudget(most);
    try {
      return own.run(() -> SchemaRules.broken(json).or(() -> inUse(json)));
    } catch (SchemaBudget.TooCostly | StackOverflowError e) {
      return Optional.of("It takes too long to compile, to validate or to sample.");
    } catch (RuntimeException e) {
      // The library reports such schemas in many ways, for example if the dialect is unknown or a
      // reference leads nowhere.
      return Optional.of("It cannot be compiled: references must stay within the schema.");
    } finally {
      all.spend(most - Math.max(own.left(), 0));
    }
  }

  /** Compiles the schema with everything it refers to, and tries it out. */
  private static Optional<String> inUse(ObjectNode json) {
    List<String> brokenPatterns = new ArrayList<>();
    JsonSchema compiled = factory().getSchema(json, config(brokenPatterns::add));
    compiled.initializeValidators();
    if (!brokenPatterns.isEmpty()) {
      return Optional.of(NoPattern.sentence(brokenPatterns.getFirst()));
    }
    compiled.validate(SampleArgs.of(json));
    return Optional.empty();
  }

  private static JsonSchemaFactory factory() {
    return JsonSchemaFactory.getInstance(
        VersionFlag.V202012,
        builder ->
            builder
                .metaSchema(MeteredDialects.latest())
                .metaSchemaFactory((iri, factory, config) -> MeteredDialects.named(iri))
                .schemaLoaders(
                    loaders ->
                        loaders.add(
                            location -> {
                              throw new IllegalArgumentException("Not fetched: " + location);
                            })));
  }

  /**
   * @param broken receives invalid patterns; if they were thrown at the library, it would log them
   */
  private static SchemaValidatorsConfig config(Consumer<String> broken) {
    return SchemaValidatorsConfig.builder()
        .regularExpressionFactory(pattern -> regularExpression(pattern, broken))
        .build();
  }

  /**
   * An unchecked schema has an invalid pattern, which therefore matches nothing. This is an error,
   * because the library would log exceptions.
   */
  static final class NoPattern extends Error {
    private static final long serialVersionUID = 1L;

    NoPattern(String regex) {
      super(sentence(regex), null, false, false);
    }

    static String sentence(String regex) {
      return "The pattern " + regex + " is not a regular expression of ECMA-262.";
    }
  }

  private static RegularExpression regularExpression(String regex, Consumer<String> broken) {
    try {
      String java = EcmaPattern.toJava(regex);
      SchemaBudget.inForce().spend(java.length());
      Pattern pattern = Pattern.compile(java);
      long within = PatternCost.within(java) / STEPS_OF_A_LOOK;
      long atEnd = PatternCost.atEnd(java) / STEPS_OF_A_LOOK;
      SchemaBudget.inForce().spend(atEnd);
      return value -> {
        SchemaBudget budget = SchemaBudget.inForce();
        // The pattern is tried at each position, whether it looks at the character there or not.
        budget.spend((value.length() + 1) * within + atEnd);
        return pattern.matcher(new Counted(value, budget, 1 + within, 1 + atEnd)).find();
      };
    } catch (PatternSyntaxException e) {
      broken.accept(regex);
      return value -> {
        throw new NoPattern(regex);
      };
    }
  }

  /**
   * A text that counts each look at it, because a pattern may go over its input many times.
   *
   * @param look cost of a look, including all work until the next look
   * @param lastLook cost of a look at the last character
   */
  private record Counted(CharSequence text, SchemaBudget budget, long look, long lastLook)
      implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      budget.spend(index == text.length() - 1 ? lastLook : look);
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), budget, look, lastLook);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
