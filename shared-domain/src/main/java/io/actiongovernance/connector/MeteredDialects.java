package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.JsonValidator;
import com.networknt.schema.Keyword;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.TypeValidator;
import com.networknt.schema.UniqueItemsValidator;
import com.networknt.schema.ValidationContext;
import com.networknt.schema.ValidationMessage;
import io.actiongovernance.json.CanonicalJson;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The library's dialects of JSON Schema, changed so that compiling and validating each keyword
 * counts against the {@link SchemaBudget} in force.
 */
final class MeteredDialects {
  /** Keywords that examine the whole of their own value, not only its members. */
  private static final Set<String> COMPARING = Set.of("enum", "const", "dependentRequired");

  private static final Map<VersionFlag, JsonMetaSchema> ALL =
      Arrays.stream(VersionFlag.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(),
                  version -> metered(JsonSchemaFactory.checkVersion(version).getInstance())));

  private MeteredDialects() {}

  /** Returns the dialect of a schema that does not name one. */
  static JsonMetaSchema latest() {
    return of(VersionFlag.V202012);
  }

  static JsonMetaSchema named(String iri) {
    return SpecVersionDetector.detectOptionalVersion(iri)
        .map(MeteredDialects::of)
        .orElseThrow(() -> new IllegalArgumentException("Not known: " + iri));
  }

  private static JsonMetaSchema of(VersionFlag version) {
    JsonMetaSchema dialect = ALL.get(version);
    if (dialect == null) {
      throw new IllegalArgumentException("Not known: " + version);
    }
    return dialect;
  }

  private static JsonMetaSchema metered(JsonMetaSchema dialect) {
    return JsonMetaSchema.builder(dialect)
        // Vocabularies would replace our keywords by the library's own.
        .vocabularies(Map::clear)
        .keywords(
            keywords ->
                dialect
                    .getKeywords()
                    .forEach(
                        (name, keyword) ->
                            // For this name, the library accepts only its own keyword.
                            keywords.put(
                                name,
                                name.equals("format") ? keyword : new Metered(name, keyword))))
        // An unknown keyword has no meaning. The library would keep each such name permanently.
        .unknownKeywordFactory((name, context) -> null)
        .build();
  }

  /** A keyword that counts its cost. */
  private record Metered(String name, Keyword keyword) implements Keyword {
    @Override
    public String getValue() {
      return keyword.getValue();
    }

    @Override
    public JsonValidator newValidator(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode json,
        JsonSchema parent,
        ValidationContext context)
        throws Exception {
      SchemaBudget budget = SchemaBudget.inForce();
      budget.spend(SchemaBudget.PART + SchemaBudget.LOOK * SchemaBudget.size(json));
      return switch (name) {
        case "type" -> new MeteredType(location, path, json, parent, context);
        case "uniqueItems" -> new UniqueItems(location, path, json, parent, context);
        default ->
            new MeteredValidator(
                budget.deeper(() -> compile(location, path, json, parent, context)),
                COMPARING.contains(name) ? SchemaBudget.wholeSize(json) : SchemaBudget.size(json));
      };
    }

    private JsonValidator compile(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode json,
        JsonSchema parent,
        ValidationContext context) {
      try {
        return keyword.newValidator(location, path, json, parent, context);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  private static Set<ValidationMessage> counted(Set<ValidationMessage> complaints) {
    if (!complaints.isEmpty()) {
      SchemaBudget.inForce().spend(SchemaBudget.PART);
    }
    return complaints;
  }

  /** Counts each time that a value is examined. */
  private record MeteredValidator(JsonValidator validator, long size) implements JsonValidator {
    @Override
    public Set<ValidationMessage> validate(
        ExecutionContext context, JsonNode node, JsonNode root, JsonNodePath at) {
      SchemaBudget budget = SchemaBudget.inForce();
      budget.spend(
          SchemaBudget.LOOK
              + size
              + (COMPARING.contains(getKeyword())
                  ? SchemaBudget.wholeSize(node)
                  : SchemaBudget.size(node)));
      return counted(budget.deeper(() -> validator.validate(context, node, root, at)));
    }

    @Override
    public void preloadJsonSchema() {
      SchemaBudget.inForce()
          .deeper(
              () -> {
                validator.preloadJsonSchema();
                return validator;
              });
    }

    @Override
    public SchemaLocation getSchemaLocation() {
      return validator.getSchemaLocation();
    }

    @Override
    public JsonNodePath getEvaluationPath() {
      return validator.getEvaluationPath();
    }

    @Override
    public String getKeyword() {
      return validator.getKeyword();
    }
  }

  /** A separate class, because the library finds a schema's {@code type} by this class. */
  private static final class MeteredType extends TypeValidator {
    MeteredType(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode json,
        JsonSchema parent,
        ValidationContext context) {
      super(location, path, json, parent, context);
    }

    @Override
    public Set<ValidationMessage> validate(
        ExecutionContext context, JsonNode node, JsonNode root, JsonNodePath at) {
      SchemaBudget.inForce().spend(SchemaBudget.LOOK);
      return counted(super.validate(context, node, root, at));
    }
  }

  /**
   * Compares elements by their canonical text. With the library's set of JSON values, an attacker
   * can cause each element to be compared with every other.
   */
  private static final class UniqueItems extends UniqueItemsValidator {
    private final boolean unique;

    UniqueItems(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode json,
        JsonSchema parent,
        ValidationContext context) {
      super(location, path, json, parent, context);
      this.unique = json.asBoolean();
    }

    @Override
    public Set<ValidationMessage> validate(
        ExecutionContext context, JsonNode node, JsonNode root, JsonNodePath at) {
      SchemaBudget.inForce().spend(SchemaBudget.LOOK);
      if (!unique || !node.isArray()) {
        return Collections.emptySet();
      }
      SchemaBudget.inForce().spend(SchemaBudget.LOOK * SchemaBudget.wholeSize(node));
      Set<String> seen = new HashSet<>();
      for (JsonNode element : node) {
        if (!seen.add(CanonicalJson.of(element))) {
          return counted(
              Set.of(
                  message()
                      .instanceNode(node)
                      .instanceLocation(at)
                      .locale(context.getExecutionConfig().getLocale())
                      .failFast(context.isFailFast())
                      .build()));
        }
      }
      return Collections.emptySet();
    }
  }
}
