package io.actiongovernance.infra.restore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * A deployment on AWS. Its tenants are found in the table of limits, by the items with the terms of
 * each allowance. No role of the deployment may scan that table; the person who runs this must be
 * permitted to. Thread-safe.
 *
 * @param function the name of {@code recover-claims}
 * @param alias the alias of that function
 */
public record LambdaAndTables(
    DynamoDbClient dynamo, LambdaClient lambda, TableNames tables, String function, String alias)
    implements Recovery.Deployed {
  private static final String TERMS = "#allowance";

  @Override
  public List<String> partitions() {
    return scan(
            Table.LIMITS,
            "contains(#pk, :terms)",
            Map.of("#pk", Tables.PARTITION),
            Map.of(":terms", AttributeValue.fromS(TERMS)))
        .filter(key -> key.endsWith(TERMS))
        .map(key -> key.substring(0, key.length() - TERMS.length()))
        // An entity may have such a name, but the key of its lock has three parts.
        .filter(partition -> partition.split("#", -1).length == 2)
        .sorted()
        .toList();
  }

  @Override
  public Stream<String> openClaims() {
    return scan(
        Table.EFFECTS,
        "#state IN (:intent, :paced)",
        Map.of("#pk", Tables.PARTITION, "#state", "state"),
        Map.of(":intent", AttributeValue.fromS("INTENT"), ":paced", AttributeValue.fromS("PACED")));
  }

  private Stream<String> scan(
      Table table, String filter, Map<String, String> names, Map<String, AttributeValue> values) {
    return dynamo
        .scanPaginator(
            scan ->
                scan.tableName(tables.of(table))
                    .consistentRead(true)
                    .projectionExpression("#pk")
                    .filterExpression(filter)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values))
        .items()
        .stream()
        .map(row -> Objects.requireNonNull(row.get(Tables.PARTITION)).s());
  }

  @Override
  public JsonNode step(ObjectNode input) {
    InvokeResponse answer =
        lambda.invoke(
            invoke ->
                invoke
                    .functionName(function)
                    .qualifier(alias)
                    .payload(SdkBytes.fromUtf8String(Json.write(input))));
    JsonNode body = Json.read(answer.payload().asUtf8String());
    if (answer.functionError() != null) {
      throw new IllegalStateException(
          "%s failed: %s"
              .formatted(function, body.path("errorMessage").asText("it gave no reason")));
    }
    return body;
  }
}
