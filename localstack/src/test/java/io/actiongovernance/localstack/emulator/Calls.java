package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.server.Request;

/**
 * What a function's request to AWS is about to do, in the words of IAM.
 *
 * @param role its ARN
 */
record Calls(String role) {
  /** The hash keys of tables are called so; it is what {@code dynamodb:LeadingKeys} are. */
  private static final String HASH_KEY = "pk";

  /** All that a request does at once. */
  List<Act> of(Request request, byte[] body) {
    String target = request.getHeaders().get("X-Amz-Target");
    if (target == null) {
      return List.of(object(request));
    }
    JsonNode json = Json.read(new String(body, StandardCharsets.UTF_8));
    String service = target.substring(0, target.indexOf('.'));
    String operation = target.substring(target.indexOf('.') + 1);
    return switch (service) {
      case "DynamoDB_20120810" -> tables(operation, json);
      case "AmazonSQS" -> List.of(queue(operation, json));
      case "AWSEvents" -> buses(operation, json);
      case "AWSStepFunctions" -> List.of(machine(operation, json));
      case "secretsmanager" ->
          List.of(act("secretsmanager:" + operation, json.path("SecretId").asText()));
      case "TrentService" -> List.of(key(operation, json));
      default -> throw new Refused("The service %s is not known here.".formatted(service));
    };
  }

  private Act act(String action, String resource) {
    return Act.plain(role, action, resource);
  }

  private Act object(Request request) {
    String query = String.valueOf(request.getHttpURI().getQuery());
    String name = request.getHttpURI().getPath().substring(1);
    boolean bucket = name.indexOf('/') < 0 || name.indexOf('/') == name.length() - 1;
    String action =
        switch (request.getMethod()) {
          case "GET", "HEAD" -> bucket ? "ListBucket" : "GetObject";
          case "PUT", "POST" -> "PutObject";
          case "DELETE" -> query.contains("uploadId=") ? "AbortMultipartUpload" : "DeleteObject";
          default -> throw new Refused("S3 has no method %s.".formatted(request.getMethod()));
        };
    return act("s3:" + action, "arn:aws:s3:::" + (bucket ? name.replace("/", "") : name));
  }

  private Act queue(String operation, JsonNode json) {
    String url = json.path(json.has("QueueUrl") ? "QueueUrl" : "QueueName").asText();
    return act(
        "sqs:" + operation.replaceAll("Batch$", ""),
        Aws.arn("sqs", url.substring(url.lastIndexOf('/') + 1)));
  }

  private Act key(String operation, JsonNode json) {
    Map<String, List<String>> context = new HashMap<>();
    List<String> keys = new ArrayList<>();
    json.path("EncryptionContext")
        .properties()
        .forEach(
            one -> {
              keys.add(one.getKey());
              context.put(
                  "kms:EncryptionContext:" + one.getKey(), List.of(one.getValue().asText()));
            });
    context.put("kms:EncryptionContextKeys", keys);
    return new Act(role, "kms:" + operation, json.path("KeyId").asText(), context);
  }

  private List<Act> buses(String operation, JsonNode json) {
    List<Act> acts = new ArrayList<>();
    for (JsonNode entry : json.path("Entries")) {
      acts.add(
          act(
              "events:" + operation,
              Aws.arn("events", "event-bus/" + entry.path("EventBusName").asText())));
    }
    return acts;
  }

  private Act machine(String operation, JsonNode json) {
    String arn = json.path(json.has("executionArn") ? "executionArn" : "stateMachineArn").asText();
    return act("states:" + operation, arn);
  }

  private List<Act> tables(String operation, JsonNode json) {
    List<Act> acts = new ArrayList<>();
    switch (operation) {
      case "TransactWriteItems", "TransactGetItems" -> {
        for (JsonNode item : json.path("TransactItems")) {
          String kind = item.fieldNames().next();
          acts.add(
              table(kind.replaceAll("Item$|(?<=ConditionCheck)$", "") + "Item", item.get(kind)));
        }
      }
      case "BatchGetItem", "BatchWriteItem" ->
          json.path("RequestItems")
              .fieldNames()
              .forEachRemaining(
                  name -> acts.add(table(operation, Json.object().put("TableName", name))));
      default -> acts.add(table(operation, json));
    }
    return acts;
  }

  private Act table(String operation, JsonNode json) {
    String name = json.path("TableName").asText();
    String arn = Aws.arn("dynamodb", "table/" + name.substring(name.lastIndexOf('/') + 1));
    JsonNode key = json.path(json.has("Item") ? "Item" : "Key").path(HASH_KEY).path("S");
    return new Act(
        role,
        "dynamodb:" + operation,
        json.has("IndexName") ? arn + "/index/" + json.path("IndexName").asText() : arn,
        key.isMissingNode()
            ? Map.of()
            : Map.of(
                "dynamodb:LeadingKeys", List.of(key.asText()),
                "dynamodb:Attributes", attributes(json)));
  }

  /** What a call touches of an item, its key included. All names in expressions are aliases. */
  private static List<String> attributes(JsonNode json) {
    List<String> names = new ArrayList<>();
    json.path("Item").fieldNames().forEachRemaining(names::add);
    json.path("Key").fieldNames().forEachRemaining(names::add);
    json.path("ExpressionAttributeNames").forEach(name -> names.add(name.asText()));
    return names;
  }
}
