package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.archive.ArchivedRows;
import io.actiongovernance.archive.RowKind;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * What was governed is read over HTTP as before, once its rows have left DynamoDB Local for a
 * bucket, by functions that are held to their rights.
 */
final class ArchivedReadsSpec {
  private static final String BUCKET = "governance-archive";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final Set<String> refused = new ConcurrentSkipListSet<>();

  private EmbeddedStack stack() throws Exception {
    Map<String, String> settings = new HashMap<>(Walk.SETTINGS);
    settings.put(Settings.ARCHIVE_BUCKET, BUCKET);
    Service guarded =
        PerFunction.service(
            (function, rights, wiring) ->
                new GuardedClients(function, rights, "governance", refused).guard(wiring));
    Service withoutSchedule =
        new Service(
            guarded.resources(),
            guarded.api(),
            guarded.timeout(),
            guarded.streams(),
            guarded.stream(),
            guarded.triggers().stream()
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

  @SuppressWarnings("unchecked") // It takes what a schedule sends.
  private static void archive(EmbeddedStack stack) {
    var handler =
        (RequestHandler<Map<String, Object>, Object>)
            Trigger.ARCHIVE.binding().handler().apply(stack.wiring());
    JsonNode ran = Json.tree(handler.handleRequest(Map.of(), null));
    assertThat(ran.path("behind").asInt() + ran.path("failed").asInt()).isZero();
  }

  /** The paths that are asked for, by what they are of. */
  private static List<String> lists(JsonNode plan) {
    String id = plan.path("id").textValue();
    String operator = plan.path("operator_id").textValue();
    String entity = plan.at("/actions/0/entity_key").textValue();
    String action = plan.at("/actions/0/id").textValue();
    return List.of(
        "/v1/receipts?limit=4",
        "/v1/receipts?limit=4&kind=config",
        "/v1/receipts?limit=4&outcome=applied",
        "/v1/receipts?limit=4&operator_id=" + operator,
        "/v1/receipts?limit=4&entity=" + entity,
        "/v1/receipts?limit=4&plan_id=" + id,
        "/v1/receipts?limit=4&action_id=" + action,
        "/v1/receipts?limit=4&correlation_id=" + plan.path("correlation_id").textValue(),
        "/v1/plans?limit=1",
        "/v1/plans?limit=1&status=executed",
        "/v1/plans?limit=1&operator_id=" + operator,
        "/v1/plans?limit=1&entity=" + entity,
        "/v1/actions?limit=1",
        "/v1/actions?limit=1&plan_id=" + id,
        "/v1/actions?limit=1&disposition=" + plan.at("/actions/0/verdict/decision").textValue(),
        "/v1/actions?limit=1&operator_id=" + operator,
        "/v1/actions?limit=1&entity=" + entity);
  }

  private static List<String> objects(JsonNode plan, String receipt) {
    String path = "/v1/plans/" + plan.path("id").textValue();
    return List.of(
        path,
        path + "/proposal",
        path + "/approval",
        "/v1/actions/" + plan.at("/actions/0/id").textValue(),
        "/v1/receipts/" + receipt);
  }

  @Test
  void whatHasLeftItsTableIsReadAsBefore() throws Exception {
    try (EmbeddedStack stack = stack()) {
      Credentials credentials = stack.announce();
      AdminCalls calls = new AdminCalls(stack.baseUrl(), credentials.keys().live());
      String planId;
      try (Walk walk = new Walk(calls)) {
        planId = walk.approval();
      }
      JsonNode plan = get(calls, "/v1/plans/" + planId);
      String approval =
          all(calls, "/v1/receipts?plan_id=" + planId).getFirst().path("approval_id").textValue();
      String receipt = all(calls, "/v1/receipts?plan_id=" + planId).getFirst().path("id").asText();
      Map<String, List<JsonNode>> lists = new LinkedHashMap<>();
      for (String list : lists(plan)) {
        lists.put(list, all(calls, list));
        assertThat(lists.get(list)).as(list).isNotEmpty();
      }
      Map<String, JsonNode> objects = new LinkedHashMap<>();
      for (String path : objects(plan, receipt)) {
        objects.put(path, get(calls, path));
      }

      ahead.set(Duration.ofDays(1).plusHours(4));
      archive(stack);
      ahead.set(Duration.ofDays(125));
      archive(stack);
      assertThat(leave(stack, credentials.tenantId())).isGreaterThan(5);

      for (Map.Entry<String, List<JsonNode>> before : lists.entrySet()) {
        List<JsonNode> known = before.getValue();
        List<String> ids = known.stream().map(one -> one.path("id").textValue()).toList();
        assertThat(all(calls, before.getKey()))
            .as(before.getKey())
            .filteredOn(one -> ids.contains(one.path("id").textValue()))
            .isEqualTo(known);
      }
      for (Map.Entry<String, JsonNode> before : objects.entrySet()) {
        assertThat(get(calls, before.getKey())).as(before.getKey()).isEqualTo(before.getValue());
      }
      exported(calls, all(calls, "/v1/receipts?limit=100").size());
      unavailableOnceItsObjectIsGone(stack, calls, approval);
    }
    assertThat(refused).isEmpty();
  }

  /** Takes what is archived out of the tables, as time to live does. */
  private int leave(EmbeddedStack stack, String tenant) {
    Store store = stack.wiring().store();
    ArchivedRows archived =
        new ArchivedRows(new S3ArchiveObjects(stack.wiring().clients().s3(), BUCKET));
    Partition partition = Partition.parse(tenant + "#live");
    LocalDate today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
    List<Key> keys = new ArrayList<>();
    for (RowKind kind : RowKind.values()) {
      for (int day = -1; day <= 1; day++) {
        keys.addAll(archived.rows(partition, kind, today.plusDays(day)).keySet());
      }
    }
    for (Key key : keys) {
      Item row = store.get(key).orElseThrow();
      assertThat(store.write(Write.delete(row.key(), Condition.present())).done()).isTrue();
    }
    return keys.size();
  }

  private static JsonNode get(AdminCalls calls, String path) throws Exception {
    Walk.Answered answered = calls.send("GET", path, null, null);
    assertThat(answered.status()).as(path + ": " + answered.body()).isEqualTo(200);
    return Json.read(answered.body());
  }

  /** A list, page by page. */
  private static List<JsonNode> all(AdminCalls calls, String path) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = get(calls, path + cursor);
      page.path("data").forEach(all::add);
      cursor =
          page.path("has_more").asBoolean() ? "&cursor=" + page.path("next_cursor").asText() : "";
    } while (!cursor.isEmpty());
    return all;
  }

  private static void exported(AdminCalls calls, int receipts) throws Exception {
    Walk.Answered created =
        calls.send("POST", "/v1/receipts/exports", "{\"format\":\"jsonl\"}", null);
    String path = "/v1/receipts/exports/" + Json.read(created.body()).path("id").asText();
    Instant patience = Instant.now().plusSeconds(30);
    JsonNode export = get(calls, path);
    while (export.path("status").asText().equals("running") && Instant.now().isBefore(patience)) {
      Thread.sleep(200);
      export = get(calls, path);
    }
    assertThat(export.path("status").asText()).isEqualTo("complete");
    assertThat(export.path("row_count").asInt()).isEqualTo(receipts);
  }

  private static void unavailableOnceItsObjectIsGone(
      EmbeddedStack stack, AdminCalls calls, String approval) throws Exception {
    S3ArchiveObjects objects = new S3ArchiveObjects(stack.wiring().clients().s3(), BUCKET);
    String name =
        objects.list("v1/").stream()
            .filter(one -> one.contains("/live/approval/"))
            .findFirst()
            .orElseThrow();
    stack.wiring().clients().s3().get().deleteObject(one -> one.bucket(BUCKET).key(name));
    Logger log = (Logger) LoggerFactory.getLogger("io.actiongovernance");
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      Walk.Answered answered = calls.send("GET", "/v1/approvals/" + approval, null, null);
      assertThat(answered.status()).isEqualTo(503);
      assertThat(answered.body()).contains("service_unavailable");
    } finally {
      log.setLevel(null);
    }
  }
}
