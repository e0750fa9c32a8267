package io.actiongovernance.connector;

import java.util.Set;

/** The keywords of JSON Schema 2020-12 whose values hold further schemas, by how they do. */
final class SchemaKeywords {
  /** Those that hold a schema. */
  static final Set<String> SCHEMA =
      Set.of(
          "items",
          "contains",
          "additionalProperties",
          "propertyNames",
          "if",
          "then",
          "else",
          "not",
          "unevaluatedItems",
          "unevaluatedProperties",
          "contentSchema");

  /** Those that hold a list of schemas. */
  static final Set<String> LIST = Set.of("prefixItems", "allOf", "anyOf", "oneOf");

  /** Those that hold schemas by name: a property may well be called title. */
  static final Set<String> NAMED =
      Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");

  private SchemaKeywords() {}
}
