package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Intercepted;
import io.actiongovernance.localstack.PerFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;

/** Counts what each function asks of AWS, at its SDK clients. Thread-safe. */
final class Meter implements PerFunction.Rewiring {
  private final ConcurrentLinkedQueue<Use> uses = new ConcurrentLinkedQueue<>();

  /**
   * One request.
   *
   * @param service dynamodb, sqs, events or states
   * @param operation what is asked for; of a fact put on the bus, its type
   * @param reads capacity units read, as the store tells
   * @param writes capacity units written, by the store's count or a transaction's own
   * @param nanos how long it took
   */
  record Use(
      String function, String service, String operation, double reads, double writes, long nanos) {}

  @Override
  public Wiring of(String function, Rights rights, Wiring wiring) {
    Clients clients = wiring.clients();
    Settings settings = wiring.settings();
    String prefix = settings.prefix();
    DynamoDbClient dynamo =
        Intercepted.client(
            DynamoDbClient.class,
            clients.dynamo(),
            (request, proceed) ->
                request instanceof TransactWriteItemsRequest transaction
                    ? transaction(function, clients.dynamo(), prefix, transaction, proceed)
                    : dynamo(function, request, proceed));
    return Composition.of(
        settings,
        new Clients(
            dynamo,
            Intercepted.client(
                SqsClient.class,
                clients.sqs(),
                (request, proceed) -> {
                  if (request instanceof GetQueueUrlRequest) {
                    return proceed.with(request);
                  }
                  return timed(function, "sqs", request, proceed);
                }),
            Intercepted.client(
                EventBridgeClient.class,
                clients.events(),
                (request, proceed) -> facts(function, request, proceed)),
            Intercepted.client(
                SfnClient.class,
                clients.stepFunctions(),
                (request, proceed) -> {
                  return timed(function, "states", request, proceed);
                }),
            () ->
                Intercepted.client(
                    S3Client.class,
                    clients.s3().get(),
                    (request, proceed) -> {
                      return timed(function, "s3", request, proceed);
                    }),
            clients.presigner()),
        wiring.clock(),
        wiring.ids(),
        new DynamoStore(dynamo, settings.prefix()));
  }

  /** Forgets what was counted so far. */
  void reset() {
    uses.clear();
  }

  List<Use> uses() {
    return new ArrayList<>(uses);
  }

  /** What is put on the bus is billed by the fact, whatever number goes with one request. */
  private Object facts(String function, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    long began = System.nanoTime();
    Object response = proceed.with(request);
    long took = System.nanoTime() - began;
    for (PutEventsRequestEntry fact : ((PutEventsRequest) request).entries()) {
      uses.add(new Use(function, "events", fact.detailType(), 0, 0, took));
      took = 0;
    }
    return response;
  }

  private Object timed(
      String function, String service, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    long began = System.nanoTime();
    Object response = proceed.with(request);
    uses.add(new Use(function, service, name(request), 0, 0, System.nanoTime() - began));
    return response;
  }

  private Object dynamo(String function, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
    SdkRequest counted =
        switch (request) {
          case GetItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case BatchGetItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case TransactGetItemsRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case QueryRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case PutItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case UpdateItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case DeleteItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          default -> request;
        };
    long began = System.nanoTime();
    try {
      Object response = proceed.with(counted);
      double units = Math.max(least(request), units(consumed(response)));
      count(function, request, units, System.nanoTime() - began);
      return response;
    } catch (RuntimeException e) {
      // A refused condition is a request like any other; what it used is not told.
      count(function, request, 0, System.nanoTime() - began);
      throw e;
    }
  }

  private Object transaction(
      String function,
      DynamoDbClient uncounted,
      String prefix,
      TransactWriteItemsRequest request,
      Intercepted.Proceed proceed)
      throws Throwable {
    TransactionUnits units = new TransactionUnits(uncounted, prefix, request);
    long began = System.nanoTime();
    try {
      Object response = proceed.with(request);
      long took = System.nanoTime() - began;
      count(function, request, units.count(), took);
      return response;
    } catch (RuntimeException e) {
      count(function, request, 0, System.nanoTime() - began);
      throw e;
    }
  }

  private void count(String function, SdkRequest request, double units, long nanos) {
    boolean reads =
        request instanceof GetItemRequest
            || request instanceof BatchGetItemRequest
            || request instanceof TransactGetItemsRequest
            || request instanceof QueryRequest;
    uses.add(
        new Use(function, "dynamodb", name(request), reads ? units : 0, reads ? 0 : units, nanos));
  }

  /** What AWS takes for a query that finds nothing, for which DynamoDB Local counts nothing. */
  private static double least(SdkRequest request) {
    return request instanceof QueryRequest query
        ? Boolean.TRUE.equals(query.consistentRead()) ? 1 : 0.5
        : 0;
  }

  private static double units(List<ConsumedCapacity> consumed) {
    return consumed.stream()
        .mapToDouble(one -> one.capacityUnits() == null ? 0 : one.capacityUnits())
        .sum();
  }

  private static List<ConsumedCapacity> consumed(Object response) {
    return switch (response) {
      case GetItemResponse one -> present(one.consumedCapacity());
      case BatchGetItemResponse one -> one.consumedCapacity();
      case TransactGetItemsResponse one -> one.consumedCapacity();
      case QueryResponse one -> present(one.consumedCapacity());
      case PutItemResponse one -> present(one.consumedCapacity());
      case UpdateItemResponse one -> present(one.consumedCapacity());
      case DeleteItemResponse one -> present(one.consumedCapacity());
      default -> List.of();
    };
  }

  private static List<ConsumedCapacity> present(
      @org.jspecify.annotations.Nullable ConsumedCapacity consumed) {
    return consumed == null ? List.of() : List.of(consumed);
  }

  private static String name(SdkRequest request) {
    return request.getClass().getSimpleName().replaceAll("Request$", "");
  }
}
