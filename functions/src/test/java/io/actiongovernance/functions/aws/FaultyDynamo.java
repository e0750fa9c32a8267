package io.actiongovernance.functions.aws;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The embedded DynamoDB, raising what it never raises by itself, as DynamoDB words it: each request
 * meets the next of the faults, for as long as there are any. Not thread-safe.
 */
final class FaultyDynamo implements DynamoDbClient {
  /** Something that goes wrong with one request. */
  @FunctionalInterface
  interface Fault {
    /** Answers the request, or throws; {@code done} does what it asks for. */
    SdkResponse with(SdkRequest request, Done done);

    /** The request is answered with this, and not done. */
    static Fault instead(RuntimeException answer) {
      return (request, done) -> {
        throw answer;
      };
    }

    /** The request is done, and answered with this. */
    static Fault after(RuntimeException answer) {
      return (request, done) -> {
        SdkResponse unused = done.answer();
        throw answer;
      };
    }
  }

  /** Does what a request asks for. */
  @FunctionalInterface
  interface Done {
    SdkResponse answer();
  }

  private final Deque<Fault> faults = new ArrayDeque<>();
  private final List<SdkRequest> requests = new ArrayList<>();
  private @Nullable Fault always;

  static FaultyDynamo with(Fault... faults) {
    FaultyDynamo dynamo = new FaultyDynamo();
    dynamo.faults.addAll(Arrays.asList(faults));
    return dynamo;
  }

  /** One with which every request goes wrong. */
  static FaultyDynamo always(Fault fault) {
    FaultyDynamo dynamo = new FaultyDynamo();
    dynamo.always = fault;
    return dynamo;
  }

  /** An answer with an error of this code. */
  static DynamoDbException error(String code) {
    return error(code, 1);
  }

  /** The same to the last one of so many attempts, those before it not being answered. */
  static DynamoDbException error(String code, int attempts) {
    return (DynamoDbException)
        DynamoDbException.builder()
            .statusCode(400)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(code).build())
            .numAttempts(attempts)
            .build();
  }

  /** A transaction that was cancelled for these reasons, one for each of its writes. */
  static TransactionCanceledException cancelled(String... codes) {
    return TransactionCanceledException.builder()
        .cancellationReasons(
            Arrays.stream(codes)
                .map(code -> CancellationReason.builder().code(code).build())
                .toList())
        .build();
  }

  /** What was asked for, every attempt of it. */
  List<SdkRequest> requests() {
    return requests;
  }

  @SuppressWarnings("unchecked") // A request of one kind has a response of one kind.
  private <Q extends SdkRequest, A extends SdkResponse> A answer(Q request, Function<Q, A> well) {
    requests.add(request);
    Fault fault = always == null ? faults.poll() : always;
    return fault == null ? well.apply(request) : (A) fault.with(request, () -> well.apply(request));
  }

  @Override
  public GetItemResponse getItem(GetItemRequest request) {
    return answer(request, EmbeddedDynamo.client()::getItem);
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
    return answer(request, EmbeddedDynamo.client()::batchGetItem);
  }

  @Override
  public QueryResponse query(QueryRequest request) {
    return answer(request, EmbeddedDynamo.client()::query);
  }

  @Override
  public PutItemResponse putItem(PutItemRequest request) {
    return answer(request, EmbeddedDynamo.client()::putItem);
  }

  @Override
  public UpdateItemResponse updateItem(UpdateItemRequest request) {
    return answer(request, EmbeddedDynamo.client()::updateItem);
  }

  @Override
  public DeleteItemResponse deleteItem(DeleteItemRequest request) {
    return answer(request, EmbeddedDynamo.client()::deleteItem);
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
    return answer(request, EmbeddedDynamo.client()::transactWriteItems);
  }

  @Override
  public String serviceName() {
    return "dynamodb";
  }

  @Override
  public void close() {}
}
