package io.actiongovernance.localstack;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import io.actiongovernance.functions.day.GoodRequest;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What was governed is read over HTTP as before, once its rows have left DynamoDB Local for a
 * bucket, by functions that are held to their rights.
 */
final class ArchivedReadsSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

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
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      EmbeddedStack stack = archiving.stack();
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

      archiving.ahead(Duration.ofDays(1).plusHours(4));
      archived(archiving);
      archiving.ahead(Duration.ofDays(125));
      archived(archiving);
      assertThat(archiving.timeToLive()).isGreaterThan(5);

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
      assertThat(archiving.refused()).isEmpty();
    }
  }

  private static void archived(ArchivingStack archiving) {
    JsonNode ran = archiving.run(Trigger.ARCHIVE);
    assertThat(ran.path("behind").asInt() + ran.path("failed").asInt()).isZero();
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
    S3Client s3 = stack.wiring().clients().s3().get();
    for (String name : names(stack)) {
      if (name.contains("/live/approval/")) {
        delete(s3, name);
      }
    }
    quietly(
        () -> {
          Walk.Answered answered = calls.send("GET", "/v1/approvals/" + approval, null, null);
          assertThat(answered.status()).isEqualTo(503);
          assertThat(answered.body()).contains("service_unavailable");
        });
  }

  private static List<String> names(EmbeddedStack stack) {
    return new S3ArchiveObjects(stack.wiring().clients().s3(), ArchivingStack.BUCKET).list("v1/");
  }

  private static String folder(String name) {
    return name.substring(0, name.lastIndexOf('/'));
  }

  private static void hide(S3Client s3, String name) {
    s3.deleteObject(one -> one.bucket(ArchivingStack.BUCKET).key(name));
  }

  /** For good, as may be done once no lock holds it, or by who may bypass that. */
  private static void delete(S3Client s3, String name) {
    s3.listObjectVersions(list -> list.bucket(ArchivingStack.BUCKET).prefix(name))
        .versions()
        .forEach(
            version ->
                s3.deleteObject(
                    one ->
                        one.bucket(ArchivingStack.BUCKET)
                            .key(name)
                            .versionId(version.versionId())));
  }

  private interface Meant {
    void run() throws Exception;
  }

  /** What goes wrong here is meant to. */
  private static void quietly(Meant meant) throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger("io.actiongovernance");
    log.setLevel(Level.OFF);
    try {
      meant.run();
    } finally {
      log.setLevel(null);
    }
  }

  /** Among it is what a later day wrote, since an action was undone then. */
  @Test
  void whatIsHiddenByDeleteMarkersIsReadAndWhatIsGoneBeneathThemIsMissed() throws Exception {
    try (ArchivingStack archiving = new ArchivingStack(folder)) {
      EmbeddedStack stack = archiving.stack();
      AdminCalls calls = new AdminCalls(stack.baseUrl(), stack.announce().keys().live());
      Set<String> written;
      String undoneAction;
      try (Walk walk = new Walk(calls)) {
        GoodRequest undo = walk.ready(ActionRoutes.UNDO_ACTION);
        undoneAction = undo.named().get("action_id");
        archiving.ahead(Duration.ofDays(20));
        archived(archiving);
        written = new TreeSet<>(names(stack));
        Walk.Answered undone =
            calls.send(undo.route().method().name(), undo.path(), undo.body(), undo.secret());
        assertThat(undone.status()).as(undone.body()).isEqualTo(200);
      }
      archiving.ahead(Duration.ofDays(22));
      archived(archiving);
      archiving.ahead(Retention.IN_TABLE.plusDays(25));
      archived(archiving);
      assertThat(archiving.timeToLive()).isGreaterThan(5);

      S3Client s3 = stack.wiring().clients().s3().get();
      List<String> names = names(stack);
      names.forEach(name -> hide(s3, name));
      assertThat(s3.listObjectsV2(list -> list.bucket(ArchivingStack.BUCKET)).contents()).isEmpty();
      String path = "/v1/actions/" + undoneAction;
      JsonNode[] action = new JsonNode[1];
      quietly(() -> action[0] = get(calls, path));
      assertThat(action[0].path("undone").asBoolean()).isTrue();

      Set<String> days = written.stream().map(ArchivedReadsSpec::folder).collect(toSet());
      List<String> late =
          names.stream()
              .filter(name -> name.contains("/live/action/") && days.contains(folder(name)))
              .filter(name -> !written.contains(name))
              .toList();
      assertThat(late).isNotEmpty();
      late.forEach(name -> delete(s3, name));
      quietly(
          () -> {
            String list = "/v1/actions?plan_id=" + action[0].path("plan_id").asText();
            Walk.Answered missed = calls.send("GET", list, null, null);
            assertThat(missed.status()).as(missed.body()).isEqualTo(503);
          });
      assertThat(archiving.refused()).isEmpty();
    }
  }
}
