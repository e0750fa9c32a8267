package io.actiongovernance.localstack;

import static io.actiongovernance.localstack.TestService.await;
import static io.actiongovernance.localstack.TestService.shared;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.RelayAgainHandler;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What becomes of changes that were given up. */
final class RelayAgainSpec {
  // Nothing is noted of objects under tries/: tests put there what they hand over themselves.
  private static final List<JsonNode> PROPOSED_FOR = shared();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static EmbeddedStack stack;

  private final Wiring wiring = stack.wiring();
  private final S3Client s3 = wiring.clients().s3().get();
  private final String bucket = wiring.settings().changesBucket();

  @BeforeAll
  static void start() throws Exception {
    stack =
        TestService.start(
            folder, Trigger.RELAY_AGAIN.binding(), TestService.proposer(PROPOSED_FOR));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void anEventThatLambdaGaveUpIsRelayedAgainByItself() throws Exception {
    String id = "ev_" + wiring.ids().next();
    put("aws/lambda/1/shard/" + id, record("relay-events", event(id, "t_1#live"), true));
    await(() -> !facts(id).isEmpty());
    assertThat(facts(id))
        .extracting(fact -> fact.path("type").textValue())
        .containsExactly("envelope.ingested");
  }

  @Test
  void anUnreadableChangeIsRelayedOnceItCanBeRead() throws Exception {
    String id = "ev_" + wiring.ids().next();
    put("changes/relay-facts/" + id, record("relay-facts", event(id, "t_1#live"), false));
    await(() -> !facts(id).isEmpty());
  }

  @Test
  void aChangeStillUnreadableIsRetriedAndNotStoredAgain() {
    for (String relay : List.of("relay-facts", "relay-outcomes")) {
      String name = "tries/" + relay;
      put(name, record(relay, event("ev_1", null), false));
      int before = objects();
      for (int tried = 0; tried < 4; tried++) {
        assertThat(failures(note(name))).isEqualTo(1);
      }
      assertThat(objects()).as(relay).isEqualTo(before);
    }
  }

  @Test
  void aChangeRelayedAgainTwiceGivesTheSameFact() throws Exception {
    String id = "ev_" + wiring.ids().next();
    put("tries/" + id, record("relay-events", event(id, "t_1#live"), true));
    assertThat(failures(note("tries/" + id))).isZero();
    assertThat(failures(note("tries/" + id))).isZero();
    await(() -> facts(id).size() == 2);
    assertThat(facts(id))
        .extracting(fact -> fact.path("fact_id").textValue())
        .containsOnly(id + ":envelope.ingested");
  }

  private static List<JsonNode> facts(String id) {
    return PROPOSED_FOR.stream().filter(fact -> fact.path("id").asText().equals(id)).toList();
  }

  @Test
  void outcomeChangesGoToTheOutcomeRelayOnly() {
    int before = PROPOSED_FOR.size();
    put("tries/outcomes", record("relay-outcomes", event("ev_2", "t_1#live"), true));
    assertThat(failures(note("tries/outcomes"))).isZero();
    assertThat(PROPOSED_FOR).hasSize(before);
  }

  @Test
  void theTestEventOfABucketIsIgnored() {
    assertThat(failures("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\"}")).isZero();
  }

  @Test
  void aMessageWithoutARecordFailsForPeopleToSee() {
    assertThat(failures("{\"DDBStreamBatchInfo\":{\"shardId\":\"1\"}}")).isEqualTo(1);
    assertThat(failures(note("tries/nothing"))).isEqualTo(1);
  }

  /** As Lambda tells of an ingested event; null for one without a partition, which no one reads. */
  private static ObjectNode event(String id, @Nullable String partition) {
    ObjectNode event = Json.object();
    ObjectNode change = event.putArray("Records").addObject().put("eventID", id);
    ObjectNode body = change.putObject("dynamodb").put("SequenceNumber", "1");
    ObjectNode item = body.putObject("NewImage");
    item.putObject("kind").put("S", "event");
    item.putObject("id").put("S", id);
    if (partition != null) {
      item.putObject("partition").put("S", partition);
    }
    return event;
  }

  /** The record of a change that was given up, the change as a text or as it is. */
  private static String record(String function, JsonNode changes, boolean text) {
    ObjectNode record = Json.object();
    record
        .putObject("requestContext")
        .put("functionArn", "arn:aws:lambda:eu-west-1:1:function:governance-" + function + ":live");
    if (text) {
      record.put("payload", Json.write(changes));
    } else {
      record.set("payload", changes);
    }
    return Json.write(record);
  }

  private void put(String key, String text) {
    s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString(text));
  }

  private static String note(String key) {
    ObjectNode note = Json.object();
    note.putArray("Records")
        .addObject()
        .putObject("s3")
        .putObject("object")
        .put("key", key.replace("/", "%2F"));
    return Json.write(note);
  }

  private int failures(String body) {
    SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
    message.setMessageId("m");
    message.setBody(body);
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    Set<String> refused = new HashSet<>();
    Wiring guarded =
        new GuardedClients(
                Trigger.RELAY_AGAIN.binding().function(),
                Trigger.RELAY_AGAIN.rights(),
                wiring.settings().prefix(),
                refused)
            .guard(wiring);
    int failures =
        ((RelayAgainHandler) Trigger.RELAY_AGAIN.binding().handler().apply(guarded))
            .handleRequest(event, null)
            .getBatchItemFailures()
            .size();
    assertThat(refused).isEmpty();
    return failures;
  }

  private int objects() {
    List<S3Object> found = new ArrayList<>();
    s3.listObjectsV2Paginator(list -> list.bucket(bucket)).contents().forEach(found::add);
    return found.size();
  }
}
