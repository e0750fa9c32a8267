package io.actiongovernance.localstack.acceptance.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.webhook.WebhookRoutes;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Idempotency-Key header (specification, Idempotency replay; contract, section 1). */
@Acceptance
final class IdempotencySpec {
  private static final String HEADER = "Idempotency-Key";

  private static ObjectNode event(String source) {
    return EveryRoute.body(EventRoutes.INGEST_EVENT).put("source", source);
  }

  private static void isAReplayOf(Answer first, Answer replay) {
    replay.is(200);
    assertThat(replay.text()).isEqualTo(first.text());
    assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(first.header("Idempotent-Replayed")).isEmpty();
    assertThat(replay.header("X-Request-Id")).isNotEqualTo(first.header("X-Request-Id"));
    assertThat(replay.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void aRepeatedRequestUnderItsKeyIsReplayedWithoutEffect(Given given) {
    String key = Given.unique("key");
    Answer first = given.api().post("/v1/events", event("shop"), HEADER, key);
    first.is(201);
    isAReplayOf(first, given.api().post("/v1/events", event("shop"), HEADER, key));
    assertThat(given.api().get("/v1/events").data()).hasSize(1);
  }

  @Test
  void everyCreatingRouteIsReplayed(Given given) {
    for (Route route :
        List.of(
            KeyRoutes.CREATE_KEY,
            OperatorRoutes.CREATE_OPERATOR,
            ConnectorRoutes.INSTALL_CONNECTOR,
            EventRoutes.INGEST_EVENT)) {
      String key = Given.unique("key");
      ObjectNode body = EveryRoute.body(route);
      Answer first = given.api().post(route.path(), body, HEADER, key);
      first.is(201);
      isAReplayOf(first, given.api().post(route.path(), body, HEADER, key));
    }
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String path = "/v1/operators/" + operator.id();
    Answer patched = given.api().patch(path, Json.object().put("description", "x"), HEADER, "one");
    patched.is(200);
    isAReplayOf(
        patched, given.api().patch(path, Json.object().put("description", "x"), HEADER, "one"));
    ObjectNode guardrails = EveryRoute.body(OperatorRoutes.PUT_GUARDRAILS);
    Answer put = given.api().put(path + "/guardrails", guardrails, HEADER, "one");
    put.is(200);
    isAReplayOf(put, given.api().put(path + "/guardrails", guardrails, HEADER, "one"));
    Answer paused = given.api().post(path + "/pause", Json.object(), HEADER, "one");
    paused.is(200);
    isAReplayOf(paused, given.api().post(path + "/pause", Json.object(), HEADER, "one"));
  }

  /** A request whose answer holds a secret. */
  private record Secret(String method, String path, ObjectNode body) {
    Answer ask(Api by, String key, String... headers) {
      String[] all = Arrays.copyOf(headers, headers.length + 2);
      all[headers.length] = HEADER;
      all[headers.length + 1] = key;
      return by.send(method, path, Json.write(body), all);
    }
  }

  @Test
  void anAnswerWithASecretIsReplayedOnlyToItsRequester(Given given) {
    Api other = given.apiOfRole("admin");
    ObjectNode endpoint = EveryRoute.body(WebhookRoutes.CREATE_WEBHOOK_ENDPOINT);
    String endpoints = WebhookRoutes.CREATE_WEBHOOK_ENDPOINT.path();
    String id = given.api().post(endpoints, endpoint).is(201).path("id").asText();
    ObjectNode another = endpoint.deepCopy().put("url", endpoint.path("url").asText() + "/another");
    String session = Human.of(given, "Ira Stone", "admin").cookie();
    for (Secret secret :
        List.of(
            new Secret("POST", "/v1/sign_in/tickets", Json.object()),
            new Secret("POST", "/v1/people", Json.object().put("name", "Dana Reyes")),
            new Secret("POST", "/v1/keys", EveryRoute.body(KeyRoutes.CREATE_KEY)),
            new Secret("POST", endpoints, another),
            new Secret("PATCH", endpoints + "/" + id, Json.object().put("rotate_secret", true)))) {
      String key = Given.unique("key");
      Answer first = secret.ask(given.api(), key);
      assertThat(first.status()).as(first.text()).isBetween(200, 201);
      secret.ask(other, key).isError(409, "idempotency_conflict");
      secret
          .ask(given.api().as(null), key, "Cookie", session, "Sec-Fetch-Site", "same-origin")
          .isError(409, "idempotency_conflict");
      isAReplayOf(first, secret.ask(given.api(), key));
    }
  }

  @Test
  void anApprovalSentTwiceRunsThePlanOnce(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund(Given.unique("ch")));
    Answer first = given.api().post(plan.path() + "/approve", Json.object(), HEADER, "approve");
    first.is(200);
    isAReplayOf(
        first, given.api().post(plan.path() + "/approve", Json.object(), HEADER, "approve"));
    given.api().post(plan.path() + "/approve").isError(409, "state_conflict");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aDifferentBodyUnderAUsedKeyIsAConflict(Given given) {
    String key = Given.unique("key");
    given.api().post("/v1/events", event("shop"), HEADER, key).is(201);
    given
        .api()
        .post("/v1/events", event("other"), HEADER, key)
        .isError(409, "idempotency_conflict");
    assertThat(given.api().get("/v1/events").data()).hasSize(1);
  }

  @Test
  void aDifferentBodyWithBadFieldsIsRefusedForItsFields(Given given) {
    String key = Given.unique("key");
    given.api().post("/v1/events", event("shop"), HEADER, key).is(201);
    given
        .api()
        .post("/v1/events", event("shop").put("event_type", "Order"), HEADER, key)
        .isError(400, "invalid_parameter");
    given.api().post("/v1/events", event("shop"), HEADER, key).is(200);
  }

  @Test
  void fieldOrderAndNumberSpellingDoNotChangeABody(Given given) {
    String one =
        "{\"source\":\"s\",\"event_type\":\"a.b\",\"payload\":{\"a\":1.50,\"b\":\"\\u0041\"}}";
    String same =
        "{ \"payload\":{\"b\":\"A\",\"a\":15e-1},\"event_type\":\"a.b\",\"source\":\"s\"}";
    String other =
        "{\"source\":\"s\",\"event_type\":\"a.b\",\"payload\":{\"a\":1.5000000000000000001,\"b\":\"A\"}}";
    Answer first = given.api().send("POST", "/v1/events", one, HEADER, "k");
    first.is(201);
    isAReplayOf(first, given.api().send("POST", "/v1/events", same, HEADER, "k"));
    given.api().send("POST", "/v1/events", other, HEADER, "k").isError(409, "idempotency_conflict");
  }

  @Test
  void aKeyIsOfOneTenantModeMethodAndPath(Given given) {
    ObjectNode body = event("shop");
    given.api().post("/v1/events", body, HEADER, "k").is(201);
    given.testApi().post("/v1/events", body, HEADER, "k").is(201);
    given.anotherTenant().post("/v1/events", body, HEADER, "k").is(201);
    given
        .api()
        .post("/v1/operators", EveryRoute.body(OperatorRoutes.CREATE_OPERATOR), HEADER, "k")
        .is(201);
    Api second = given.apiOfRole("ingest");
    assertThat(second.post("/v1/events", body, HEADER, "k").status())
        .as("of the tenant")
        .isEqualTo(200);
    Operator one = given.operator();
    Operator two = given.operator();
    given.api().post("/v1/operators/" + one.id() + "/pause", Json.object(), HEADER, "p").is(200);
    given.api().post("/v1/operators/" + two.id() + "/pause", Json.object(), HEADER, "p").is(200);
    assertThat(given.api().get("/v1/operators/" + two.id()).is(200).path("status").asText())
        .isEqualTo("paused");
  }

  @Test
  void anErrorReleasesTheKey(Given given) {
    ObjectNode bad = event("shop");
    bad.remove("source");
    for (int at = 0; at < 2; at++) {
      Answer answer = given.api().post("/v1/events", bad, HEADER, "k");
      answer.isError(400, "missing_parameter");
      assertThat(answer.header("Idempotent-Replayed")).isEmpty();
    }
    given.api().post("/v1/events", event("shop"), HEADER, "k").is(201);
    ObjectNode operator = EveryRoute.body(OperatorRoutes.CREATE_OPERATOR);
    String id = given.api().post("/v1/operators", operator).is(201).path("id").asText();
    given.api().post("/v1/operators", operator, HEADER, "k").isError(409, "state_conflict");
    given.api().delete("/v1/operators/" + id).is(200);
    given.api().post("/v1/operators", operator, HEADER, "k").is(201);
  }

  @Test
  void aRefusalByPolicyIsKept(Given given) {
    Operator operator = given.operator();
    ObjectNode proposal = Operator.proposal(operator.refund(Given.unique("ch")));
    String path = "/v1/operators/" + operator.id() + "/plans";
    Answer first = given.api().post(path, proposal, HEADER, "k");
    first.isError(422, "policy_blocked");
    Answer replay = given.api().post(path, proposal, HEADER, "k");
    replay.isError(422, "policy_blocked");
    assertThat(replay.text()).isEqualTo(first.text());
    assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data()).hasSize(1);
  }

  @Test
  void aSecondRequestWaitsForTheFirstAndIsThenRefused(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund(Given.unique("ch")));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    String path = plan.path() + "/approve";
    CompletableFuture<Answer> first =
        CompletableFuture.supplyAsync(() -> given.api().post(path, Json.object(), HEADER, "k"));
    gate.awaitCall();
    long began = System.nanoTime();
    Answer second = given.api().post(path, Json.object(), HEADER, "k");
    second.isError(409, "idempotency_in_progress");
    assertThat(second.header("Retry-After")).matches("[1-9][0-9]*");
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(15));
    given
        .api()
        .post(path, Json.object().put("note", "other"), HEADER, "k")
        .isError(409, "idempotency_conflict");
    // A busy machine may be at it for longer than one request waits.
    CompletableFuture<Answer> third =
        CompletableFuture.supplyAsync(
            () ->
                Await.until(
                    Duration.ofSeconds(40),
                    () -> given.api().post(path, Json.object(), HEADER, "k"),
                    answer -> answer.status() != 409));
    gate.open();
    if (first.join().status() == 503) {
      // Or for longer than the first waits: then who asks again is answered with what came of it.
      third.join().is(200);
    } else {
      isAReplayOf(first.join(), third.join());
    }
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void concurrentRequestsUnderOneKeyDoTheWorkOnce(Given given) {
    ObjectNode body = event("shop");
    List<CompletableFuture<Answer>> answers =
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(
                at ->
                    CompletableFuture.supplyAsync(
                        () -> given.api().post("/v1/events", body, HEADER, "k")))
            .toList();
    List<Integer> statuses = answers.stream().map(answer -> answer.join().status()).toList();
    assertThat(statuses).containsOnlyOnce(201);
    assertThat(statuses).allMatch(status -> status == 201 || status == 200);
    assertThat(given.api().get("/v1/events").data()).hasSize(1);
  }

  @Test
  void surroundingQuotesAreNotPartOfTheKey(Given given) {
    Answer first = given.api().post("/v1/events", event("shop"), HEADER, "\"k\"");
    first.is(201);
    isAReplayOf(first, given.api().post("/v1/events", event("shop"), HEADER, "k"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "k\u00e9y", "a\tb"})
  void aKeyIsPrintableAscii(String key, Given given) {
    for (Route route : EveryRoute.writes()) {
      if (route.takesIdempotencyKey()) {
        byte[] body =
            Json.write(EveryRoute.body(route)).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        Wire.sendJson(given.api(), route.method().name(), EveryRoute.path(route), body, HEADER, key)
            .isInvalid(HEADER);
      }
    }
  }

  @Test
  void aKeyHasUpTo255Characters(Given given) {
    given.api().post("/v1/events", event("shop"), HEADER, "k".repeat(255)).is(201);
    given.api().post("/v1/events", event("shop"), HEADER, "\"" + "k".repeat(255) + "\"").is(200);
    given.api().post("/v1/events", event("shop"), HEADER, "k".repeat(256)).isInvalid(HEADER);
  }

  @Test
  void aKeyOnAReadOrADeletionMeansNothing(Given given) {
    given.api().get("/v1/events", HEADER, "k".repeat(300)).is(200);
    Operator operator = given.operator();
    String path = "/v1/operators/" + operator.id();
    given.api().delete(path, HEADER, "k").is(200);
    given.api().delete(path, HEADER, "k").isError(409, "state_conflict");
    given.api().delete(path, HEADER, "k".repeat(300)).isError(409, "state_conflict");
  }

  @Test
  void aPinnedKeyGetsNoReplayOfOtherWorkspaces(Given given) {
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "one"));
    Api other = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "two"));
    String key = Given.unique("key");
    ObjectNode body = event("shop");
    String first = given.api().post("/v1/events", body, HEADER, key).is(201).path("id").asText();
    for (Api each : List.of(pinned, other)) {
      Answer answer = each.post("/v1/events", body, HEADER, key);
      assertThat(answer.is(201).path("id").asText()).isNotEqualTo(first);
      isAReplayOf(answer, each.post("/v1/events", body, HEADER, key));
    }
    ObjectNode wanted = Json.object().put("name", Given.unique("desk")).put("role", "admin");
    given.api().post("/v1/keys", wanted, HEADER, key).is(201);
    assertThat(pinned.post("/v1/keys", wanted, HEADER, key).text()).doesNotContain("sk_");
  }
}
