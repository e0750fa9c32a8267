package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.RelayFacts;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.EndpointChange;
import io.actiongovernance.webhook.EndpointStatus;
import io.actiongovernance.webhook.NewEndpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.EventBridgeException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Which facts the relay puts on the bus, and which it sends to be proposed for. */
final class RelayFactsSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static EmbeddedStack stack;

  /** What the relay asked of the tables, and the details that the bus took. */
  private final List<SdkRequest> asked = new ArrayList<>();

  private final List<JsonNode> published = new ArrayList<>();

  private boolean tablesAreAway;
  private boolean busIsAway;
  private boolean queuesAreAway;
  private boolean objectsAreAway;
  private boolean answersAreLost;
  private int refusals;
  private int refusalsOfQueues;

  /** How often bus and queue were asked to take facts. */
  private int putting;

  private final Wiring wiring = stack.wiring();
  private final RelayFacts relay = new RelayFacts(disturbed(wiring.settings()));
  private int changes;

  @BeforeAll
  static void start() throws Exception {
    stack = TestService.start(folder);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  /** The stack's wiring, over tables and a bus that fail when they are told to. */
  private Wiring disturbed(Settings settings) {
    Clients clients = wiring.clients();
    DynamoDbClient dynamo =
        Intercepted.client(
            DynamoDbClient.class,
            clients.dynamo(),
            (request, proceed) -> {
              asked.add(request);
              if (tablesAreAway) {
                throw DynamoDbException.builder().message("Away, on purpose.").build();
              }
              return proceed.with(request);
            });
    EventBridgeClient bus =
        Intercepted.client(
            EventBridgeClient.class,
            clients.events(),
            (request, proceed) -> {
              PutEventsRequest put = (PutEventsRequest) request;
              putting++;
              if (busIsAway) {
                throw EventBridgeException.builder().message("Away, on purpose.").build();
              }
              if (refusals-- > 0) {
                return refusing(put);
              }
              put.entries().forEach(entry -> published.add(Json.read(entry.detail())));
              return proceed.with(request);
            });
    SqsClient sqs =
        Intercepted.client(
            SqsClient.class,
            clients.sqs(),
            (request, proceed) -> {
              if (request instanceof SendMessageBatchRequest sent) {
                putting++;
                if (queuesAreAway) {
                  throw SqsException.builder().message("Away, on purpose.").build();
                }
                if (refusalsOfQueues-- > 0) {
                  return refusing(sent);
                }
              }
              return proceed.with(request);
            });
    S3Client s3 =
        Intercepted.client(
            S3Client.class,
            clients.s3().get(),
            (request, proceed) -> {
              if (objectsAreAway) {
                throw S3Exception.builder().message("Away, on purpose.").build();
              }
              if (answersAreLost && request instanceof PutObjectRequest) {
                proceed.with(request); // Its answer is lost, and the client repeats it.
              }
              return proceed.with(request);
            });
    return Composition.of(
        settings,
        new Clients(
            dynamo,
            sqs,
            bus,
            clients.stepFunctions(),
            () -> s3,
            clients.presigner(),
            clients.kms()),
        wiring.clock(),
        wiring.ids(),
        new DynamoStore(dynamo, wiring.settings().prefix()));
  }

  /** An answer that takes none of the entries, each by itself. */
  private static PutEventsResponse refusing(PutEventsRequest request) {
    return PutEventsResponse.builder()
        .failedEntryCount(request.entries().size())
        .entries(
            request.entries().stream()
                .map(_ -> PutEventsResultEntry.builder().errorCode("ThrottlingException").build())
                .toList())
        .build();
  }

  private static SendMessageBatchResponse refusing(SendMessageBatchRequest request) {
    return SendMessageBatchResponse.builder()
        .failed(
            request.entries().stream()
                .map(one -> BatchResultErrorEntry.builder().id(one.id()).code("Throttled").build())
                .toList())
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheEndpointsTypesAreQueued(DeliveryType type) {
    Partition partition = newTenant();
    endpoint(partition, type);
    assertThat(relay(everything(partition))).isEmpty();
    assertThat(queued()).isNotEmpty().allMatch(fact -> type(fact).equals(type.wire()));
    assertThat(published)
        .filteredOn(fact -> DeliveryType.parse(type(fact)).isPresent())
        .allMatch(fact -> type(fact).equals(type.wire()));
  }

  @Test
  void tellEverythingPublishesEveryTypeOnTheBus() {
    RelayFacts telling = new RelayFacts(disturbed(tellingEverything()));
    assertThat(relay(telling, everything(newTenant()))).isEmpty();
    assertThat(published)
        .extracting(RelayFactsSpec::type)
        .contains(
            Arrays.stream(DeliveryType.values()).map(DeliveryType::wire).toArray(String[]::new));
    assertThat(asked).isEmpty();
    assertThat(queued()).isNotEmpty();
  }

  @Test
  void anEndpointOfOneModeGetsNoFactsOfTheOther() {
    Partition live = newTenant();
    endpoint(live, DeliveryType.values());
    assertThat(relay(everything(new Partition(live.tenant(), Mode.TEST)))).isEmpty();
    assertThat(published).isEmpty();
    assertThat(relay(everything(live))).isEmpty();
    assertThat(queued()).isNotEmpty();
  }

  @Test
  void aDisabledEndpointGetsNoFactsUntilItIsActive() {
    Partition partition = newTenant();
    EndpointId endpoint = endpoint(partition, DeliveryType.RECEIPT_WRITTEN);
    List<DynamodbStreamRecord> receipt = List.of(inserted(partition, "receipt", Map.of()));
    setStatus(partition, endpoint, EndpointStatus.DISABLED);
    relay(receipt);
    assertThat(published).isEmpty();
    setStatus(partition, endpoint, EndpointStatus.ACTIVE);
    relay(receipt);
    assertThat(queued()).hasSize(1);
  }

  @Test
  void endpointsAndChannelsAreReadOncePerPartitionDespiteRetries() {
    Partition one = newTenant();
    Partition other = newTenant();
    endpoint(one, DeliveryType.RECEIPT_WRITTEN);
    List<DynamodbStreamRecord> all = new ArrayList<>(everything(one));
    all.addAll(everything(other));
    all.addAll(everything(one));
    refusals = 2;
    assertThat(relay(all)).isEmpty();
    assertThat(queued()).hasSize(2);
    assertThat(asked)
        .hasSize(4)
        .allMatch(request -> request instanceof QueryRequest query && query.consistentRead());
  }

  @Test
  void factsForNoEndpointReadNoTable() {
    Partition partition = newTenant();
    endpoint(partition, DeliveryType.values());
    relay(List.of(inserted(partition, "event", Map.of())));
    assertThat(toBeProposedFor())
        .extracting(RelayFactsSpec::type)
        .containsExactly("envelope.ingested");
    assertThat(published).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void proposalsAreGroupedByTenantAndMode() {
    Partition partition = newTenant();
    relay(
        List.of(
            inserted(partition, "event", Map.of()),
            inserted(partition, "proposal_request", Map.of())));
    assertThat(received(Queue.PROPOSALS))
        .hasSize(2)
        .allSatisfy(
            message ->
                assertThat(message.attributes())
                    .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, partition.key()));
  }

  @Test
  void aFactRefusedByTheQueueIsRetriedAndThenItsChangeRepeated() {
    DynamodbStreamRecord event = inserted(newTenant(), "event", Map.of());
    refusalsOfQueues = 2;
    assertThat(relay(List.of(event))).isEmpty();
    assertThat(toBeProposedFor()).hasSize(1);
    refusalsOfQueues = 3;
    assertThat(relay(List.of(event))).containsExactly(event.getDynamodb().getSequenceNumber());
    assertThat(toBeProposedFor()).isEmpty();
  }

  @Test
  void theRelayDoesNotRetryAServiceThatDoesNotAnswer() {
    Partition partition = newTenant();
    endpoint(partition, DeliveryType.RECEIPT_WRITTEN);
    List<DynamodbStreamRecord> all = new ArrayList<>();
    for (int each = 0; each < 11; each++) {
      all.add(inserted(partition, "event", Map.of()));
      all.add(inserted(partition, "receipt", Map.of()));
    }
    busIsAway = true;
    queuesAreAway = true;
    // The client has repeated it, in the time that the function has; all of it comes again.
    assertThat(relay(all)).hasSize(22);
    assertThat(putting).isEqualTo(2);
    busIsAway = false;
    queuesAreAway = false;
    assertThat(relay(all)).isEmpty();
    assertThat(published).hasSize(11);
    assertThat(toBeProposedFor()).hasSize(11);
    assertThat(queued()).hasSize(11);
  }

  @Test
  void tellEverythingPublishesProposalsOnTheBusToo() {
    relay(
        new RelayFacts(disturbed(tellingEverything())),
        List.of(inserted(newTenant(), "event", Map.of())));
    assertThat(published).extracting(RelayFactsSpec::type).containsExactly("envelope.ingested");
    assertThat(toBeProposedFor()).hasSize(1);
  }

  @Test
  void aChangeWithUnreadableEndpointsIsRetriedWithItsFollowers() {
    Partition partition = newTenant();
    endpoint(partition, DeliveryType.RECEIPT_WRITTEN);
    DynamodbStreamRecord event = inserted(partition, "event", Map.of());
    DynamodbStreamRecord receipt = inserted(partition, "receipt", Map.of());
    DynamodbStreamRecord later = inserted(partition, "receipt", Map.of());
    tablesAreAway = true;
    assertThat(relay(List.of(event, receipt, later)))
        .containsExactly(receipt.getDynamodb().getSequenceNumber());
    assertThat(toBeProposedFor())
        .extracting(RelayFactsSpec::type)
        .containsExactly("envelope.ingested");
    assertThat(asked).hasSize(1);
    // Its own content can be read: however often that fails, it is not given up.
    for (int tried = 2; tried <= 5; tried++) {
      assertThat(relay(List.of(receipt, later))).hasSize(1);
    }
    assertThat(received(Queue.FAILED_CHANGES)).isEmpty();
    tablesAreAway = false;
    assertThat(relay(List.of(receipt, later))).isEmpty();
    assertThat(queued())
        .extracting(fact -> fact.path("fact_id").textValue())
        .containsExactlyInAnyOrder(
            receipt.getEventID() + ":receipt.written", later.getEventID() + ":receipt.written");
  }

  /** A change that no relay can read: its partition is missing. */
  private DynamodbStreamRecord unreadable(Partition partition, Map<String, String> attributes) {
    DynamodbStreamRecord change = inserted(partition, "event", attributes);
    change.setEventID(wiring.ids().next());
    change.getDynamodb().getNewImage().remove("partition");
    return change;
  }

  @Test
  void anUnreadableChangeIsTriedThreeTimesAndThenSetAsideWhole() {
    Partition partition = newTenant();
    DynamodbStreamRecord unreadable = unreadable(partition, Map.of("n", "1"));
    DynamodbStreamRecord event = inserted(partition, "event", Map.of());
    String first = unreadable.getDynamodb().getSequenceNumber();
    // Each try may be made by another process.
    for (int tried = 1; tried <= 2; tried++) {
      RelayFacts other = new RelayFacts(disturbed(wiring.settings()));
      assertThat(relay(other, List.of(unreadable, event))).containsExactly(first);
      assertThat(received(Queue.FAILED_CHANGES)).isEmpty();
    }
    assertThat(relay(List.of(unreadable, event))).isEmpty();
    String given = "changes/relay-facts/" + unreadable.getEventID();
    assertThat(bodies(Queue.FAILED_CHANGES))
        .extracting(note -> note.at("/Records/0/s3/object/key").textValue())
        .containsExactly(given.replace("/", "%2F"));
    JsonNode kept = Json.read(object(given));
    assertThat(kept.at("/payload/records/0/dynamodb/newImage/n/s").textValue()).isEqualTo("1");
    // It comes again when what follows it fails: it is kept once.
    assertThat(relay(List.of(unreadable))).isEmpty();
    assertThat(received(Queue.FAILED_CHANGES)).isEmpty();
    received(Queue.PROPOSALS);
  }

  @Test
  void anUnreadableChangeIsNotGivenUpWithoutTheBucket() {
    DynamodbStreamRecord unreadable = unreadable(newTenant(), Map.of());
    objectsAreAway = true;
    for (int tried = 1; tried <= 4; tried++) {
      assertThat(relay(List.of(unreadable))).hasSize(1);
    }
    objectsAreAway = false;
    assertThat(relay(List.of(unreadable))).hasSize(1);
  }

  @Test
  void aTryCountsOnceEvenIfTheClientRepeatsItsPut() {
    DynamodbStreamRecord unreadable = unreadable(newTenant(), Map.of());
    answersAreLost = true;
    assertThat(relay(List.of(unreadable))).hasSize(1);
    assertThat(relay(List.of(unreadable))).hasSize(1);
    assertThat(relay(List.of(unreadable))).isEmpty();
    assertThat(received(Queue.FAILED_CHANGES)).hasSize(1);
  }

  private String object(String name) {
    return wiring
        .clients()
        .s3()
        .get()
        .getObjectAsBytes(get -> get.bucket(wiring.settings().changesBucket()).key(name))
        .asUtf8String();
  }

  private Settings tellingEverything() {
    return Settings.of(
        Map.of(
            "GOVERNANCE_PREFIX",
            wiring.settings().prefix(),
            "GOVERNANCE_MASTER_KEY",
            Settings.NO_MASTER_KEY,
            "GOVERNANCE_TELL_EVERYTHING",
            "true"));
  }

  private Partition newTenant() {
    return new Partition(new TenantId(TenantId.PREFIX + wiring.ids().next()), Mode.LIVE);
  }

  private Caller caller(Partition partition) {
    return new Caller(
        RequestId.next(wiring.ids()),
        partition,
        null,
        KeyId.next(wiring.ids()),
        "key",
        Set.of(),
        null);
  }

  /** Makes an active endpoint. */
  private EndpointId endpoint(Partition partition, DeliveryType... types) {
    EndpointId id = EndpointId.next(wiring.ids());
    NewEndpoint wanted =
        new NewEndpoint("https://hooks.example/" + id.value(), List.of(types), null, null);
    assertThat(new WebhookWiring(wiring).manage().create(caller(partition), id, wanted))
        .isInstanceOf(Done.class);
    return id;
  }

  private void setStatus(Partition partition, EndpointId endpoint, EndpointStatus status) {
    EndpointChange change = new EndpointChange(null, null, Given.absent(), status, false, null);
    String request = wiring.ids().next();
    assertThat(
            new WebhookWiring(wiring).manage().change(caller(partition), endpoint, change, request))
        .isInstanceOf(Done.class);
  }

  /** Changes that each say one or two of the things that endpoints can ask for: all of them. */
  private List<DynamodbStreamRecord> everything(Partition partition) {
    DynamodbStreamRecord held = inserted(partition, "plan", Map.of("status", "proposed"));
    AttributeValue actions = new AttributeValue();
    actions.setSS(List.of("act_1"));
    held.getDynamodb().getNewImage().put("needs_approval", actions);
    held.getDynamodb().getNewImage().put("policies", one());
    DynamodbStreamRecord voted = inserted(partition, "receipt", Map.of());
    voted.getDynamodb().getNewImage().put("vote", one());
    return List.of(
        held,
        changed(partition, "plan", "status", "proposed", "executed"),
        changed(partition, "action", "disposition", null, "ALLOW"),
        voted,
        changed(partition, "connector", "status", "connected", "degraded"),
        changed(partition, "operator", "schedule_stopped", null, "2026-12-31T23:59:07.412Z"),
        changed(partition, "webhook_endpoint", "status", "active", "suspended"));
  }

  private static AttributeValue one() {
    AttributeValue number = new AttributeValue();
    number.setN("1");
    return number;
  }

  private DynamodbStreamRecord changed(
      Partition partition, String kind, String attribute, @Nullable String from, String to) {
    DynamodbStreamRecord change = inserted(partition, kind, Map.of(attribute, to));
    Map<String, String> before = from == null ? Map.of() : Map.of(attribute, from);
    change.getDynamodb().setOldImage(image(partition, kind, before));
    return change;
  }

  private DynamodbStreamRecord inserted(
      Partition partition, String kind, Map<String, String> texts) {
    StreamRecord body = new StreamRecord();
    body.setSequenceNumber("%03d".formatted(++changes));
    body.setNewImage(image(partition, kind, texts));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("e-" + changes);
    change.setDynamodb(body);
    return change;
  }

  private static Map<String, AttributeValue> image(
      Partition partition, String kind, Map<String, String> texts) {
    Map<String, AttributeValue> image = new HashMap<>();
    image.put("kind", new AttributeValue(kind));
    image.put("id", new AttributeValue("x_1"));
    image.put("partition", new AttributeValue(partition.key()));
    texts.forEach((name, text) -> image.put(name, new AttributeValue(text)));
    return image;
  }

  /** Relays changes, and returns where it failed. */
  private List<String> relay(List<DynamodbStreamRecord> batch) {
    return relay(relay, batch);
  }

  private static List<String> relay(RelayFacts relay, List<DynamodbStreamRecord> batch) {
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(batch);
    return relay.handleRequest(event, null).getBatchItemFailures().stream()
        .map(StreamsEventResponse.BatchItemFailure::getItemIdentifier)
        .toList();
  }

  private static String type(JsonNode fact) {
    return fact.path("type").textValue();
  }

  /** Takes what there is on the queue of the fan-out, where the bus has put it by now. */
  private List<JsonNode> queued() {
    return bodies(Queue.DELIVERIES);
  }

  /** Takes what the relay has sent by now. */
  private List<JsonNode> toBeProposedFor() {
    return bodies(Queue.PROPOSALS);
  }

  private List<JsonNode> bodies(Queue queue) {
    return received(queue).stream().map(message -> Json.read(message.body())).toList();
  }

  private List<Message> received(Queue queue) {
    SqsClient sqs = wiring.clients().sqs();
    String name = queue.wireName(wiring.settings().prefix());
    String url = sqs.getQueueUrl(find -> find.queueName(name)).queueUrl();
    List<Message> messages = new ArrayList<>();
    List<Message> more;
    do {
      more =
          sqs.receiveMessage(
                  receive ->
                      receive
                          .queueUrl(url)
                          .maxNumberOfMessages(10)
                          .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
              .messages();
      more.forEach(
          message ->
              sqs.deleteMessage(
                  delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle())));
      messages.addAll(more);
    } while (!more.isEmpty());
    return messages;
  }
}
