package io.actiongovernance.connector;

import java.util.Set;

/**
 * The keywords of JSON Schema 2020-12 whose values hold further schemas, by the form of the value.
 */
final class SchemaKeywords {
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

  static final Set<String> LIST = Set.of("prefixItems", "allOf", "anyOf", "oneOf");

  /**
   * Keywords whose value holds schemas by name. The names are not keywords: a property may be
   * called {@code title}.
   */
  static final Set<String> NAMED =
      Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");

  private SchemaKeywords() {}
}
