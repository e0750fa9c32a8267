package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.acceptance.Load.Request;
import io.actiongovernance.localstack.acceptance.Upstream.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The ledger of a tenant, held against what its source system saw and what its clients were told.
 * The source system honours idempotency keys; every call names its entity as {@code charge}.
 */
final class Ledger {
  private final Api api;
  private final List<Seen> calls;
  private final Map<String, List<Seen>> callsByKey;
  private final List<JsonNode> receipts;

  Ledger(Api api, Upstream upstream) {
    this.api = api;
    this.calls = upstream.calls();
    this.callsByKey = calls.stream().collect(Collectors.groupingBy(Seen::idempotencyKey));
    this.receipts =
        all(api, "/v1/receipts?").stream()
            .filter(receipt -> List.of("action", "undo").contains(text(receipt, "kind")))
            .toList();
  }

  /** All items of a list. */
  static List<JsonNode> all(Api api, String path) {
    List<JsonNode> items = new ArrayList<>();
    JsonNode page = api.get(path + "&limit=100").is(200);
    page.path("data").forEach(items::add);
    while (page.path("has_more").asBoolean()) {
      String cursor = Api.encode(text(page, "next_cursor"));
      page = api.get(path + "&limit=100&cursor=" + cursor).is(200);
      page.path("data").forEach(items::add);
    }
    return items;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText();
  }

  int receipts() {
    return receipts.size();
  }

  /** How many receipts have each outcome. */
  Map<String, Long> outcomes() {
    return receipts.stream()
        .collect(Collectors.groupingBy(receipt -> text(receipt, "outcome"), Collectors.counting()));
  }

  /**
   * The longest time from {@code since} to the last receipt of an entity, in which nothing was
   * written of it: for so long it stood still, while something of it was to end.
   */
  Duration standstill(Instant since) {
    Map<String, List<Instant>> byEntity =
        receipts.stream()
            .collect(
                Collectors.groupingBy(
                    receipt -> text(receipt, "entity_key"),
                    Collectors.mapping(
                        receipt -> Instant.parse(text(receipt, "written_at")),
                        Collectors.toList())));
    return byEntity.values().stream()
        .map(written -> standstill(since, written))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private static Duration standstill(Instant since, List<Instant> written) {
    Duration longest = Duration.ZERO;
    Instant last = since;
    for (Instant next : written.stream().filter(since::isBefore).sorted().toList()) {
      Duration still = Duration.between(last, next);
      longest = still.compareTo(longest) > 0 ? still : longest;
      last = next;
    }
    return longest;
  }

  /** Requires all that the service promises, whatever happened to it. */
  void verify(Load load) {
    everyActionHasOneReceipt();
    receiptsSayWhatTheUpstreamSaw();
    everyEffectHasItsReceipt();
    callsOfAnEntityDoNotOverlap();
    nothingAcknowledgedIsLost(load);
    theAllowanceCountsWhatApplied();
  }

  private void everyActionHasOneReceipt() {
    assertThat(receipts).extracting(receipt -> text(receipt, "action_id")).doesNotHaveDuplicates();
  }

  private void receiptsSayWhatTheUpstreamSaw() {
    for (JsonNode receipt : receipts) {
      List<Seen> own = callsByKey.getOrDefault(text(receipt, "idempotency_key"), List.of());
      long effects = own.stream().filter(Seen::acted).count();
      switch (text(receipt, "outcome")) {
        case "applied" -> assertThat(effects).describedAs("%s %s", receipt, own).isEqualTo(1);
        case "unknown" ->
            assertThat(effects).describedAs("%s %s", receipt, own).isLessThanOrEqualTo(1);
        default -> assertThat(effects).describedAs("%s %s", receipt, own).isZero();
      }
      if (text(receipt, "tool").equals(Given.REFUND)) {
        assertThat(own).describedAs("not retry_safe: %s", receipt).hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  /**
   * Requires that nothing is said to have failed, or to be unknown, of which the source system saw
   * no call: as long as no process dies, whatever goes wrong before a call puts the action off.
   */
  void nothingIsHeldAgainstWhatWasNotCalled() {
    assertThat(receipts)
        .filteredOn(receipt -> List.of("failed", "unknown").contains(text(receipt, "outcome")))
        .allMatch(receipt -> callsByKey.containsKey(text(receipt, "idempotency_key")));
  }

  private void everyEffectHasItsReceipt() {
    Map<String, String> outcomes = new HashMap<>();
    receipts.forEach(
        receipt -> outcomes.put(text(receipt, "idempotency_key"), text(receipt, "outcome")));
    assertThat(calls)
        .filteredOn(Seen::acted)
        .allMatch(
            call ->
                List.of("applied", "unknown")
                    .contains(outcomes.getOrDefault(call.idempotencyKey(), "none")));
  }

  private void callsOfAnEntityDoNotOverlap() {
    Map<String, List<Seen>> byEntity =
        calls.stream().collect(Collectors.groupingBy(call -> text(call.body(), "charge")));
    byEntity.forEach(
        (entity, own) -> {
          List<Seen> inOrder = own.stream().sorted(Comparator.comparingLong(Seen::began)).toList();
          for (int at = 1; at < inOrder.size(); at++) {
            assertThat(inOrder.get(at).began())
                .describedAs("%s: %s", entity, inOrder.subList(at - 1, at + 1))
                .isGreaterThanOrEqualTo(inOrder.get(at - 1).ended());
          }
        });
  }

  private void nothingAcknowledgedIsLost(Load load) {
    Map<String, JsonNode> byAction =
        receipts.stream()
            .collect(Collectors.toMap(receipt -> text(receipt, "action_id"), receipt -> receipt));
    load.acknowledged().forEach((request, answer) -> requireKept(request, answer, byAction));
  }

  private void requireKept(Request request, JsonNode answer, Map<String, JsonNode> byAction) {
    switch (request.kind()) {
      case EVENT -> {
        JsonNode event = api.get("/v1/events/" + text(answer, "id")).is(200);
        assertThat(event.path("payload")).isEqualTo(request.body().path("payload"));
        assertThat(event.path("plan_ids")).hasSize(1);
      }
      case APPROVE -> {
        assertThat(text(plan(answer), "status")).isEqualTo("executed");
        for (JsonNode result : answer.path("results")) {
          JsonNode receipt = receipt(byAction, text(result, "action_id"));
          assertThat(text(receipt, "id")).isEqualTo(text(result, "receipt_id"));
          assertThat(receipt.path("ok")).isEqualTo(result.path("ok"));
        }
      }
      case VETO -> assertThat(text(plan(answer), "status")).isEqualTo("vetoed");
      case UNDO -> {
        JsonNode action = api.get("/v1/actions/" + text(answer, "id")).is(200);
        assertThat(action.path("undone").asBoolean()).isTrue();
        JsonNode receipt = receipt(byAction, text(answer, "undo_action_id"));
        assertThat(text(receipt, "outcome")).isEqualTo("applied");
      }
    }
  }

  private static JsonNode receipt(Map<String, JsonNode> byAction, String action) {
    return Optional.ofNullable(byAction.get(action))
        .orElseThrow(() -> new AssertionError("The receipt of " + action + " was lost."));
  }

  private JsonNode plan(JsonNode answer) {
    return api.get("/v1/plans/" + text(answer, "id")).is(200);
  }

  private void theAllowanceCountsWhatApplied() {
    long applied = outcomes().getOrDefault("applied", 0L);
    Await.until(
        Duration.ofSeconds(45),
        () -> api.get("/v1/allowance").is(200).path("used_actions").asLong(),
        used -> used == applied);
  }
}
