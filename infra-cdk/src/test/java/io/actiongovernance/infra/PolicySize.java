package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The size of a policy as AWS counts it, with every reference in place.
 *
 * @param of the resource that has it
 * @param most the limit
 */
record PolicySize(String of, int characters, int most) {
  private static final int INLINE = 10_240;

  /** The property of each type that holds its policy, and the most characters that it may have. */
  private static final Map<String, Map.Entry<String, Integer>> DOCUMENTS =
      Map.of(
          "AWS::IAM::ManagedPolicy", Map.entry("/PolicyDocument", 6_144),
          "AWS::SQS::QueuePolicy", Map.entry("/PolicyDocument", 8_192),
          "AWS::DynamoDB::Table", Map.entry("/ResourcePolicy/PolicyDocument", 20_480),
          "AWS::S3::BucketPolicy", Map.entry("/PolicyDocument", 20_480),
          "AWS::SNS::TopicPolicy", Map.entry("/PolicyDocument", 30_720),
          "AWS::SecretsManager::ResourcePolicy", Map.entry("/ResourcePolicy", 20_480),
          "AWS::KMS::Key", Map.entry("/KeyPolicy", 32_768));

  /** Of all partitions and regions those whose names are longest together. */
  private static final Map<String, String> LONGEST =
      Map.of(
          "AWS::Partition", "aws-us-gov",
          "AWS::Region", "ap-southeast-1",
          "AWS::AccountId", "111122223333");

  /** The length of an ARN that a template gets from another resource: longer than any is. */
  private static final int REFERENCE = 130;

  static List<PolicySize> of(Synthesised environment) {
    List<PolicySize> sizes = new ArrayList<>();
    for (Resource role : environment.all("AWS::IAM::Role")) {
      int all = 0;
      for (JsonNode policy : role.property("/Policies")) {
        all += size(policy.path("PolicyDocument"));
      }
      sizes.add(new PolicySize(role.id(), all, INLINE));
    }
    DOCUMENTS.forEach(
        (type, document) ->
            environment.all(type).stream()
                .filter(resource -> !resource.property(document.getKey()).isMissingNode())
                .forEach(
                    resource ->
                        sizes.add(
                            new PolicySize(
                                resource.id(),
                                size(resource.property(document.getKey())),
                                document.getValue()))));
    return sizes;
  }

  private static int size(JsonNode document) {
    return Json.write(inPlace(document)).length();
  }

  private static JsonNode inPlace(JsonNode node) {
    if (node instanceof ArrayNode array) {
      return Json.tree(array.valueStream().map(PolicySize::inPlace).toList());
    }
    if (!(node instanceof ObjectNode object)) {
      return node;
    }
    if (object.has("Fn::Join")) {
      StringBuilder joined = new StringBuilder();
      object.at("/Fn::Join/1").forEach(part -> joined.append(inPlace(part).asText()));
      return TextNode.valueOf(joined.toString());
    }
    if (object.has("Ref") || object.has("Fn::GetAtt") || object.has("Fn::ImportValue")) {
      return TextNode.valueOf(
          LONGEST.getOrDefault(object.path("Ref").asText(), "r".repeat(REFERENCE)));
    }
    ObjectNode made = Json.object();
    object.properties().forEach(entry -> made.set(entry.getKey(), inPlace(entry.getValue())));
    return made;
  }
}
