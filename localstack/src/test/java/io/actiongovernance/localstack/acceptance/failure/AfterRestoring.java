package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Ledger;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What has to hold of a tenant once the service has worked off what there was after a table was
 * restored, held against what the source system saw.
 */
record AfterRestoring(Api api, Upstream upstream, Table lost) {
  /** Requires that nothing was done twice, and that all that was done is named. */
  void verify(Consumer<String> say) {
    List<JsonNode> receipts =
        Ledger.all(api, "/v1/receipts?").stream()
            .filter(receipt -> List.of("action", "undo").contains(text(receipt, "kind")))
            .toList();
    Map<String, JsonNode> actions = actions();
    nothingHappenedTwice();
    Set<String> byReceipts = named(receipts);
    Set<String> byState = named(actions.values());
    Set<String> done = done();
    Set<String> named = new HashSet<>(byReceipts);
    named.addAll(byState);
    assertThat(named).as("every effect is named").containsAll(done);
    switch (lost) {
      case RECEIPTS -> assertThat(byState).as("state names all").containsAll(done);
      default -> assertThat(byReceipts).as("receipts name all").containsAll(done);
    }
    whatIsRecordedIsWhatHappened(actions.values());
    whatAppliedCountsOnce(receipts, actions);
    say.accept(
        "%d effects at the source system, none twice; receipts name %d of them, state %d"
            .formatted(done.size(), common(done, byReceipts), common(done, byState)));
    say.accept(
        "receipts %s, %d say recorded_again; actions in state %s"
            .formatted(
                counted(receipts),
                receipts.stream()
                    .filter(one -> text(one, "reason").equals("recorded_again"))
                    .count(),
                counted(actions.values())));
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText("");
  }

  /** Of a receipt what it says, of an action the same as its fields have it. */
  private static String outcome(JsonNode one) {
    if (one.has("outcome")) {
      return text(one, "outcome");
    }
    boolean called = List.of("ALLOW", "ALERT").contains(text(one, "disposition"));
    if (text(one, "error").startsWith("outcome unknown")) {
      return "unknown";
    }
    if (one.path("ok").asBoolean()) {
      return called ? "applied" : "deduplicated";
    }
    return text(one, "disposition").isEmpty() ? "none" : called ? "failed" : "refused";
  }

  private static long common(Set<String> these, Set<String> those) {
    return these.stream().filter(those::contains).count();
  }

  private static Map<String, Long> counted(Iterable<JsonNode> all) {
    Map<String, Long> counted = new TreeMap<>();
    all.forEach(one -> counted.merge(outcome(one), 1L, Long::sum));
    return counted;
  }

  /** The keys of what may have been done. */
  private static Set<String> named(Iterable<JsonNode> all) {
    Set<String> keys = new HashSet<>();
    for (JsonNode one : all) {
      if (List.of("applied", "unknown", "deduplicated").contains(outcome(one))) {
        keys.add(text(one, "idempotency_key"));
      }
    }
    return keys;
  }

  private Set<String> done() {
    return upstream.effects().stream().map(Seen::idempotencyKey).collect(Collectors.toSet());
  }

  /** All actions in state, each as it is now; of undos that waited for nobody, those disposed. */
  private Map<String, JsonNode> actions() {
    Set<String> ids = new HashSet<>();
    Ledger.all(api, "/v1/actions?").forEach(action -> ids.add(text(action, "id")));
    for (JsonNode plan : Ledger.all(api, "/v1/plans?")) {
      api.get("/v1/plans/" + text(plan, "id"))
          .is(200)
          .path("actions")
          .forEach(action -> ids.add(text(action, "id")));
    }
    Map<String, JsonNode> actions = new HashMap<>();
    ids.forEach(id -> actions.put(id, api.get("/v1/actions/" + id).is(200)));
    return actions;
  }

  /** No key was acted on twice, and none that is not to be repeated was asked for after it. */
  private void nothingHappenedTwice() {
    Map<String, List<Seen>> byKey =
        upstream.calls().stream().collect(Collectors.groupingBy(Seen::idempotencyKey));
    byKey.forEach(
        (key, calls) -> {
          assertThat(calls.stream().filter(Seen::acted).count()).as(key).isLessThanOrEqualTo(1);
          if (calls.getFirst().path().startsWith("/refunds/")) {
            boolean acted = false;
            for (Seen call : calls) {
              assertThat(acted).as("a call after the effect: %s", calls).isFalse();
              acted = call.acted();
            }
          }
        });
  }

  private void whatIsRecordedIsWhatHappened(Iterable<JsonNode> actions) {
    Set<String> done = done();
    for (JsonNode action : actions) {
      String outcome = outcome(action);
      if (outcome.equals("applied")) {
        assertThat(done).as(action.toString()).contains(text(action, "idempotency_key"));
      } else if (done.contains(text(action, "idempotency_key"))) {
        assertThat(outcome).as(action.toString()).isIn("unknown", "deduplicated");
      }
    }
  }

  private void whatAppliedCountsOnce(List<JsonNode> receipts, Map<String, JsonNode> actions) {
    Set<String> applied = new HashSet<>();
    receipts.stream()
        .filter(receipt -> outcome(receipt).equals("applied"))
        .forEach(receipt -> applied.add(text(receipt, "action_id")));
    actions.forEach(
        (id, action) -> {
          if (outcome(action).equals("applied")) {
            applied.add(id);
          }
        });
    Await.until(
        Duration.ofSeconds(45),
        () -> api.get("/v1/allowance").is(200).path("used_actions").asLong(),
        used -> used == applied.size());
  }
}
