package io.actiongovernance.localstack.aws;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeLimitsRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeLimitsResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ExecuteTransactionRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteTransactionResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.ListStreamsRequest;
import software.amazon.awssdk.services.dynamodb.model.ListStreamsResponse;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;
import software.amazon.awssdk.services.dynamodb.model.ListTagsOfResourceRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTagsOfResourceResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TagResourceRequest;
import software.amazon.awssdk.services.dynamodb.model.TagResourceResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UntagResourceRequest;
import software.amazon.awssdk.services.dynamodb.model.UntagResourceResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.server.DynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.shared.model.AttributeValue;

/**
 * Answers requests of DynamoDB Local's HTTP front from the embedded database, so that both see the
 * same tables. Credentials and regions make no difference, because there is one database.
 * Thread-safe.
 */
final class DynamoRequests extends DynamoDBRequestHandler {
  private final DynamoDbClient database;
  private final DynamoDbStreamsClient streams;

  DynamoRequests(DynamoDbClient database, DynamoDbStreamsClient streams) {
    super(0);
    this.database = database;
    this.streams = streams;
  }

  /** Does nothing, because the database's owner closes it. */
  @Override
  public void shutdown() {}

  /** Calls the database, and converts the SDK's exceptions to those that the HTTP front reports. */
  private static <T> T answer(Supplier<T> call) {
    try {
      return call.get();
    } catch (ConditionalCheckFailedException e) {
      throw refusal(e, List.of(), e.hasItem() ? LocalAttributes.of(e.item()) : null);
    } catch (TransactionCanceledException e) {
      throw refusal(e, e.cancellationReasons(), null);
    } catch (DynamoDBLocalServiceException e) {
      throw e;
    } catch (AwsServiceException e) {
      throw refusal(e, List.of(), null);
    }
  }

  private static DynamoDBLocalServiceException refusal(
      AwsServiceException e,
      List<CancellationReason> reasons,
      @Nullable Map<String, AttributeValue> item) {
    return new DynamoDBLocalServiceException(
        e.awsErrorDetails().errorMessage(),
        reasons,
        item,
        e.statusCode(),
        e.awsErrorDetails().errorCode());
  }

  @Override
  public CreateTableResponse createTable(
      String accessKey, String region, CreateTableRequest request) {
    return answer(() -> database.createTable(request));
  }

  @Override
  public DeleteTableResponse deleteTable(
      String accessKey, String region, DeleteTableRequest request) {
    return answer(() -> database.deleteTable(request));
  }

  @Override
  public DescribeTableResponse describeTable(
      String accessKey, String region, DescribeTableRequest request) {
    return answer(() -> database.describeTable(request));
  }

  @Override
  public DescribeLimitsResponse describeLimits(
      String accessKey, String region, DescribeLimitsRequest request) {
    return answer(() -> database.describeLimits(request));
  }

  @Override
  public ListTablesResponse listTables(String accessKey, String region, ListTablesRequest request) {
    return answer(() -> database.listTables(request));
  }

  @Override
  public UpdateTableResponse updateTable(
      String accessKey, String region, UpdateTableRequest request) {
    return answer(() -> database.updateTable(request));
  }

  @Override
  public BatchGetItemResponse batchGetItem(
      String accessKey, String region, BatchGetItemRequest request) {
    return answer(() -> database.batchGetItem(request));
  }

  @Override
  public BatchWriteItemResponse batchWriteItem(
      String accessKey, String region, BatchWriteItemRequest request) {
    return answer(() -> database.batchWriteItem(request));
  }

  @Override
  public DeleteItemResponse deleteItem(String accessKey, String region, DeleteItemRequest request) {
    return answer(() -> database.deleteItem(request));
  }

  @Override
  public GetItemResponse getItem(String accessKey, String region, GetItemRequest request) {
    return answer(() -> database.getItem(request));
  }

  @Override
  public PutItemResponse putItem(String accessKey, String region, PutItemRequest request) {
    return answer(() -> database.putItem(request));
  }

  @Override
  public QueryResponse query(String accessKey, String region, QueryRequest request) {
    return answer(() -> database.query(request));
  }

  @Override
  public ScanResponse scan(String accessKey, String region, ScanRequest request) {
    return answer(() -> database.scan(request));
  }

  @Override
  public TransactGetItemsResponse transactGetItems(
      String accessKey, String region, TransactGetItemsRequest request) {
    return answer(() -> database.transactGetItems(request));
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(
      String accessKey, String region, TransactWriteItemsRequest request) {
    return answer(() -> database.transactWriteItems(request));
  }

  @Override
  public UpdateItemResponse updateItem(String accessKey, String region, UpdateItemRequest request) {
    return answer(() -> database.updateItem(request));
  }

  @Override
  public DescribeTimeToLiveResponse describeTimeToLive(
      String accessKey, String region, DescribeTimeToLiveRequest request) {
    return answer(() -> database.describeTimeToLive(request));
  }

  @Override
  public UpdateTimeToLiveResponse updateTimeToLive(
      String accessKey, String region, UpdateTimeToLiveRequest request) {
    return answer(() -> database.updateTimeToLive(request));
  }

  @Override
  public ExecuteStatementResponse executeStatement(
      String accessKey, String region, ExecuteStatementRequest request) {
    return answer(() -> database.executeStatement(request));
  }

  @Override
  public BatchExecuteStatementResponse batchExecuteStatement(
      String accessKey, String region, BatchExecuteStatementRequest request) {
    return answer(() -> database.batchExecuteStatement(request));
  }

  @Override
  public ExecuteTransactionResponse executeTransaction(
      String accessKey, String region, ExecuteTransactionRequest request) {
    return answer(() -> database.executeTransaction(request));
  }

  @Override
  public DescribeStreamResponse describeStream(
      String accessKey, String region, DescribeStreamRequest request) {
    return answer(() -> streams.describeStream(request));
  }

  @Override
  public ListStreamsResponse listStreams(
      String accessKey, String region, ListStreamsRequest request) {
    return answer(() -> streams.listStreams(request));
  }

  @Override
  public GetShardIteratorResponse getShardIterator(
      String accessKey, String region, GetShardIteratorRequest request) {
    return answer(() -> streams.getShardIterator(request));
  }

  @Override
  public GetRecordsResponse getRecords(String accessKey, String region, GetRecordsRequest request) {
    return answer(() -> streams.getRecords(request));
  }

  @Override
  public ListTagsOfResourceResponse listTagsOfResource(
      String accessKey, String region, ListTagsOfResourceRequest request) {
    return answer(() -> database.listTagsOfResource(request));
  }

  @Override
  public TagResourceResponse tagResource(
      String accessKey, String region, TagResourceRequest request) {
    return answer(() -> database.tagResource(request));
  }

  @Override
  public UntagResourceResponse untagResource(
      String accessKey, String region, UntagResourceRequest request) {
    return answer(() -> database.untagResource(request));
  }
}
