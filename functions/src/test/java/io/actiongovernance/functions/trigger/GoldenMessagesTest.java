package io.actiongovernance.functions.trigger;

import static io.actiongovernance.kernel.Dispatcher.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.aws.SqsDeliveryQueue;
import io.actiongovernance.functions.aws.SqsDispatcher;
import io.actiongovernance.functions.aws.SqsProposalQueue;
import io.actiongovernance.functions.aws.SqsQueues;
import io.actiongovernance.functions.aws.StepFunctionsTimers;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DeliveryStatus;
import io.actiongovernance.webhook.DeliveryType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/**
 * Messages and inputs of timers as they are written. While a release is deployed, what the one
 * before has sent is still on its way, and the other way round: so none of this changes. That they
 * are understood is shown by {@code StoredMessagesSpec}, for inputs of timers by {@code
 * StoredGoesOnSpec}.
 */
final class GoldenMessagesTest {
  private static final String BODY = "01jd0000000000000000000000";
  private static final Partition PARTITION = new Partition(new TenantId("t_" + BODY), Mode.LIVE);

  private static final Dispatch DISPATCH =
      new Dispatch(
          PARTITION,
          new ActionId("act_" + BODY),
          new PlanId("pl_" + BODY),
          new OperatorId("op_" + BODY),
          new ConnectorId("cn_" + BODY),
          "order:é\"1042\"");

  private static final String ACTION =
      """
      {"partition":"t_01jd0000000000000000000000#live","action_id":"act_01jd0000000000000000000000",\
      "plan_id":"pl_01jd0000000000000000000000","operator_id":"op_01jd0000000000000000000000",\
      "connector_id":"cn_01jd0000000000000000000000","line":"order:é\\"1042\\""}\
      """;

  /** Queues that keep what they are sent. Not thread-safe. */
  private static final class Postbox implements SqsClient {
    final List<SendMessageRequest> sent = new ArrayList<>();

    @Override
    public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
      return GetQueueUrlResponse.builder().queueUrl(request.queueName()).build();
    }

    @Override
    public SendMessageResponse sendMessage(SendMessageRequest request) {
      sent.add(request);
      return SendMessageResponse.builder().build();
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }

  private final Postbox postbox = new Postbox();
  private final SqsQueues queues = new SqsQueues(postbox, "governance");
  private final SqsDispatcher dispatcher = new SqsDispatcher(queues, new ActionQueues(1));

  private SendMessageRequest sent() {
    assertThat(postbox.sent).hasSize(1);
    return postbox.sent.getFirst();
  }

  @Test
  void theMessageOfADispatchedAction() {
    dispatcher.dispatch(DISPATCH, FIRST);
    assertThat(sent().queueUrl()).isEqualTo("governance-actions.fifo");
    assertThat(sent().messageBody()).isEqualTo(ACTION);
    assertThat(sent().messageDeduplicationId()).isEqualTo("act_01jd0000000000000000000000-1");
    assertThat(sent().messageGroupId())
        .isEqualTo("19501870b595b6894ed35ce358f347089ee7e703087cad6d1437b471e2c2ceef");
    assertThat(ActionMessage.read(Json.read(ACTION))).isEqualTo(DISPATCH);
    assertThat(ActionMessage.isOne(Json.read(ACTION))).isTrue();
  }

  @Test
  void theMessageOfAnActionWithEightQueues() {
    new SqsDispatcher(queues, new ActionQueues(8)).dispatch(DISPATCH, FIRST);
    assertThat(sent().queueUrl()).isEqualTo("governance-actions-4.fifo");
    assertThat(sent().messageBody()).isEqualTo(ACTION);
  }

  @Test
  void aRepeatedDispatchHasItsOwnMessageGroup() {
    dispatcher.dispatch(DISPATCH, 1_790_000_000_000L);
    assertThat(sent().messageBody()).isEqualTo(ACTION);
    assertThat(sent().messageGroupId())
        .isEqualTo("19501870b595b6894ed35ce358f347089ee7e703087cad6d1437b471e2c2ceef#1790000000000")
        .hasSizeLessThanOrEqualTo(128);
  }

  @Test
  void theMessageOfAParkedAction() {
    dispatcher.dispatchLater(DISPATCH, Duration.ofMillis(1_001));
    assertThat(sent().queueUrl()).isEqualTo("governance-resume");
    assertThat(sent().messageBody()).isEqualTo(ACTION);
    assertThat(sent().delaySeconds()).isEqualTo(2);
    assertThat(sent().messageGroupId()).isEqualTo("t_01jd0000000000000000000000#live");
  }

  @Test
  void theMessageThatWakesAPlan() {
    dispatcher.wake(PARTITION, new PlanId("pl_" + BODY), Duration.ofSeconds(1));
    assertThat(sent().queueUrl()).isEqualTo("governance-resume");
    String body =
        """
        {"partition":"t_01jd0000000000000000000000#live","plan_id":"pl_01jd0000000000000000000000"}\
        """;
    assertThat(sent().messageBody()).isEqualTo(body);
    assertThat(sent().messageGroupId()).isEqualTo("t_01jd0000000000000000000000#live");
    assertThat(ActionMessage.isOne(Json.read(body))).isFalse();
  }

  @Test
  void theMessageOfARepeatedProposal() {
    new SqsProposalQueue(queues)
        .sendAgain(Json.object().put("partition", PARTITION.key()), Duration.ofMinutes(2));
    assertThat(sent().queueUrl()).isEqualTo("governance-proposals");
    assertThat(sent().messageGroupId()).isEqualTo("t_01jd0000000000000000000000#live");
    assertThat(sent().delaySeconds()).isEqualTo(120);
  }

  @Test
  void theMessageOfADeliveryAttempt() {
    Delivery delivery =
        new Delivery(
            new DeliveryId("dlv_" + BODY),
            PARTITION,
            new EndpointId("whk_" + BODY),
            DeliveryType.PLAN_DISPOSED.wire(),
            false,
            "co_" + BODY,
            new Delivery.Data("{}", null),
            DeliveryStatus.PENDING,
            0,
            0,
            List.of(),
            null,
            null,
            null,
            null);
    new SqsDeliveryQueue(queues).send(delivery, "whk_" + BODY + "#1", 1_763_675_047_412L);
    assertThat(sent().queueUrl()).isEqualTo("governance-attempts.fifo");
    assertThat(sent().messageBody())
        .isEqualTo(
            """
            {"partition":"t_01jd0000000000000000000000#live",\
            "endpoint_id":"whk_01jd0000000000000000000000",\
            "delivery_id":"dlv_01jd0000000000000000000000"}\
            """);
    assertThat(sent().messageGroupId()).isEqualTo("whk_01jd0000000000000000000000#1");
    assertThat(sent().messageDeduplicationId())
        .isEqualTo("dlv_01jd0000000000000000000000-1763675047412");
  }

  @Test
  void theDetailOfAFact() {
    Instant at = Instant.parse("2026-11-20T21:44:07.412Z");
    Fact made =
        new Fact(
            "ev-1:envelope.ingested",
            FactType.ENVELOPE_INGESTED,
            PARTITION.key(),
            "ev_" + BODY,
            "000000000000000001473",
            at,
            null);
    assertThat(made.detail())
        .isEqualTo(
            """
            {"fact_id":"ev-1:envelope.ingested","type":"envelope.ingested",\
            "partition":"t_01jd0000000000000000000000#live","id":"ev_01jd0000000000000000000000",\
            "version":"000000000000000001473","at":"2026-11-20T21:44:07.412Z"}\
            """);
    Fact changed =
        new Fact(
            "1:plan.disposed",
            FactType.PLAN_DISPOSED,
            PARTITION.key(),
            "pl_" + BODY,
            "",
            at,
            new Fact.Changed("status", "executed"));
    assertThat(changed.detail())
        .isEqualTo(
            """
            {"fact_id":"1:plan.disposed","type":"plan.disposed",\
            "partition":"t_01jd0000000000000000000000#live","id":"pl_01jd0000000000000000000000",\
            "version":"","at":"2026-11-20T21:44:07.412Z","changed":{"status":"executed"}}\
            """);
  }

  @Test
  void theNamesOfFactsAndQueues() {
    assertThat(Arrays.stream(FactType.values()).map(FactType::wire))
        .contains(
            "envelope.ingested",
            "proposal.requested",
            "export.requested",
            "plan.proposed",
            "plan.disposed",
            "plan.clock_started",
            "plan.clock_stopped",
            "action.needs_approval",
            "action.disposed",
            "receipt.written",
            "connector.status_changed",
            "operator.schedule_stopped",
            "webhook_endpoint.status_changed");
    assertThat(Arrays.stream(Queue.values()).map(queue -> queue.wireName("governance")))
        .contains(
            "governance-actions.fifo",
            "governance-resume",
            "governance-proposals",
            "governance-exports",
            "governance-plan-timers",
            "governance-deliveries",
            "governance-attempts.fifo",
            "governance-failed-changes",
            "governance-failed-facts");
    assertThat(Arrays.stream(Queue.values()).map(queue -> queue.deadLetterName("governance")))
        .contains("governance-actions-dead.fifo");
    assertThat(Queue.ACTIONS.deployed(3))
        .extracting(queue -> queue.wireName("governance"))
        .containsExactly(
            "governance-actions.fifo", "governance-actions-2.fifo", "governance-actions-3.fifo");
    assertThat(Queue.ACTIONS.deployed(2).getLast().deadLetterName("governance"))
        .isEqualTo("governance-actions-2-dead.fifo");
  }

  @Test
  void theInputsOfTimers() {
    List<StartExecutionRequest> started = new ArrayList<>();
    SfnClient stepFunctions =
        new SfnClient() {
          @Override
          public StartExecutionResponse startExecution(StartExecutionRequest request) {
            started.add(request);
            return StartExecutionResponse.builder().build();
          }

          @Override
          public String serviceName() {
            return SERVICE_NAME;
          }

          @Override
          public void close() {}
        };
    Map<String, String> ids = new LinkedHashMap<>();
    ids.put("partition", PARTITION.key());
    new StepFunctionsTimers(stepFunctions, "arn:machines:", "governance")
        .start(
            new Timer(
                TimerKind.PLAN_EXPIRY,
                "pl_" + BODY,
                Instant.parse("2026-11-20T21:44:07.412999Z"),
                ids));
    assertThat(started.getFirst().stateMachineArn())
        .isEqualTo("arn:machines:governance-plan-expiry");
    assertThat(started.getFirst().name()).isEqualTo("pl_01jd0000000000000000000000");
    assertThat(started.getFirst().input())
        .isEqualTo(
            """
            {"wait_until":"2026-11-20T21:44:07.412Z","partition":"t_01jd0000000000000000000000#live"}\
            """);
    assertThat(Arrays.stream(TimerKind.values()).map(kind -> kind.wireName("governance")))
        .contains("governance-plan-expiry", "governance-webhook-retry");
  }
}
