package io.actiongovernance.localstack;

import static io.actiongovernance.localstack.TestService.await;
import static io.actiongovernance.localstack.TestService.shared;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.event.NewEvent;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.trigger.RelayFacts;
import io.actiongovernance.functions.trigger.RunDueOperatorsHandler;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events whose changes no relay was ever given: here no relay follows the stream. */
final class MissedEventsSpec {
  private static final List<JsonNode> PROPOSED_FOR = shared();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static EmbeddedStack stack;

  private final Wiring wiring = stack.wiring();
  private final Partition partition =
      new Partition(new TenantId(TenantId.PREFIX + wiring.ids().next()), Mode.LIVE);

  @BeforeAll
  static void start() throws Exception {
    stack = TestService.start(folder, TestService.proposer(PROPOSED_FOR));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void theSweeperHandsOnAMissedEventOnce() throws Exception {
    wiring.store().write(HandedOn.begin(partition, wiring.clock().instant()));
    Event relayed = ingested();
    Event forgotten = ingested();
    relay(relayed);
    await(() -> !proposedFor().isEmpty());
    sweep(Duration.ofMinutes(14));
    sweep(Duration.ofMinutes(16));
    await(() -> proposedFor().size() > 1);
    sweep(Duration.ofMinutes(32));
    sweep(Duration.ofHours(3));
    assertThat(proposedFor()).containsExactly(relayed.id().value(), forgotten.id().value());
    Event later = ingested();
    sweep(Duration.ofHours(5));
    await(() -> proposedFor().size() > 2);
    assertThat(proposedFor()).last().isEqualTo(later.id().value());
  }

  @Test
  void eventsFromBeforeTheFirstOperatorAreNotHandedOn() {
    ingested();
    Instant later = wiring.clock().instant().plusSeconds(5);
    wiring.store().write(HandedOn.begin(partition, later));
    sweep(Duration.ofMinutes(20));
    assertThat(proposedFor()).isEmpty();
  }

  private List<String> proposedFor() {
    return PROPOSED_FOR.stream()
        .filter(one -> one.path("partition").asText().equals(partition.key()))
        .filter(one -> one.path("type").asText().equals("envelope.ingested"))
        .map(one -> one.path("id").asText())
        .toList();
  }

  private Event ingested() {
    KeyId key = KeyId.next(wiring.ids());
    return wiring
        .eventLog()
        .append(
            new NewEvent(
                EventId.next(wiring.ids()),
                partition,
                null,
                null,
                "shop",
                "order.made",
                CorrelationId.next(wiring.ids()),
                Json.object(),
                null,
                null,
                RequestId.next(wiring.ids()),
                new Principal(Principal.Type.KEY, key.value(), "key", null),
                null));
  }

  /** Has the relay of events given the change of an event, under its own rights. */
  private void relay(Event event) {
    AttributeValue position = new AttributeValue();
    position.setN(Long.toString(event.position()));
    StreamRecord body = new StreamRecord();
    body.setSequenceNumber("1");
    body.setNewImage(
        Map.of(
            "kind", new AttributeValue("event"),
            "id", new AttributeValue(event.id().value()),
            "partition", new AttributeValue(partition.key()),
            "position", position));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID(event.id().value());
    change.setDynamodb(body);
    DynamodbEvent changes = new DynamodbEvent();
    changes.setRecords(List.of(change));
    Set<String> refused = new HashSet<>();
    Wiring guarded = guarded(Trigger.RELAY_EVENTS, wiring, refused);
    assertThat(new RelayFacts(guarded).handleRequest(changes, null).getBatchItemFailures())
        .isEmpty();
    assertThat(refused).isEmpty();
  }

  /** Sweeps all that is due after a while, under the sweeper's own rights. */
  private void sweep(Duration after) {
    InstantSource clock = () -> wiring.clock().instant().plus(after);
    Wiring later =
        Composition.of(
            wiring.settings(),
            wiring.clients(),
            clock,
            wiring.ids(),
            new DynamoStore(wiring.clients().dynamo(), wiring.settings().prefix()));
    Set<String> refused = new HashSet<>();
    Wiring guarded = guarded(Trigger.RUN_DUE_OPERATORS, later, refused);
    for (int shard : new LookForDue(wiring.store(), clock).shards(DueIndex.SCHEDULES)) {
      SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
      message.setMessageId("m");
      message.setBody(SqsSweeps.body(shard));
      SQSEvent event = new SQSEvent();
      event.setRecords(List.of(message));
      ((RunDueOperatorsHandler) Trigger.RUN_DUE_OPERATORS.binding().handler().apply(guarded))
          .handleRequest(event, null);
    }
    assertThat(refused).isEmpty();
  }

  private static Wiring guarded(Trigger trigger, Wiring wiring, Set<String> refused) {
    return new GuardedClients(
            trigger.binding().function(), trigger.rights(), wiring.settings().prefix(), refused)
        .guard(wiring);
  }
}
