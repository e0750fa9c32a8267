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
 * Compiles JSON Schema 2020-12. A schema reaches nothing outside itself: no reference is ever
 * fetched, and all work with one is done under a {@link SchemaBudget}.
 */
final class Schemas {
  /** So many steps without a look cost no more than a look. */
  private static final long STEPS_OF_A_LOOK = 16;

  private Schemas() {}

  static JsonSchema compile(ObjectNode json) {
    return factory().getSchema(json, config(pattern -> {}));
  }

  /** Why it is no schema that can be used, in one sentence; empty when it is one. */
  static Optional<String> problem(ObjectNode json) {
    return problem(json, new SchemaBudget(SchemaBudget.STEPS));
  }

  /**
   * The same for one schema of many, which together must not cost more than the budget.
   *
   * @param all is left with what this schema did not cost
   */
  static Optional<String> problem(ObjectNode json, SchemaBudget all) {
    long most = Math.min(all.left(), SchemaBudget.STEPS);
    SchemaBudget own = new SchemaBudget(most);
    try {
      return own.run(() -> SchemaRules.broken(json).or(() -> inUse(json)));
    } catch (SchemaBudget.TooCostly | StackOverflowError e) {
      return Optional.of("It takes too long to compile, to validate or to sample.");
    } catch (RuntimeException e) {
      // The library says so in many ways: an unknown dialect, a reference to nowhere.
      return Optional.of("It cannot be compiled: references must stay within the schema.");
    } finally {
      all.spend(most - Math.max(own.left(), 0));
    }
  }

  /** Compiles it with all it refers to, and tries it. */
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
   * @param broken told of patterns that are none: thrown at the library, they would be logged
   */
  private static SchemaValidatorsConfig config(Consumer<String> broken) {
    return SchemaValidatorsConfig.builder()
        .regularExpressionFactory(pattern -> regularExpression(pattern, broken))
        .build();
  }

  /**
   * A schema that was not checked has a pattern that is none: then it fits nothing. No exception:
   * those the library would log.
   */
  static final class NoPattern extends Error {
    private static final long serialVersionUID = 1L;

    NoPattern(String regex) {
      super(sentence(regex), null, false, false);
    }

    static String sentence(String regex) {
      return "The pattern " + regex + " is no regular expression of ECMA-262.";
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
        // It is tried at each place, whether it looks at it or not.
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
   * A text that counts each look at it: a pattern may go over and over its input.
   *
   * @param look what a look costs, with all that is done until the next
   * @param lastLook what one at the last character does
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
