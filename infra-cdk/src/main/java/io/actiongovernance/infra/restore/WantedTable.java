package io.actiongovernance.infra.restore;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a template says of a table that restoring does not carry over. Immutable.
 *
 * @param expiry the attribute by which rows expire; null if none do
 * @param policy its own policy, as a JSON text; null if it has none
 */
public record WantedTable(
    String name,
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
   * The table of a template.
   *
   * @param resource its {@code AWS::DynamoDB::Table}
   * @param references what {@code AWS::Region} and so on are where it is deployed
   */
  public static WantedTable of(JsonNode resource, Map<String, String> references) {
    JsonNode properties = resource.path("Properties");
    Map<String, String> tags = new TreeMap<>();
    properties
        .path("Tags")
        .forEach(tag -> tags.put(tag.path("Key").asText(), tag.path("Value").asText()));
    JsonNode policy = properties.at("/ResourcePolicy/PolicyDocument");
    return new WantedTable(
        properties.path("TableName").asText(),
        properties.has("StreamSpecification"),
        properties.at("/TimeToLiveSpecification/AttributeName").textValue(),
        properties.at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled").asBoolean(),
        properties.path("DeletionProtectionEnabled").asBoolean(),
        tags,
        policy.isMissingNode() ? null : Json.write(resolved(policy, references)));
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
