package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ContinuousBackupsUnavailableException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ListTagsOfResourceResponse;
import software.amazon.awssdk.services.dynamodb.model.PointInTimeRecoveryDescription;
import software.amazon.awssdk.services.dynamodb.model.PointInTimeRecoveryStatus;
import software.amazon.awssdk.services.dynamodb.model.PolicyNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.Tag;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The tables of DynamoDB. Thread-safe. */
public final class DynamoTables implements TableService {
  private final DynamoDbClient client;

  public DynamoTables(DynamoDbClient client) {
    this.client = client;
  }

  @Override
  public Optional<Description> find(String table) {
    try {
      return Optional.of(found(client.describeTable(asked -> asked.tableName(table)).table()));
    } catch (ResourceNotFoundException e) {
      return Optional.empty();
    }
  }

  private static Description found(TableDescription table) {
    boolean streamed =
        table.streamSpecification() != null
            && Boolean.TRUE.equals(table.streamSpecification().streamEnabled());
    return new Description(
        table.tableArn(),
        table.tableId(),
        table.tableStatus() == TableStatus.ACTIVE,
        streamed,
        Boolean.TRUE.equals(table.deletionProtectionEnabled()),
        table.restoreSummary() == null ? null : table.restoreSummary().restoreDateTime(),
        table.keySchema().stream().map(KeySchemaElement::attributeName).toList());
  }

  @Override
  public Optional<Window> window(String table) {
    PointInTimeRecoveryDescription recovery =
        client
            .describeContinuousBackups(asked -> asked.tableName(table))
            .continuousBackupsDescription()
            .pointInTimeRecoveryDescription();
    return recovery == null
            || recovery.pointInTimeRecoveryStatus() != PointInTimeRecoveryStatus.ENABLED
        ? Optional.empty()
        : Optional.of(
            new Window(recovery.earliestRestorableDateTime(), recovery.latestRestorableDateTime()));
  }

  @Override
  public void restore(String source, String target, Instant at) {
    client.restoreTableToPointInTime(
        asked -> asked.sourceTableName(source).targetTableName(target).restoreDateTime(at));
  }

  @Override
  public Optional<String> expiry(String table) {
    TimeToLiveDescription expiry =
        client.describeTimeToLive(asked -> asked.tableName(table)).timeToLiveDescription();
    return expiry.timeToLiveStatus() == TimeToLiveStatus.ENABLED
            || expiry.timeToLiveStatus() == TimeToLiveStatus.ENABLING
        ? Optional.of(expiry.attributeName())
        : Optional.empty();
  }

  @Override
  public Map<String, String> tags(Description table) {
    ListTagsOfResourceResponse listed =
        client.listTagsOfResource(asked -> asked.resourceArn(table.arn()));
    return listed.tags().stream().collect(Collectors.toMap(Tag::key, Tag::value));
  }

  @Override
  public boolean hasPolicy(Description table) {
    try {
      return client.getResourcePolicy(asked -> asked.resourceArn(table.arn())).policy() != null;
    } catch (PolicyNotFoundException e) {
      return false;
    }
  }

  @Override
  public void stream(String table) {
    client.updateTable(
        asked ->
            asked
                .tableName(table)
                .streamSpecification(
                    stream ->
                        stream
                            .streamEnabled(true)
                            .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
  }

  @Override
  public void protectFromDeletion(String table) {
    client.updateTable(asked -> asked.tableName(table).deletionProtectionEnabled(true));
  }

  @Override
  public boolean makeRestorable(String table) {
    try {
      client.updateContinuousBackups(
          asked ->
              asked
                  .tableName(table)
                  .pointInTimeRecoverySpecification(
                      recovery -> recovery.pointInTimeRecoveryEnabled(true)));
      return true;
    } catch (ContinuousBackupsUnavailableException e) {
      return false;
    }
  }

  @Override
  public void expireBy(String table, String attribute) {
    client.updateTimeToLive(
        asked ->
            asked
                .tableName(table)
                .timeToLiveSpecification(expiry -> expiry.attributeName(attribute).enabled(true)));
  }

  @Override
  public void tag(Description table, Map<String, String> tags) {
    client.tagResource(
        asked ->
            asked
                .resourceArn(table.arn())
                .tags(
                    tags.entrySet().stream()
                        .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                        .toList()));
  }

  @Override
  public void putPolicy(Description table, String policy) {
    client.putResourcePolicy(asked -> asked.resourceArn(table.arn()).policy(policy));
  }

  @Override
  public Page scan(String table, Map<String, AttributeValue> from) {
    var page =
        client.scan(
            asked ->
                asked
                    .tableName(table)
                    .consistentRead(true)
                    .exclusiveStartKey(from.isEmpty() ? null : from));
    return new Page(page.items(), page.lastEvaluatedKey());
  }

  @Override
  public List<Map<String, AttributeValue>> get(
      String table, List<Map<String, AttributeValue>> keys) {
    List<Map<String, AttributeValue>> rows = new ArrayList<>();
    Map<String, KeysAndAttributes> left =
        Map.of(table, KeysAndAttributes.builder().consistentRead(true).keys(keys).build());
    while (!left.isEmpty()) {
      Map<String, KeysAndAttributes> asked = left;
      BatchGetItemResponse answer = client.batchGetItem(batch -> batch.requestItems(asked));
      rows.addAll(answer.responses().getOrDefault(table, List.of()));
      left = answer.unprocessedKeys();
    }
    return rows;
  }
}
