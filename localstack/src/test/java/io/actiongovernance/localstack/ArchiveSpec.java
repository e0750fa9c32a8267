package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.archive.ArchiveObjects.Named;
import io.actiongovernance.archive.ArchiveObjects.State;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What an approved plan leaves is archived and compared over the tables and the bucket of the local
 * stack, by functions that are held to their rights.
 */
final class ArchiveSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void whatTheServiceLeavesIsArchivedAndAgreesUntilARowIsGone() throws Exception {
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      EmbeddedStack stack = archiving.stack();
      Credentials credentials = stack.announce();
      try (Walk walk = new Walk(new AdminCalls(stack.baseUrl(), credentials.keys().live()))) {
        walk.approval();
      }
      archiving.ahead(Duration.ofDays(1).plusHours(4));
      JsonNode archived = archiving.run(Trigger.ARCHIVE);
      assertThat(archived.path("days").asInt()).isGreaterThanOrEqualTo(2);
      assertThat(archived.path("rows").asInt()).isGreaterThan(5);
      assertThat(archived.path("behind").asInt()).isZero();
      assertThat(archiving.run(Trigger.ARCHIVE).path("days").asInt()).isZero();
      archiving.ahead(Duration.ofDays(11));
      assertThat(archiving.run(Trigger.ARCHIVE).path("failed").asInt()).isZero();

      Store store = stack.wiring().store();
      Item receipt = receipt(store, credentials.tenantId());
      assertThat(store.write(Write.delete(receipt.key(), Condition.present())).done()).isTrue();
      assertThat(audited(archiving).path("differences").asInt()).isEqualTo(1);
      assertThat(store.write(Write.insert(receipt)).done()).isTrue();
      JsonNode audited = audited(archiving);
      assertThat(audited.path("differences").asInt()).isZero();
      assertThat(audited.path("rows").asInt()).isGreaterThan(5);
      assertThat(audited(archiving).path("days").asInt()).isZero();
      assertThat(archiving.refused()).isEmpty();
    }
  }

  private JsonNode audited(ArchivingStack archiving) {
    Logger log = (Logger) LoggerFactory.getLogger(RunAudit.class);
    log.setLevel(Level.OFF); // what differs here is meant to
    try {
      return archiving.run(Trigger.AUDIT_ARCHIVE);
    } finally {
      log.setLevel(null);
    }
  }

  private static Item receipt(Store store, String tenant) {
    String part = tenant + "#live#" + ReceiptLedger.CONFIG_PART;
    Key key = store.query(Query.of(Table.RECEIPTS, part)).items().getFirst().key();
    return store.get(key).orElseThrow();
  }

  @Test
  void whatHasLeftItsTableIsUndoneAndResolvedOnce() throws Exception {
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      EmbeddedStack stack = archiving.stack();
      String key = stack.announce().keys().live();
      AdminCalls calls = new AdminCalls(stack.baseUrl(), key);
      try (Walk walk = new Walk(calls)) {
        GoodRequest undo = walk.ready(ActionRoutes.UNDO_ACTION);
        GoodRequest resolve = walk.ready(ActionRoutes.RESOLVE_ACTION);
        String action = undo.named().get("action_id");
        archiving.ahead(Retention.IN_TABLE.plusDays(3));
        assertThat(archiving.run(Trigger.ARCHIVE).path("behind").asInt()).isZero();
        assertThat(archiving.timeToLive()).isGreaterThan(5);

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
        archiving.ahead(Retention.IN_TABLE.plusDays(5));
        assertThat(archiving.run(Trigger.ARCHIVE).path("behind").asInt()).isZero();
        JsonNode audited =
            archiving.run(
                Trigger.AUDIT_ARCHIVE, Map.of("since", Instant.now().toString().substring(0, 10)));
        assertThat(audited.path("days").asInt()).isGreaterThan(2 * 15);
        assertThat(audited.path("differences").asInt()).isZero();
      }
      assertThat(archiving.refused()).isEmpty();
    }
  }

  private static String send(AdminCalls calls, GoodRequest request, int status) throws Exception {
    Walk.Answered answered =
        calls.send(
            request.route().method().name(), request.path(), request.body(), request.secret());
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    return answered.body();
  }

  @Test
  void anObjectIsPutFirstOnceAndListedInOrder() throws Exception {
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      EmbeddedStack stack = archiving.stack();
      S3ArchiveObjects objects =
          new S3ArchiveObjects(stack.wiring().clients().s3(), ArchivingStack.BUCKET);
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

  /** As S3 says it: a delete without a version puts a marker, over what there is or is not. */
  @Test
  void anObjectUnderADeleteMarkerIsReadAndTold() throws Exception {
    List<String> told = new ArrayList<>();
    Logger log = (Logger) LoggerFactory.getLogger(S3ArchiveObjects.class);
    log.setLevel(Level.OFF); // what is hidden here is meant to be
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      Supplier<S3Client> s3 = archiving.stack().wiring().clients().s3();
      S3ArchiveObjects objects = new S3ArchiveObjects(s3, ArchivingStack.BUCKET, told::add);
      objects.put("v1/a/1", bytes("one"));
      objects.put("v1/a/1", bytes("one"));
      objects.put("v1/a/11", bytes("two"));
      for (String name : List.of("v1/a/1", "v1/a/1", "v1/a/never")) {
        s3.get().deleteObject(delete -> delete.bucket(ArchivingStack.BUCKET).key(name));
      }
      assertThat(objects.get("v1/a/1")).hasValue(bytes("one"));
      assertThat(objects.get("v1/a/never")).isEmpty();
      assertThat(objects.list("v1/a/")).containsExactly("v1/a/1", "v1/a/11");
      assertThat(objects.named("v1/a/"))
          .containsExactly(
              new Named("v1/a/1", State.HIDDEN),
              new Named("v1/a/11", State.THERE),
              new Named("v1/a/never", State.GONE));
      assertThat(told).containsOnly("v1/a/1").hasSize(3);
    } finally {
      log.setLevel(null);
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
    settings.put(Settings.ARCHIVE_BUCKET, ArchivingStack.BUCKET);
    assertThat(service.triggersUnder(Settings.of(settings)))
        .filteredOn(binding -> binding.function().endsWith("archive"))
        .hasSize(2);
  }
}
