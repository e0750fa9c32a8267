package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Intercepted;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.RequestUnits.Images;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;

/** Counts what each function asks of AWS, at its SDK clients. Thread-safe. */
final class Meter implements PerFunction.Rewiring {
  private final ConcurrentLinkedQueue<Use> uses = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  /**
   * One request.
   *
   * @param service dynamodb, sqs, events, states, s3 or kms
   * @param operation what is asked for; of a fact put on the bus, its type
   * @param units what it took of which keys, if it is one to DynamoDB
   * @param nanos how long it took
   * @param ended when it was over, as {@link System#nanoTime} counts
   */
  record Use(
      String function,
      String service,
      String operation,
      List<KeyUnits> units,
      long nanos,
      long ended) {
    /** One that is over just now. */
    Use(String function, String service, String operation, List<KeyUnits> units, long nanos) {
      this(function, service, operation, units, nanos, System.nanoTime());
    }

    /** When it was begun. */
    long began() {
      return ended - nanos;
    }

    /** Whether it is about an object of this kind: {@code plan}. */
    boolean isOf(String kind) {
      return units.stream().anyMatch(one -> KeyPattern.of(one).text().contains("T#" + kind + "#"));
    }

    /** Capacity units read. */
    double reads() {
      return units.stream().mapToDouble(KeyUnits::reads).sum();
    }

    /** Capacity units written. */
    double writes() {
      return units.stream().mapToDouble(KeyUnits::writes).sum();
    }
  }

  @Override
  public Wiring of(String function, Rights rights, Wiring wiring) {
    Clients clients = wiring.clients();
    Settings settings = wiring.settings();
    DynamoDbClient dynamo =
        Intercepted.client(
            DynamoDbClient.class,
            clients.dynamo(),
            (request, proceed) -> {
              RequestUnits units =
                  new RequestUnits(Images.of(clients.dynamo()), settings.prefix(), request);
              return dynamo(function, units, request, proceed);
            });
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
            clients.presigner(),
            () ->
                Intercepted.client(
                    KmsClient.class,
                    clients.kms().get(),
                    (request, proceed) -> {
                      return timed(function, "kms", request, proceed);
                    })),
        () -> wiring.clock().instant().plus(ahead.get()),
        wiring.ids(),
        new DynamoStore(dynamo, settings.prefix()));
  }

  /** Has so much time pass for the functions: what they remember of others grows old. */
  void pass(Duration time) {
    ahead.updateAndGet(time::plus);
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
      uses.add(new Use(function, "events", fact.detailType(), List.of(), took));
      took = 0;
    }
    return response;
  }

  private Object timed(
      String function, String service, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    long began = System.nanoTime();
    Object response = proceed.with(request);
    uses.add(new Use(function, service, name(request), List.of(), System.nanoTime() - began));
    return response;
  }

  private Object dynamo(
      String function, RequestUnits units, SdkRequest request, Intercepted.Proceed proceed)
      throws Throwable {
    long began = System.nanoTime();
    try {
      Object response = proceed.with(request);
      long took = System.nanoTime() - began;
      count(function, request, units.answered(response), took);
      return response;
    } catch (ConditionalCheckFailedException | TransactionCanceledException e) {
      long took = System.nanoTime() - began;
      count(function, request, units.refused(), took);
      throw e;
    } catch (RuntimeException e) {
      count(function, request, List.of(), System.nanoTime() - began);
      throw e;
    }
  }

  private void count(String function, SdkRequest request, List<KeyUnits> units, long nanos) {
    uses.add(new Use(function, "dynamodb", name(request), units, nanos));
  }

  private static String name(SdkRequest request) {
    return request.getClass().getSimpleName().replaceAll("Request$", "");
  }
}
