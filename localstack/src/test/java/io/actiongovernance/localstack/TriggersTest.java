package io.actiongovernance.localstack;

import static io.actiongovernance.localstack.TestService.await;
import static io.actiongovernance.localstack.TestService.shared;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.trigger.Trigger.Load;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** What drives the functions that are not HTTP, from source to handler, as on AWS. */
final class TriggersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path data;

  /** Collects the messages it gets; fails those that it is told to, each once. */
  static final class Collector implements RequestHandler<SQSEvent, SQSBatchResponse> {
    final List<String> bodies = shared();
    final List<Long> arrivals = shared();
    private final Predicate<String> failing;
    volatile Consumer<SQSEvent.SQSMessage> onFailure = message -> {};

    Collector(Predicate<String> failing) {
      this.failing = failing;
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      List<SQSBatchResponse.BatchItemFailure> failures = shared();
      for (SQSEvent.SQSMessage message : event.getRecords()) {
        arrivals.add(System.nanoTime());
        if (failing.test(message.getBody())) {
          onFailure.accept(message);
          failures.add(new SQSBatchResponse.BatchItemFailure(message.getMessageId()));
        } else {
          bodies.add(message.getBody());
        }
      }
      return new SQSBatchResponse(failures);
    }
  }

  /** Handles each message for a while and notes whether any other of its group ran meanwhile. */
  static final class OneAtATime implements RequestHandler<SQSEvent, Void> {
    final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    final List<String> order = shared();
    final AtomicInteger overlaps = new AtomicInteger();
    final AtomicInteger groupsAtOnce = new AtomicInteger();

    @Override
    public Void handleRequest(SQSEvent event, Context context) {
      SQSEvent.SQSMessage message = event.getRecords().getFirst();
      String group = message.getAttributes().get("MessageGroupId");
      AtomicInteger inGroup = running.computeIfAbsent(group, unknown -> new AtomicInteger());
      if (inGroup.incrementAndGet() > 1) {
        overlaps.incrementAndGet();
      }
      int groups = running.values().stream().mapToInt(AtomicInteger::get).sum();
      groupsAtOnce.accumulateAndGet(groups, Math::max);
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      order.add(message.getBody());
      inGroup.decrementAndGet();
      return null;
    }
  }

  /** Notes the changes it gets, and fails at those that it is told to. */
  static final class ChangeLog implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
    final List<String> seen = shared();
    final List<String> ids = shared();
    private final Predicate<String> failing;

    ChangeLog(Predicate<String> failing) {
      this.failing = failing;
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, Context context) {
      for (DynamodbStreamRecord change : event.getRecords()) {
        String range = Objects.requireNonNull(change.getDynamodb().getKeys().get("sk")).getS();
        if (failing.test(range)) {
          return new StreamsEventResponse(
              List.of(
                  new StreamsEventResponse.BatchItemFailure(
                      change.getDynamodb().getSequenceNumber())));
        }
        seen.add(range);
        ids.add(change.getEventID());
      }
      return new StreamsEventResponse(List.of());
    }
  }

  /** Counts how often it ran. */
  static final class Ticks implements RequestHandler<ScheduledEvent, Void> {
    final List<String> types = shared();

    @Override
    public Void handleRequest(ScheduledEvent event, Context context) {
      types.add(event.getDetailType());
      return null;
    }
  }

  @Test
  void aMessageReachesItsHandlerAtOnce() throws Exception {
    Collector collector = new Collector(body -> false);
    try (EmbeddedStack stack =
        TestService.start(data, messages(Queue.PROPOSALS, collector, 1, 4))) {
      send(stack, Queue.PROPOSALS, "warm-up");
      await(() -> collector.bodies.size() == 1);
      List<Long> latencies = shared();
      for (int number = 0; number < 20; number++) {
        int expected = number + 2;
        long sent = System.nanoTime();
        send(stack, Queue.PROPOSALS, "message-" + number);
        await(() -> collector.bodies.size() == expected);
        latencies.add(TimeUnit.NANOSECONDS.toMillis(collector.arrivals.getLast() - sent));
      }
      assertThat(latencies.stream().sorted().toList().get(10)).isLessThan(100);
    }
  }

  @Test
  void onlyFailedMessagesOfABatchComeAgain() throws Exception {
    Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();
    Collector collector =
        new Collector(
            body ->
                tries.computeIfAbsent(body, unknown -> new AtomicInteger()).incrementAndGet() == 1
                    && body.equals("bad"));
    try (EmbeddedStack stack = TestService.start(data, messages(Queue.RESUME, collector, 2, 3))) {
      SqsClient sqs = stack.wiring().clients().sqs();
      String url =
          sqs.getQueueUrl(r -> r.queueName(Queue.RESUME.wireName("governance"))).queueUrl();
      // Sooner than the queue's own minute.
      collector.onFailure =
          message ->
              sqs.changeMessageVisibility(
                  r ->
                      r.queueUrl(url)
                          .receiptHandle(message.getReceiptHandle())
                          .visibilityTimeout(1));
      List<String> bodies = List.of("good", "bad", "fine", "well", "right");
      sqs.sendMessageBatch(
          r ->
              r.queueUrl(url)
                  .entries(
                      bodies.stream()
                          .map(
                              body ->
                                  SendMessageBatchRequestEntry.builder()
                                      .id(body)
                                      .messageBody(body)
                                      .build())
                          .toList()));
      await(() -> collector.bodies.contains("bad"));
      assertThat(collector.bodies).containsExactlyInAnyOrderElementsOf(bodies);
      assertThat(tries.get("good")).hasValue(1);
      assertThat(tries.get("bad")).hasValue(2);
    }
  }

  @Test
  void messagesOfAGroupComeOneByOneAndGroupsInParallel() throws Exception {
    OneAtATime handler = new OneAtATime();
    Binding binding =
        new Binding(
            "test", new Messages(Queue.ACTIONS), wiring -> handler, new Load(1, TIMEOUT, 8));
    try (EmbeddedStack stack = TestService.start(data, binding)) {
      SqsClient sqs = stack.wiring().clients().sqs();
      String url =
          sqs.getQueueUrl(r -> r.queueName(Queue.ACTIONS.wireName("governance"))).queueUrl();
      for (int number = 0; number < 5; number++) {
        for (String group : List.of("a", "b", "c", "d")) {
          String body = group + number;
          sqs.sendMessage(
              r ->
                  r.queueUrl(url)
                      .messageBody(body)
                      .messageGroupId(group)
                      .messageDeduplicationId(body));
        }
      }
      await(() -> handler.order.size() == 20);
      assertThat(handler.overlaps).hasValue(0);
      assertThat(handler.groupsAtOnce.get()).isGreaterThan(1);
      for (String group : List.of("a", "b", "c", "d")) {
        assertThat(handler.order.stream().filter(body -> body.startsWith(group)))
            .containsExactly(group + 0, group + 1, group + 2, group + 3, group + 4);
      }
    }
  }

  @Test
  void changesComeInOrderAndARestartCarriesOn() throws Exception {
    ChangeLog first = new ChangeLog(range -> false);
    try (EmbeddedStack stack = TestService.start(data, changes(first))) {
      insert(stack, 0, 50);
      await(() -> first.seen.size() == 50);
    }
    assertThat(first.seen).isEqualTo(ranges(0, 50));
    try (EmbeddedStack stack = TestService.start(data)) {
      insert(stack, 50, 60); // while nothing relays
    }
    ChangeLog second = new ChangeLog(range -> false);
    try (EmbeddedStack stack = TestService.start(data, changes(second))) {
      insert(stack, 60, 65);
      await(() -> second.seen.size() >= 15);
    }
    assertThat(second.seen).isEqualTo(ranges(50, 65));
  }

  @Test
  void onlyChangesThatMatchAPatternAreHandledAndNoneComesAgain() throws Exception {
    String pattern = "{\"dynamodb\":{\"NewImage\":{\"n\":{\"N\":[\"7\"]}}}}";
    ChangeLog first = new ChangeLog(range -> false);
    try (EmbeddedStack stack = TestService.start(data, changes(first, pattern))) {
      insert(stack, 0, 3); // all with n = 1
      insert(stack, "0003", 7);
      insert(stack, 4, 6);
      insert(stack, "0006", 7);
      await(() -> first.seen.size() == 2);
    }
    assertThat(first.seen).containsExactly("0003", "0006");
    ChangeLog second = new ChangeLog(range -> false);
    try (EmbeddedStack stack = TestService.start(data, changes(second, pattern))) {
      insert(stack, "0007", 7);
      await(() -> !second.seen.isEmpty());
    }
    assertThat(second.seen).containsExactly("0007");
  }

  @Test
  void aFailingChangeIsRetriedAloneAndThenSkipped() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    ChangeLog log = new ChangeLog(range -> range.equals("0007") && tries.incrementAndGet() > 0);
    try (EmbeddedStack stack = TestService.start(data, changes(log))) {
      insert(stack, 0, 12);
      await(() -> log.seen.contains("0011"));
      assertThat(log.seen).doesNotContain("0007");
      assertThat(log.seen.stream().distinct().toList())
          .isEqualTo(ranges(0, 12).stream().filter(range -> !range.equals("0007")).toList());
      SqsClient sqs = stack.wiring().clients().sqs();
      String failed =
          sqs.getQueueUrl(r -> r.queueName(Queue.FAILED_CHANGES.wireName("governance"))).queueUrl();
      String body =
          sqs.receiveMessage(r -> r.queueUrl(failed).waitTimeSeconds(5))
              .messages()
              .getFirst()
              .body();
      String key = Json.read(body).at("/Records/0/s3/object/key").textValue();
      String record =
          stack
              .wiring()
              .clients()
              .s3()
              .get()
              .getObjectAsBytes(
                  get ->
                      get.bucket(stack.wiring().settings().changesBucket())
                          .key(URLDecoder.decode(key, StandardCharsets.UTF_8)))
              .asUtf8String();
      assertThat(Json.read(record).at("/DDBStreamBatchInfo/batchSize").intValue()).isEqualTo(1);
      assertThat(Json.read(record).at("/payload/Records/0/dynamodb/Keys/sk/S").textValue())
          .isEqualTo("0007");
    }
  }

  @Test
  void aTemporaryFaultOfAChangeLosesNothing() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    ChangeLog log = new ChangeLog(range -> range.equals("0003") && tries.incrementAndGet() < 4);
    try (EmbeddedStack stack = TestService.start(data, changes(log))) {
      insert(stack, 0, 8);
      await(() -> log.seen.contains("0007"));
      assertThat(log.seen.stream().distinct().toList()).isEqualTo(ranges(0, 8));
    }
  }

  @Test
  void anIngestedEnvelopeReachesTheProposersQueueWithinAMoment() throws Exception {
    Collector collector = new Collector(body -> false);
    Binding relay = Trigger.RELAY_EVENTS.binding();
    try (EmbeddedStack stack =
        TestService.start(data, relay, messages(Queue.PROPOSALS, collector, 1, 4))) {
      event(stack, "ev_0");
      await(() -> collector.bodies.size() == 1);
      List<Long> lags = shared();
      for (int number = 1; number <= 10; number++) {
        int expected = number + 1;
        long stored = System.nanoTime();
        event(stack, "ev_" + number);
        await(() -> collector.bodies.size() == expected);
        lags.add(TimeUnit.NANOSECONDS.toMillis(collector.arrivals.getLast() - stored));
      }
      assertThat(Json.read(collector.bodies.getFirst()).path("id").textValue()).isEqualTo("ev_0");
      assertThat(Json.read(collector.bodies.getFirst()).path("partition").textValue())
          .isEqualTo("t_1#live#event");
      assertThat(lags.stream().sorted().toList().get(5)).isLessThan(400);
    }
  }

  @Test
  void aScheduleRunsAgainAndAgain() throws Exception {
    Ticks ticks = new Ticks();
    Binding binding =
        new Binding(
            "tick", new Every(Duration.ofMillis(50)), wiring -> ticks, new Load(1, TIMEOUT, 1));
    try (EmbeddedStack stack = TestService.start(data, binding)) {
      await(() -> ticks.types.size() >= 3);
      assertThat(stack.baseUrl()).isNotNull();
      assertThat(ticks.types).containsOnly("Scheduled Event");
    }
  }

  @Test
  void everyTriggerHasItsOwnFunction() {
    assertThat(Trigger.bindings().stream().map(Binding::function)).doesNotHaveDuplicates();
  }

  private static Binding messages(Queue queue, Collector handler, int batch, int concurrency) {
    return new Binding(
        "collect", new Messages(queue), wiring -> handler, new Load(batch, TIMEOUT, concurrency));
  }

  private static Binding changes(ChangeLog handler, String... patterns) {
    Changes source = new Changes(Table.STATE, List.of(patterns));
    return new Binding("log", source, wiring -> handler, new Load(100, TIMEOUT, 1));
  }

  private static void send(EmbeddedStack stack, Queue queue, String body) {
    SqsClient sqs = stack.wiring().clients().sqs();
    String url = sqs.getQueueUrl(r -> r.queueName(queue.wireName("governance"))).queueUrl();
    sqs.sendMessage(r -> r.queueUrl(url).messageBody(body));
  }

  private static void insert(EmbeddedStack stack, int from, int to) {
    ranges(from, to).forEach(range -> insert(stack, range, 1));
  }

  private static void insert(EmbeddedStack stack, String range, long n) {
    Key key = new Key(Table.STATE, "p", range);
    stack.wiring().store().write(Write.insert(Item.at(key).with("n", n).build()));
  }

  private static List<String> ranges(int from, int to) {
    return java.util.stream.IntStream.range(from, to).mapToObj("%04d"::formatted).toList();
  }

  private static void event(EmbeddedStack stack, String id) {
    Key key = new Key(Table.EVENTS, "t_1#live#event", id);
    stack
        .wiring()
        .store()
        .write(
            Write.insert(
                Item.at(key)
                    .with("kind", "event")
                    .with("id", id)
                    .with("partition", "t_1#live#event")
                    .build()));
  }
}
