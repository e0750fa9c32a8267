package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.Clients;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.localstack.Intercepted;
import io.actiongovernance.localstack.PerFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
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
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
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
  private final FactQueues factQueues = new FactQueues();

  /**
   * One request.
   *
   * @param service dynamodb, sqs, events or states
   * @param operation what is asked for; of a fact put on the bus, its type
   * @param reads capacity units read, as the store tells
   * @param writes capacity units written
   * @param indexed those of them that a transaction wrote to indexes
   * @param nanos how long it took
   * @param queues to how many queues the bus sends the fact
   */
  record Use(
      String function,
      String service,
      String operation,
      double reads,
      double writes,
      double indexed,
      long nanos,
      int queues) {

    /** One that is no fact. */
    Use(
        String function,
        String service,
        String operation,
        double reads,
        double writes,
        double indexed,
        long nanos) {
      this(function, service, operation, reads, writes, indexed, nanos, 0);
    }
  }

  @Override
  public Wiring of(String function, Rights rights, Wiring wiring) {
    Clients clients = wiring.clients();
    DynamoDbClient dynamo =
        Intercepted.client(
            DynamoDbClient.class,
            clients.dynamo(),
            (request, proceed) -> dynamo(function, request, proceed));
    Settings settings = wiring.settings();
    return new Wiring(
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
      uses.add(new Use(function, "events", fact.detailType(), 0, 0, 0, took, factQueues.of(fact)));
      took = 0;
    }
    return response;
  }

  private Object timed(
      String function, String service, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    long began = System.nanoTime();
    Object response = proceed.with(request);
    uses.add(new Use(function, service, name(request), 0, 0, 0, System.nanoTime() - began));
    return response;
  }

  private Object dynamo(String function, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
    SdkRequest counted =
        switch (request) {
          case GetItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case BatchGetItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case QueryRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case PutItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case UpdateItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case DeleteItemRequest one -> one.toBuilder().returnConsumedCapacity(total).build();
          case TransactWriteItemsRequest one ->
              one.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
          default -> request;
        };
    long began = System.nanoTime();
    try {
      Object response = proceed.with(counted);
      count(function, request, consumed(response), began);
      return response;
    } catch (RuntimeException e) {
      // A refused condition is a request like any other; what it used is not told.
      count(function, request, List.of(), began);
      throw e;
    }
  }

  private void count(
      String function, SdkRequest request, List<ConsumedCapacity> consumed, long began) {
    double units =
        consumed.stream()
            .mapToDouble(one -> one.capacityUnits() == null ? 0 : one.capacityUnits())
            .sum();
    boolean reads =
        request instanceof GetItemRequest
            || request instanceof BatchGetItemRequest
            || request instanceof QueryRequest;
    uses.add(
        new Use(
            function,
            "dynamodb",
            name(request),
            reads ? units : 0,
            reads ? 0 : units,
            request instanceof TransactWriteItemsRequest ? ofIndexes(consumed) : 0,
            System.nanoTime() - began));
  }

  private static double ofIndexes(List<ConsumedCapacity> consumed) {
    return consumed.stream()
        .flatMap(one -> one.globalSecondaryIndexes().values().stream())
        .mapToDouble(Capacity::capacityUnits)
        .sum();
  }

  private static List<ConsumedCapacity> consumed(Object response) {
    return switch (response) {
      case GetItemResponse one -> present(one.consumedCapacity());
      case BatchGetItemResponse one -> one.consumedCapacity();
      case QueryResponse one -> present(one.consumedCapacity());
      case PutItemResponse one -> present(one.consumedCapacity());
      case UpdateItemResponse one -> present(one.consumedCapacity());
      case DeleteItemResponse one -> present(one.consumedCapacity());
      case TransactWriteItemsResponse one -> one.consumedCapacity();
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
