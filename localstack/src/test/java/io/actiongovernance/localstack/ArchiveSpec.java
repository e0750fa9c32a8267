package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.archive.RunAudit;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import io.actiongovernance.functions.day.GoodRequest;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What an approved plan leaves is archived and compared over the tables and the bucket of the local
 * stack, by functions that are held to their rights.
 */
final class ArchiveSpec {
  private static final String BUCKET = "governance-archive";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final Set<String> refused = new ConcurrentSkipListSet<>();

  private EmbeddedStack stack() throws Exception {
    return stack(Service.governance());
  }

  private EmbeddedStack stack(Service real) throws Exception {
    Map<String, String> settings = new HashMap<>(Walk.SETTINGS);
    settings.put(Settings.ARCHIVE_BUCKET, BUCKET);
    Service withoutSchedule =
        new Service(
            real.resources(),
            real.api(),
            real.timeout(),
            real.streams(),
            real.stream(),
            real.triggers().stream()
                .filter(binding -> !binding.function().endsWith("archive"))
                .toList());
    return EmbeddedStack.start(
        new EmbeddedStack.Options(
            folder,
            0,
            settings,
            withoutSchedule,
            line -> {},
            () -> Instant.now().plus(ahead.get())));
  }

  private JsonNode run(EmbeddedStack stack, Trigger trigger) {
    return run(stack, trigger, Map.of());
  }

  @SuppressWarnings("unchecked") // Both take what a schedule sends.
  private JsonNode run(EmbeddedStack stack, Trigger trigger, Map<String, Object> event) {
    var handler =
        (RequestHandler<Map<String, Object>, Object>)
            trigger
                .binding()
                .handler()
                .apply(
                    new GuardedClients(
                            trigger.binding().function(), trigger.rights(), "governance", refused)
                        .guard(stack.wiring()));
    return Json.tree(handler.handleRequest(event, null));
  }

  @Test
  void whatTheServiceLeavesIsArchivedAndAgreesUntilARowIsGone() throws Exception {
    try (EmbeddedStack stack = stack()) {
      Credentials credentials = stack.announce();
      try (Walk walk = new Walk(new AdminCalls(stack.baseUrl(), credentials.keys().live()))) {
        walk.approval();
      }
      ahead.set(Duration.ofDays(1).plusHours(4));
      JsonNode archived = run(stack, Trigger.ARCHIVE);
      assertThat(archived.path("days").asInt()).isGreaterThanOrEqualTo(2);
      assertThat(archived.path("rows").asInt()).isGreaterThan(5);
      assertThat(archived.path("behind").asInt()).isZero();
      assertThat(run(stack, Trigger.ARCHIVE).path("days").asInt()).isZero();
      ahead.set(Duration.ofDays(11));
      assertThat(run(stack, Trigger.ARCHIVE).path("failed").asInt()).isZero();

      Store store = stack.wiring().store();
      Item receipt = receipt(store, credentials.tenantId());
      assertThat(store.write(Write.delete(receipt.key(), Condition.present())).done()).isTrue();
      assertThat(audited(stack).path("differences").asInt()).isEqualTo(1);
      assertThat(store.write(Write.insert(receipt)).done()).isTrue();
      JsonNode audited = audited(stack);
      assertThat(audited.path("differences").asInt()).isZero();
      assertThat(audited.path("rows").asInt()).isGreaterThan(5);
      assertThat(audited(stack).path("days").asInt()).isZero();
    }
    assertThat(refused).isEmpty();
  }

  private JsonNode audited(EmbeddedStack stack) {
    Logger log = (Logger) LoggerFactory.getLogger(RunAudit.class);
    log.setLevel(Level.OFF); // what differs here is meant to
    try {
      return run(stack, Trigger.AUDIT_ARCHIVE);
    } finally {
      log.setLevel(null);
    }
  }

  private static Item receipt(Store store, String tenant) {
    String part = tenant + "#live#" + ReceiptLedger.CONFIG_PART;
    Key key = store.query(Query.of(Table.RECEIPTS, part)).items().getFirst().key();
    return store.get(key).orElseThrow();
  }

  /** As time to live deletes them, which the store of the local stack is slow to do. */
  @Test
  void whatHasLeftItsTableIsUndoneAndResolvedOnce() throws Exception {
    Service guarded =
        PerFunction.service(
            (function, rights, wiring) ->
                new GuardedClients(function, rights, "governance", refused).guard(wiring));
    try (EmbeddedStack stack = stack(guarded)) {
      String key = stack.announce().keys().live();
      AdminCalls calls = new AdminCalls(stack.baseUrl(), key);
      try (Walk walk = new Walk(calls)) {
        GoodRequest undo = walk.ready(ActionRoutes.UNDO_ACTION);
        GoodRequest resolve = walk.ready(ActionRoutes.RESOLVE_ACTION);
        String action = undo.named().get("action_id");
        ahead.set(Retention.IN_TABLE.plusDays(3));
        assertThat(run(stack, Trigger.ARCHIVE).path("behind").asInt()).isZero();
        assertThat(timeToLive(stack)).isGreaterThan(5);

        JsonNode undone = Json.read(send(calls, undo, 200));
        assertThat(undone.path("undone").asBoolean()).isTrue();
        assertThat(send(calls, undo, 409)).contains("action_not_undoable");
        assertThat(send(calls, resolve, 200)).contains("applied");
        send(calls, resolve, 409);
        JsonNode there = Json.read(calls.send("GET", "/v1/actions/" + action, null, null).body());
        assertThat(there.path("undone").asBoolean()).isTrue();
        String receipts = "/v1/receipts?kind=undo";
        assertThat(Json.read(calls.send("GET", receipts, null, null).body()).path("data"))
            .singleElement()
            .satisfies(receipt -> assertThat(receipt.path("undo_of").asText()).isEqualTo(action));
        ahead.set(Retention.IN_TABLE.plusDays(5));
        assertThat(run(stack, Trigger.ARCHIVE).path("behind").asInt()).isZero();
        JsonNode audited =
            run(
                stack,
                Trigger.AUDIT_ARCHIVE,
                Map.of("since", Instant.now().toString().substring(0, 10)));
        assertThat(audited.path("days").asInt()).isGreaterThan(2 * 15);
        assertThat(audited.path("differences").asInt()).isZero();
      }
    }
    assertThat(refused).isEmpty();
  }

  private static String send(AdminCalls calls, GoodRequest request, int status) throws Exception {
    Walk.Answered answered =
        calls.send(
            request.route().method().name(), request.path(), request.body(), request.secret());
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    return answered.body();
  }

  /** Deletes what may have left its table; yields how many rows that were. */
  private int timeToLive(EmbeddedStack stack) {
    DynamoDbClient dynamo = stack.wiring().clients().dynamo();
    String now = Long.toString(Instant.now().plus(ahead.get()).getEpochSecond());
    int deleted = 0;
    for (Table table : List.of(Table.STATE, Table.RECEIPTS)) {
      String name = table.wireName("governance");
      for (Map<String, AttributeValue> row :
          dynamo
              .scanPaginator(
                  scan ->
                      scan.tableName(name)
                          .filterExpression("archive_expires < :now")
                          .expressionAttributeValues(Map.of(":now", AttributeValue.fromN(now))))
              .items()) {
        Map<String, AttributeValue> at = new HashMap<>(row);
        at.keySet().retainAll(Set.of("pk", "sk"));
        dynamo.deleteItem(delete -> delete.tableName(name).key(at));
        deleted++;
      }
    }
    return deleted;
  }

  @Test
  void anObjectIsPutFirstOnceAndListedInOrder() throws Exception {
    try (EmbeddedStack stack = stack()) {
      S3ArchiveObjects objects = new S3ArchiveObjects(stack.wiring().clients().s3(), BUCKET);
      assertThat(objects.get("v1/a/2")).isEmpty();
      assertThat(objects.list("v1/")).isEmpty();
      assertThat(objects.putFirst("v1/a/2", bytes("one"))).isTrue();
      assertThat(objects.putFirst("v1/a/2", bytes("two"))).isFalse();
      objects.put("v1/a/1", bytes("three"));
      objects.put("v1/b/1", bytes("four"));
      assertThat(objects.get("v1/a/2")).hasValue(bytes("one"));
      assertThat(objects.list("v1/a/")).containsExactly("v1/a/1", "v1/a/2");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void itIsThereOnlyWhereThereIsABucketForIt() {
    Map<String, String> settings = new HashMap<>(Map.of(Settings.MASTER_KEY, "none"));
    Service service = Service.governance();
    assertThat(service.triggersUnder(Settings.of(settings)))
        .noneMatch(binding -> binding.function().endsWith("archive"));
    settings.put(Settings.ARCHIVE_BUCKET, BUCKET);
    assertThat(service.triggersUnder(Settings.of(settings)))
        .filteredOn(binding -> binding.function().endsWith("archive"))
        .hasSize(2);
  }
}
