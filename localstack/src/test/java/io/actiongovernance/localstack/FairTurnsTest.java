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
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.trigger.Trigger.DeadLetters;
import io.actiongovernance.functions.trigger.Trigger.Load;
import io.actiongovernance.functions.trigger.Trigger.Messages;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    final CountDownLatch answer = new CountDownLatch(1);
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
          answer.await();
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
  void whoseSourceNeverAnswersStopsTheTwoQueuesThatItHasAndNoOther() throws Exception {
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
      handler.answer.countDown();
      await(() -> handler.handled.size() == 40 && handler.hanging.size() == 100);
    }
  }

  @Test
  void theDeadLettersOfEachQueueAreLookedAt() throws Exception {
    TriggersTest.Collector handler = new TriggersTest.Collector(_ -> false);
    Binding letters =
        new Binding("test", new DeadLetters(Queue.ACTIONS), _ -> handler, new Load(1, TIMEOUT, 2));
    try (EmbeddedStack stack =
        TestService.start(data, Map.of(Settings.ACTION_QUEUES, "3"), letters)) {
      var sqs = stack.wiring().clients().sqs();
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
