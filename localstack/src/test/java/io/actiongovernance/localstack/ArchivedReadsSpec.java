package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

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
    S3ArchiveObjects objects =
        new S3ArchiveObjects(stack.wiring().clients().s3(), ArchivingStack.BUCKET);
    String name =
        objects.list("v1/").stream()
            .filter(one -> one.contains("/live/approval/"))
            .findFirst()
            .orElseThrow();
    stack
        .wiring()
        .clients()
        .s3()
        .get()
        .deleteObject(one -> one.bucket(ArchivingStack.BUCKET).key(name));
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
