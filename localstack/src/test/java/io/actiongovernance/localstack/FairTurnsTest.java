package io.actiongovernance.localstack;

import static io.actiongovernance.localstack.TestService.await;
import static io.actiongovernance.localstack.TestService.shared;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.trigger.Trigger.Load;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.localstack.aws.Bell;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.source.QueuePoller;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A tenant whose source systems, or models, do not answer lets others have their turns. */
final class FairTurnsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(25);
  private static final int QUEUES = 8;
  private static final ActionQueues ACTION_QUEUES = new ActionQueues(QUEUES);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path data;

  /** Hangs in the messages of one tenant, and notes those of all others. */
  private static final class Hanging implements RequestHandler<SQSEvent, SQSBatchResponse> {
    final List<String> hanging = shared();
    final List<String> handled = shared();
    final Semaphore answers = new Semaphore(0);
    private final Partition noisy;

    Hanging(Partition noisy) {
      this.noisy = noisy;
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      SQSEvent.SQSMessage message = event.getRecords().getFirst();
      if (Json.read(message.getBody()).path("partition").asText().equals(noisy.key())) {
        hanging.add(message.getBody());
        try {
          answers.acquire();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      } else {
        handled.add(message.getBody());
      }
      return new SQSBatchResponse(List.of());
    }
  }

  private static Partition tenant(int number) {
    return new Partition(new TenantId("t_%026d".formatted(number)), Mode.LIVE);
  }

  private static Dispatch action(Partition tenant, int number) {
    String id = "%026d".formatted(number);
    return new Dispatch(
        tenant,
        new ActionId("act_" + id),
        new PlanId("pl_" + id),
        new OperatorId("op_" + id),
        new ConnectorId("cn_" + id),
        "order:" + number);
  }

  private static int queue(Dispatch action) {
    return ACTION_QUEUES.of(action.partition(), action.line()).number();
  }

  private static Set<Integer> queues(Partition tenant) {
    Set<Integer> numbers = new HashSet<>();
    IntStream.range(0, 100).forEach(at -> numbers.add(queue(action(tenant, at))));
    return numbers;
  }

  @Test
  void aTenantWithASilentSourceBlocksOnlyItsTwoQueues() throws Exception {
    Partition noisy = tenant(1);
    Set<Integer> stopped = queues(noisy);
    Hanging handler = new Hanging(noisy);
    Binding executor =
        new Binding("test", new Messages(Queue.ACTIONS), _ -> handler, new Load(1, TIMEOUT, 8));
    try (EmbeddedStack stack =
        TestService.start(
            data, Map.of(Settings.ACTION_QUEUES, Integer.toString(QUEUES)), executor)) {
      Dispatcher dispatcher = stack.wiring().dispatcher();
      IntStream.range(0, 100)
          .forEach(at -> dispatcher.dispatch(action(noisy, at), Dispatcher.FIRST));
      // Eight times the stack's scale, in eight parts, of which the tenant has two.
      await(() -> handler.hanging.size() == 8);
      int others = 0;
      for (int tenant = 2; tenant < 42; tenant++) {
        Dispatch action = action(tenant(tenant), 1_000 + tenant);
        dispatcher.dispatch(action, Dispatcher.FIRST);
        others += stopped.contains(queue(action)) ? 0 : 1;
      }
      int expected = others;
      await(() -> handler.handled.size() == expected);
      assertThat(expected).isBetween(20, 39);
      handler.answers.release(100);
      await(() -> handler.handled.size() == 40 && handler.hanging.size() == 100);
    }
  }

  @Test
  void hangingProposalsDoNotDelayAnotherTenants() throws Exception {
    Partition noisy = tenant(1);
    Hanging handler = new Hanging(noisy);
    Binding proposer =
        new Binding("test", new Messages(Queue.PROPOSALS), _ -> handler, new Load(1, TIMEOUT, 4));
    try (EmbeddedStack stack = TestService.start(data, proposer)) {
      SqsClient sqs = stack.wiring().clients().sqs();
      String url =
          sqs.getQueueUrl(find -> find.queueName(Queue.PROPOSALS.wireName("governance")))
              .queueUrl();
      IntStream.range(0, 100).forEach(at -> propose(sqs, url, noisy, at));
      await(() -> handler.hanging.size() == 4);
      propose(sqs, url, tenant(2), 0);
      propose(sqs, url, tenant(3), 0);
      await(() -> waiting(sqs, url) == 0); // all are received
      handler.answers.release();
      await(() -> handler.handled.size() == 2);
      assertThat(handler.hanging).hasSizeLessThanOrEqualTo(5);
      handler.answers.release(100);
      await(() -> handler.hanging.size() == 100);
    }
  }

  private static void propose(SqsClient sqs, String url, Partition tenant, int number) {
    String body =
        Json.write(Json.object().put("partition", tenant.key()).put("id", "ev_" + number));
    sqs.sendMessage(send -> send.queueUrl(url).messageBody(body).messageGroupId(tenant.key()));
  }

  private static int waiting(SqsClient sqs, String url) {
    return Integer.parseInt(
        sqs.getQueueAttributes(
                get ->
                    get.queueUrl(url)
                        .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
            .attributes()
            .getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0"));
  }

  /** Longer than the queue hides them, they wait; and are neither received again nor lost. */
  @Test
  void aMessageThatWaitsForItsTurnIsReceivedOnce() throws Exception {
    Partition noisy = tenant(1);
    Hanging handler = new Hanging(noisy);
    try (EmbeddedStack stack = TestService.start(data)) {
      SqsClient sqs = stack.wiring().clients().sqs();
      Duration visibility = Duration.ofSeconds(3);
      String url =
          sqs.createQueue(
                  create ->
                      create
                          .queueName("patience")
                          .attributes(
                              Map.of(
                                  QueueAttributeName.VISIBILITY_TIMEOUT,
                                  Long.toString(visibility.toSeconds()))))
              .queueUrl();
      Lambda hanging = new Lambda("test", TIMEOUT, handler);
      QueuePoller poller =
          new QueuePoller(
              sqs, new QueuePoller.Polled(url, false, visibility, new Bell()), hanging, 1, 1);
      propose(sqs, url, noisy, 0);
      await(() -> handler.hanging.size() == 1);
      IntStream.range(0, 30).forEach(at -> propose(sqs, url, tenant(2), at));
      long since = System.nanoTime();
      await(() -> System.nanoTime() - since > visibility.multipliedBy(2).toNanos());
      handler.answers.release(2);
      await(() -> handler.handled.size() >= 30);
      poller.stop();
      poller.join();
      assertThat(handler.handled).hasSize(30).doesNotHaveDuplicates();
    }
  }

  @Test
  void theDeadLettersOfEveryQueueAreHandled() throws Exception {
    TriggersTest.Collector handler = new TriggersTest.Collector(_ -> false);
    Binding letters =
        new Binding("test", new DeadLetters(Queue.ACTIONS), _ -> handler, new Load(1, TIMEOUT, 2));
    try (EmbeddedStack stack =
        TestService.start(data, Map.of(Settings.ACTION_QUEUES, "3"), letters)) {
      SqsClient sqs = stack.wiring().clients().sqs();
      Queue.ACTIONS
          .deployed(3)
          .forEach(
              queue -> {
                String url =
                    sqs.getQueueUrl(find -> find.queueName(queue.deadLetterName("governance")))
                        .queueUrl();
                sqs.sendMessage(
                    send ->
                        send.queueUrl(url)
                            .messageBody(queue.wire())
                            .messageGroupId("g")
                            .messageDeduplicationId(queue.wire()));
              });
      await(() -> handler.bodies.size() == 3);
      assertThat(handler.bodies).containsExactlyInAnyOrder("actions", "actions-2", "actions-3");
    }
  }
}
