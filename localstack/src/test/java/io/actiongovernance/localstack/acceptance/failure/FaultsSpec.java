package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.failure.Faults.Kind;
import io.actiongovernance.localstack.acceptance.failure.Faults.Weather;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Ledger;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Faults between the functions and the services they are built on: no effect without its intent, a
 * 503 with {@code Retry-After} for waiting callers, and recovery without help once they stop.
 * {@code -Dgovernance.faults.seed=…} chooses the same requests to fail again.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class FaultsSpec {
  private static final String PREFIX = "governance";
  private static final int CLIENTS = 3;

  /** How long clients are at work in a cell at least, and how many faults they meet at least. */
  private static final Duration AT_WORK = Duration.ofMillis(1_500);

  private static final int FAULTS = 3;

  private static final Duration LONGEST_AT_WORK = Duration.ofSeconds(60);

  /**
   * Within which everything ends once the faults stop: a message that met one is hidden for 30 s,
   * and its plan may wait behind others of the same kind; a test machine may be busy.
   */
  private static final Duration REST = Duration.ofMinutes(3);

  private final long seed = Long.getLong("governance.faults.seed", System.nanoTime());

  /** One cell of the matrix: a tenant that worked while one thing went wrong in one way. */
  private record Cell(String name, Given given, Load load) {}

  @Test
  void theLedgerMatchesTheSourceSystemUnderEveryFault(@TempDir Path folder, Stack shared)
      throws Exception {
    System.out.println("FaultsSpec: -Dgovernance.faults.seed=" + seed);
    List<Cell> cells = new ArrayList<>();
    try (FaultyStack stack = new FaultyStack(folder, seed)) {
      for (Kind kind : Kind.values()) {
        cells.add(stormy(stack, shared, "store-" + kind, stack.store(), kind));
      }
      for (Kind kind : List.of(Kind.TIMEOUT, Kind.ERROR, Kind.THROTTLE, Kind.REPLY_LOST)) {
        cells.add(stormy(stack, shared, "queue-" + kind, stack.queue(), kind));
        cells.add(stormy(stack, shared, "bus-" + kind, stack.bus(), kind));
      }
      cells.forEach(cell -> cell.load().stop());
      cells.forEach(FaultsSpec::verify);
      // Whatever is late under these is late by that hour, so they come when nothing is.
      for (Duration ahead : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
        stack.clockAhead(ahead);
        Cell cell = working(stack, shared, "clock" + ahead.toHours());
        cell.load().stop();
        verify(cell);
      }
    } finally {
      cells.forEach(cell -> cell.given().close());
    }
  }

  private Cell stormy(FaultyStack stack, Stack shared, String name, Faults faults, Kind kind)
      throws Exception {
    Given given = stack.given(shared, name);
    Load load = new Load(given);
    int before = faults.injected();
    faults.set(Weather.stormy(kind));
    work(load, () -> faults.injected() - before >= FAULTS);
    faults.set(null);
    System.out.println("FaultsSpec: " + name + " met " + (faults.injected() - before) + " faults");
    return new Cell(name, given, load);
  }

  private Cell working(FaultyStack stack, Stack shared, String name) throws Exception {
    Given given = stack.given(shared, name);
    Load load = new Load(given);
    work(load, () -> true);
    return new Cell(name, given, load);
  }

  /** Has clients at work until they have met enough, and do no more after that. */
  private void work(Load load, Supplier<Boolean> metEnough) {
    load.start(CLIENTS, new SplittableRandom(seed));
    Await.pause(AT_WORK);
    Await.until(LONGEST_AT_WORK, metEnough, enough -> enough);
    load.end();
  }

  private static void verify(Cell cell) {
    try {
      cell.load().askAgain(REST);
      cell.load().awaitRest(REST);
      cell.load().requireFreeLocks();
      Ledger ledger = new Ledger(cell.given().api(), cell.given().upstream());
      ledger.verify(cell.load());
      ledger.nothingIsHeldAgainstWhatWasNotCalled();
      System.out.println("FaultsSpec: " + cell.name() + " " + ledger.outcomes());
    } catch (AssertionError e) {
      throw new AssertionError(cell.name() + ": " + e.getMessage(), e);
    }
  }

  @Test
  void aFaultBetweenIntentAndCallPostponesTheAction(@TempDir Path folder, Stack shared)
      throws Exception {
    for (Kind kind : List.of(Kind.THROTTLE, Kind.ERROR, Kind.TIMEOUT)) {
      requirePutOff(
          folder.resolve(kind.name()), shared, Weather.downFor(kind, FaultsSpec::followsAnIntent));
    }
  }

  @Test
  void aFaultWhileAnIntentReservesALimitPostponesTheAction(@TempDir Path folder, Stack shared)
      throws Exception {
    for (Kind kind : List.of(Kind.CANCELLED, Kind.REPLY_LOST, Kind.IN_PROGRESS)) {
      requirePutOff(
          folder.resolve(kind.name()), shared, Weather.downFor(kind, FaultsSpec::statesAnIntent));
    }
  }

  /** Requires that an action that meets this before its call is applied once it is over. */
  private void requirePutOff(Path folder, Stack shared, Weather weather) throws Exception {
    try (FaultyStack stack = new FaultyStack(folder, seed);
        Given given = stack.given(shared, "put-off")) {
      ObjectNode limited = Given.allow(Given.REFUND);
      limited
          .putArray("limits")
          .addObject()
          .put("per", "operator")
          .put("window_seconds", 3_600)
          .put("max_actions", 2);
      Operator operator = given.operator(limited);
      // The first one finds no limit item, so its transaction is refused and made again.
      operator.propose(operator.refund("first")).await("executed");
      stack.store().set(weather);
      Plan plan = operator.propose(operator.refund("a"));
      Await.until(LONGEST_AT_WORK, stack.store()::injected, met -> met >= FAULTS);
      assertThat(given.upstream().calls()).hasSize(1);
      stack.store().set(null);
      plan.await("executed", REST);
      assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
      assertThat(given.upstream().calls()).hasSize(2);
    }
  }

  /** The transaction by which a call is intended, and reserves its limits. */
  private static boolean statesAnIntent(SdkRequest request) {
    return request instanceof TransactWriteItemsRequest transaction
        && transaction.transactItems().stream()
            .anyMatch(one -> one.put() != null && isOf(one.put().tableName(), Table.EFFECTS));
  }

  /** The look at halts and action that follows an intent, before the first byte of the call. */
  private static boolean followsAnIntent(SdkRequest request) {
    if (!(request instanceof BatchGetItemRequest batch)) {
      return false;
    }
    List<String> partitions =
        batch.requestItems().values().stream()
            .flatMap(wanted -> wanted.keys().stream())
            .map(key -> key.getOrDefault("pk", AttributeValue.fromS("")).s())
            .toList();
    return partitions.stream().anyMatch(one -> one.endsWith("#halts"))
        && partitions.stream().anyMatch(one -> one.contains("#action#"));
  }

  private static boolean isOf(String tableName, Table table) {
    return tableName.equals(table.wireName(PREFIX));
  }

  /** Longer than an event's messages are received: then they are dead letters. */
  @Test
  void anEventWhoseProposalDiedIsProposedForAgain(@TempDir Path folder, Stack shared)
      throws Exception {
    try (FaultyStack stack = new FaultyStack(folder, seed);
        Given given = stack.given(shared, "again")) {
      String proposals =
          stack
              .queues()
              .getQueueUrl(get -> get.queueName(Queue.PROPOSALS.wireName(PREFIX)))
              .queueUrl();
      // Otherwise ten minutes would pass.
      stack
          .queues()
          .setQueueAttributes(
              set ->
                  set.queueUrl(proposals)
                      .attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "1")));
      ObjectNode watching = Json.object();
      watching.putObject("triggers").putArray("event_types").add("order.paid");
      watching
          .putObject("model")
          .put("provider", "scripted")
          .putArray("plans")
          .addObject()
          .put("event_type", "order.paid")
          .put("reasoning", "Because.")
          .putArray("actions")
          .addObject()
          .put("connector", given.connector())
          .put("tool", Given.NOTE)
          .put("entity_key", "order:1")
          .putObject("args")
          .put("text", "paid");
      given.operatorWith(watching, Given.allow(Given.NOTE));
      stack.store().set(Weather.downFor(Kind.THROTTLE, FaultsSpec::readsTheLog));
      JsonNode paid = given.event("order.paid", Json.object());
      String event = "/v1/events/" + paid.path("id").asText();
      Await.until(LONGEST_AT_WORK, () -> delayed(stack, proposals), many -> many == 1);
      stack.store().set(null);
      assertThat(given.api().get(event).is(200).path("plan_ids")).isEmpty();
      Await.until(
          REST, () -> given.api().get(event).is(200).path("plan_ids"), ids -> ids.size() == 1);
    }
  }

  private static boolean readsTheLog(SdkRequest request) {
    return switch (request) {
      case GetItemRequest get -> isOf(get.tableName(), Table.EVENTS);
      case QueryRequest query -> isOf(query.tableName(), Table.EVENTS);
      case BatchGetItemRequest batch ->
          batch.requestItems().keySet().stream().anyMatch(name -> isOf(name, Table.EVENTS));
      default -> false;
    };
  }

  /** How many messages of the queue are to be handed out later. */
  private static int delayed(FaultyStack stack, String queueUrl) {
    QueueAttributeName delayed = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;
    return Integer.parseInt(
        stack
            .queues()
            .getQueueAttributes(get -> get.queueUrl(queueUrl).attributeNames(delayed))
            .attributes()
            .getOrDefault(delayed, "0"));
  }

  @Test
  void aRequestDuringAStoreOutageGetsARetryAfter(@TempDir Path folder, Stack shared)
      throws Exception {
    try (FaultyStack stack = new FaultyStack(folder, seed);
        Given given = stack.given(shared, "waiting")) {
      ObjectNode event = Json.object().put("source", "shop").put("event_type", "order.paid");
      event.putObject("payload").put("id", 1);
      // What it publishes is read before it goes away.
      assertThat(given.api().get("/v1/events").data()).isEmpty();
      for (Kind kind : List.of(Kind.TIMEOUT, Kind.ERROR, Kind.THROTTLE, Kind.REPLY_LOST)) {
        String key = Given.unique("key");
        stack.store().set(Weather.down(kind));
        requireComeAgain(given.api().post("/v1/events", event, "Idempotency-Key", key));
        requireComeAgain(given.api().get("/v1/plans"));
        stack.store().set(null);
        assertThat(given.api().post("/v1/events", event, "Idempotency-Key", key).status())
            .isEqualTo(201);
      }
      assertThat(given.api().get("/v1/events").data()).hasSize(4);
    }
  }

  @Test
  void anApprovalDuringAQueueOutageIsAnsweredAfterIt(@TempDir Path folder, Stack shared)
      throws Exception {
    try (FaultyStack stack = new FaultyStack(folder, seed);
        Given given = stack.given(shared, "waiting")) {
      Operator operator = given.operator(Given.alert(Given.REFUND));
      Plan plan = operator.propose(operator.refund("a"));
      String key = Given.unique("key");
      stack.queue().set(Weather.down(Kind.ERROR));
      requireComeAgain(
          given.api().post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key));
      assertThat(given.upstream().calls()).isEmpty();
      stack.queue().set(null);
      given.api().post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key).is(200);
      assertThat(given.upstream().calls()).hasSize(1);
      assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    }
  }

  private static void requireComeAgain(Answer answer) {
    answer.isError(503, "service_unavailable");
    assertThat(Long.parseLong(answer.header("Retry-After"))).isPositive();
  }
}
