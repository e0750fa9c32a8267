package io.actiongovernance.infra.restore;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.TableCreationParameters;

/**
 * A table's definition in a template: the properties to create it with, and those to set later,
 * which neither restoring nor importing carries over. Immutable.
 *
 * @param creation the table's name, keys, attributes, indexes and billing mode, for an import
 * @param expiry the attribute by which rows expire; null if rows do not
 * @param policy the table's own policy, as a JSON text; null if it has none
 */
public record WantedTable(
    TableCreationParameters creation,
    boolean streamed,
    @Nullable String expiry,
    boolean restorable,
    boolean protectedFromDeletion,
    Map<String, String> tags,
    @Nullable String policy) {

  public WantedTable {
    tags = Map.copyOf(tags);
  }

  /**
   * The table in a template.
   *
   * @param resource the template's {@code AWS::DynamoDB::Table}
   * @param references the values of {@code AWS::Region} and other references at the table's place
   */
  public static WantedTable of(JsonNode resource, Map<String, String> references) {
    JsonNode properties = resource.path("Properties");
    Map<String, String> tags = new TreeMap<>();
    properties
        .path("Tags")
        .forEach(tag -> tags.put(tag.path("Key").asText(), tag.path("Value").asText()));
    JsonNode policy = properties.at("/ResourcePolicy/PolicyDocument");
    return new WantedTable(
        creation(properties),
        properties.has("StreamSpecification"),
        properties.at("/TimeToLiveSpecification/AttributeName").textValue(),
        properties.at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled").asBoolean(),
        properties.path("DeletionProtectionEnabled").asBoolean(),
        tags,
        policy.isMissingNode() ? null : Json.write(resolved(policy, references)));
  }

  public String name() {
    return creation.tableName();
  }

  private static TableCreationParameters creation(JsonNode properties) {
    TableCreationParameters.Builder creation =
        TableCreationParameters.builder()
            .tableName(properties.path("TableName").asText())
            .billingMode(properties.path("BillingMode").asText())
            .attributeDefinitions(
                each(
                    properties.path("AttributeDefinitions"),
                    attribute ->
                        AttributeDefinition.builder()
                            .attributeName(attribute.path("AttributeName").asText())
                            .attributeType(attribute.path("AttributeType").asText())
                            .build()))
            .keySchema(keys(properties));
    // DynamoDB refuses an empty list of indexes.
    if (properties.has("GlobalSecondaryIndexes")) {
      creation.globalSecondaryIndexes(
          each(
              properties.path("GlobalSecondaryIndexes"),
              index ->
                  GlobalSecondaryIndex.builder()
                      .indexName(index.path("IndexName").asText())
                      .keySchema(keys(index))
                      .projection(
                          projection ->
                              projection.projectionType(
                                  index.at("/Projection/ProjectionType").asText()))
                      .build()));
    }
    return creation.build();
  }

  private static List<KeySchemaElement> keys(JsonNode of) {
    return each(
        of.path("KeySchema"),
        key ->
            KeySchemaElement.builder()
                .attributeName(key.path("AttributeName").asText())
                .keyType(key.path("KeyType").asText())
                .build());
  }

  private static <T> List<T> each(JsonNode all, Function<JsonNode, T> made) {
    return all.valueStream().map(made).toList();
  }

  private static JsonNode resolved(JsonNode node, Map<String, String> references) {
    if (node.has("Ref")) {
      String name = node.path("Ref").asText();
      String value = references.get(name);
      if (value == null) {
        throw new IllegalArgumentException("The policy of a table names " + name + ".");
      }
      return Json.tree(value);
    }
    if (node.has("Fn::Join")) {
      StringBuilder joined = new StringBuilder();
      node.at("/Fn::Join/1").forEach(part -> joined.append(resolved(part, references).asText()));
      return Json.tree(joined.toString());
    }
    if (node.isArray()) {
      return Json.tree(node.valueStream().map(each -> resolved(each, references)).toList());
    }
    if (node.isObject()) {
      Map<String, JsonNode> all = new TreeMap<>();
      node.properties()
          .forEach(each -> all.put(each.getKey(), resolved(each.getValue(), references)));
      return Json.tree(all);
    }
    return node;
  }
}
