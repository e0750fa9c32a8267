package io.actiongovernance.localstack.acceptance.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rate limits (specification, Limits; contract, section 1), of tenants whose limits are tiny. */
@Acceptance
final class RateLimitsSpec {
  private static Api tenant(Stack stack, Map<String, Integer> limits) {
    return stack.api(stack.anotherTenant(null, null, null, limits).live());
  }

  private static long number(Answer answer, String header) {
    return Long.parseLong(answer.header(header));
  }

  private static Answer refused(Answer answer) {
    answer.isError(429, "rate_limited");
    assertThat(number(answer, "Retry-After")).isBetween(1L, 60L);
    assertThat(number(answer, "X-RateLimit-Remaining")).isZero();
    assertThat(number(answer, "X-RateLimit-Reset")).isGreaterThan(Instant.now().getEpochSecond());
    return answer;
  }

  @Test
  void aBurstOfTwiceTheLimitIsAdmittedAndTheHeadersCountDown(Stack stack) {
    Api api = tenant(stack, Map.of("plans.read", 3));
    List<Long> remaining = new ArrayList<>();
    Instant begun = Instant.now();
    Answer answer = api.get("/v1/plans");
    while (answer.status() == 200) {
      assertThat(number(answer, "X-RateLimit-Limit")).isEqualTo(3);
      assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
      remaining.add(number(answer, "X-RateLimit-Remaining"));
      answer = api.get("/v1/plans");
    }
    assertThat(refused(answer).header("X-RateLimit-Limit")).isEqualTo("3");
    // On a busy machine some come back meanwhile, one every 20 s.
    long back = Duration.between(begun, Instant.now()).toSeconds() / 20 + 1;
    assertThat(remaining).startsWith(5L).endsWith(0L).hasSizeBetween(6, (int) (6 + back));
  }

  @Test
  void aRequestAfterRetryAfterIsAdmitted(Stack stack) throws Exception {
    Api api = tenant(stack, Map.of("plans.read", 20));
    Answer answer = api.get("/v1/plans");
    while (answer.status() == 200) {
      answer = api.get("/v1/plans");
    }
    long wait = number(refused(answer), "Retry-After");
    assertThat(wait).isLessThanOrEqualTo(3);
    TimeUnit.SECONDS.sleep(wait); // The rule is of the time itself.
    api.get("/v1/plans").is(200);
  }

  @Test
  void aRefusedRequestDoesNothingAndCostsNothing(Stack stack) {
    Api api = tenant(stack, Map.of("ingest.write", 1));
    for (int at = 0; at < 2; at++) {
      EveryRoute.send(api, EventRoutes.INGEST_EVENT).is(201);
    }
    Answer first = refused(EveryRoute.send(api, EventRoutes.INGEST_EVENT));
    for (int at = 0; at < 10; at++) {
      refused(EveryRoute.send(api, EventRoutes.INGEST_EVENT));
    }
    Answer last = refused(EveryRoute.send(api, EventRoutes.INGEST_EVENT));
    assertThat(number(last, "Retry-After")).isLessThanOrEqualTo(number(first, "Retry-After"));
    assertThat(api.get("/v1/events").data()).hasSize(2);
  }

  @Test
  void anIdempotencyKeyWorksAfterARateLimitRefusal(Stack stack) throws Exception {
    Api api = tenant(stack, Map.of("ingest.write", 20));
    int sent = 0;
    Answer answer = EveryRoute.send(api, EventRoutes.INGEST_EVENT, "Idempotency-Key", "k0");
    while (answer.status() == 201) {
      sent++;
      answer = EveryRoute.send(api, EventRoutes.INGEST_EVENT, "Idempotency-Key", "k" + sent);
    }
    TimeUnit.SECONDS.sleep(number(refused(answer), "Retry-After"));
    EveryRoute.send(api, EventRoutes.INGEST_EVENT, "Idempotency-Key", "k" + sent).is(201);
  }

  @Test
  void routeClassesAndReadsAndWritesAreIndependent(Stack stack) {
    Map<String, Integer> limits = new HashMap<>();
    for (String name :
        List.of(
            "events",
            "ingest",
            "operators",
            "connectors",
            "plans",
            "propose",
            "mcp",
            "receipts",
            "management",
            "trial")) {
      limits.put(name + ".read", 1);
      limits.put(name + ".write", 1);
    }
    Api api = tenant(stack, limits);
    Map<String, List<Route>> buckets =
        EveryRoute.governed().stream()
            .filter(route -> Objects.requireNonNull(route.rateClass()).isOfTenant())
            .collect(
                Collectors.groupingBy(
                    route -> route.rateClass() + (route.method().reads() ? ".read" : ".write")));
    assertThat(buckets).hasSizeGreaterThanOrEqualTo(12);
    for (List<Route> bucket : buckets.values()) {
      for (int at = 0; at < 2; at++) {
        Answer answer = EveryRoute.send(api, bucket.getFirst());
        assertThat(answer.status()).as(answer.request() + answer.text()).isNotEqualTo(429);
      }
      bucket.forEach(route -> refused(EveryRoute.send(api, route)));
    }
  }

  @Test
  void allReadsShareACeiling(Stack stack) {
    Api api = tenant(stack, Map.of("global.read", 4));
    for (String path : List.of("/v1/plans", "/v1/events", "/v1/operators", "/v1/receipts")) {
      api.get(path).is(200);
    }
    refused(api.get("/v1/keys"));
    refused(api.get("/v1/plans"));
    api.post("/v1/events", EveryRoute.body(EventRoutes.INGEST_EVENT)).is(201);
  }

  @Test
  void theBudgetIsOfTheTenantNotOfTheKey(Stack stack) {
    Stack.Keys keys = stack.anotherTenant(null, null, null, Map.of("plans.read", 1));
    Api live = stack.api(keys.live());
    Api second =
        live.as(
            live.post("/v1/keys", Json.object().put("name", "second").put("role", "read_only"))
                .is(201)
                .path("secret")
                .asText());
    live.get("/v1/plans").is(200);
    second.get("/v1/plans").is(200);
    refused(live.get("/v1/plans"));
    refused(second.get("/v1/plans"));
    refused(stack.api(keys.test()).get("/v1/plans"));
    stack.api(stack.anotherTenant().live()).get("/v1/plans").is(200);
  }

  private static Api newKey(Api admin, ObjectNode body) {
    JsonNode made = admin.post("/v1/keys", body.put("name", Given.unique("key"))).is(201);
    return admin.as(made.path("secret").asText());
  }

  /**
   * Sends many at once until one is told to wait: however slow the machine is, more than the 120
   * that a bucket holds and what is refilled meanwhile. The exact numbers are in PipelineSpec.
   */
  private static void useUp(Supplier<Answer> send, int expected) {
    List<Answer> answers = new ArrayList<>();
    while (answers.stream().noneMatch(answer -> answer.status() == 429)) {
      assertThat(answers).hasSizeLessThan(1_000);
      answers.addAll(Together.all(50, _ -> send.get()));
    }
    Map<Integer, List<Answer>> byStatus =
        answers.stream().collect(Collectors.groupingBy(Answer::status));
    assertThat(byStatus).containsOnlyKeys(expected, 429);
    assertThat(byStatus.getOrDefault(expected, List.of())).hasSizeGreaterThanOrEqualTo(120);
    assertThat(answers).allMatch(answer -> answer.header("X-RateLimit-Limit").equals("60"));
    refused(byStatus.getOrDefault(429, List.of()).getFirst());
  }

  @Test
  void aMissingIncludeScopeIsChargedToTheKeyOnly(Stack stack) {
    Api admin = tenant(stack, Map.of("events.read", 1));
    ObjectNode body = Json.object();
    body.putArray("scopes").add("events:read");
    Api reader = newKey(admin, body);
    for (String path : List.of("/v1/events", "/v1/events/stream")) {
      for (String include : List.of("plans", "actions,plans", "nothing,plans")) {
        Answer refused = reader.get(path + "?include=" + include);
        refused.isError(403, "insufficient_scope");
        assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("60");
      }
    }
    reader.get("/v1/events?include=plans&include=plans").isError(403, "insufficient_scope");
    admin.get("/v1/events?include=plans").is(200);
    admin.get("/v1/events").is(200);
    refused(admin.get("/v1/events"));
  }

  @Test
  void aMissingScopeIsRefusedBeforeTheRateAndChargedToTheKeyOnly(Stack stack) {
    Api admin = tenant(stack, Map.of("plans.write", 1));
    Api reader = newKey(admin, Json.object().put("role", "read_only"));
    Api another = newKey(admin, Json.object().put("role", "read_only"));
    useUp(() -> EveryRoute.send(reader, PlanRoutes.APPROVE_PLAN), 403);
    EveryRoute.send(another, PlanRoutes.APPROVE_PLAN).isError(403, "insufficient_scope");
    reader.get("/v1/plans").is(200);
    EveryRoute.send(admin, PlanRoutes.APPROVE_PLAN).isError(404, "not_found");
    EveryRoute.send(reader.as(null), PlanRoutes.APPROVE_PLAN).isError(401, "unauthenticated");
  }

  @Test
  void refusalsOfAnIngestKeyDoNotBlockItsRevocation(Stack stack) {
    Map<String, Integer> limits = new HashMap<>();
    for (RateClass each : RateClass.values()) {
      if (each.isOfTenant()) {
        limits.put(each.limitName(true), 5);
        limits.put(each.limitName(false), 5);
      }
    }
    Api admin = tenant(stack, limits);
    Api ingest = newKey(admin, Json.object().put("role", "ingest"));
    List<Route> closed =
        EveryRoute.governed().stream()
            .filter(route -> route.scope() != null && !route.equals(EventRoutes.INGEST_EVENT))
            .toList();
    useUp(() -> EveryRoute.send(ingest, KeyRoutes.REVOKE_KEY), 403);
    closed.forEach(route -> assertThat(EveryRoute.send(ingest, route).status()).isIn(403, 429));
    String id = admin.get("/v1/keys?status=active").ids().getFirst();
    admin.get("/v1/keys/" + id).is(200);
    admin.delete("/v1/keys/" + id).is(200);
    ingest.get("/v1/keys").isError(401, "key_revoked");
  }

  @Test
  void oneKeysHaltsAndRevocationsDoNotBlockAnothersHalt(Stack stack) {
    Api admin = tenant(stack, Map.of("management.write", 2));
    ObjectNode pin = Json.object().put("role", "operate").put("workspace_id", "desk");
    Api pinned = newKey(admin, pin);
    useUp(() -> EveryRoute.send(pinned, HaltRoutes.CREATE_HALT), 404);
    useUp(() -> EveryRoute.send(admin, KeyRoutes.REVOKE_KEY), 404);
    // What manages has nothing left either; a key that has not yet asked for anything has all.
    Api second = newKey(admin, Json.object().put("role", "operate"));
    Answer managing = EveryRoute.send(admin, KeyRoutes.UPDATE_KEY);
    for (int at = 0; at < 20 && managing.status() == 404; at++) {
      managing = EveryRoute.send(admin, KeyRoutes.UPDATE_KEY);
    }
    refused(managing);
    ObjectNode halt = Json.object().put("scope", "tenant").put("reason", "Stop.");
    JsonNode halted = second.post("/v1/halts", halt).is(201);
    second
        .post(
            "/v1/halts/" + halted.path("id").asText() + "/lift", Json.object().put("reason", "Go."))
        .is(200);
  }

  /** A key that is bound to a new operator of the tenant. */
  private static Api bound(Api admin, String role) {
    ObjectNode body = Json.object().put("role", role);
    body.putArray("operator_ids")
        .add(EveryRoute.send(admin, OperatorRoutes.CREATE_OPERATOR).is(201).path("id").asText());
    return newKey(admin, body);
  }

  @Test
  void aBoundKeyLeavesHalfOfEveryBucketToOthers(Stack stack) {
    Api admin =
        tenant(
            stack,
            Map.of(
                "plans.read",
                4,
                "propose.write",
                2,
                "plans.write",
                2,
                "mcp.read",
                2,
                "global.read",
                1_000_000));
    Api agent = bound(admin, "agent");
    for (int at = 0; at < 4; at++) {
      agent.get("/v1/plans").is(200);
    }
    assertThat(refused(agent.get("/v1/plans")).header("X-RateLimit-Limit")).isEqualTo("2");
    for (int at = 0; at < 4; at++) {
      admin.get("/v1/plans").is(200);
    }
    refused(admin.get("/v1/plans"));
    for (int at = 0; at < 2; at++) {
      EveryRoute.send(agent, PlanRoutes.PROPOSE_PLAN).isError(404, "not_found");
    }
    refused(EveryRoute.send(agent, PlanRoutes.PROPOSE_PLAN));
    EveryRoute.send(admin, PlanRoutes.PROPOSE_PLAN).isError(404, "not_found");
    Api operate = bound(admin, "operate");
    for (int at = 0; at < 2; at++) {
      EveryRoute.send(operate, PlanRoutes.APPROVE_PLAN).isError(404, "not_found");
    }
    refused(EveryRoute.send(operate, PlanRoutes.APPROVE_PLAN));
    EveryRoute.send(admin, PlanRoutes.APPROVE_PLAN).isError(404, "not_found");
  }

  @Test
  void anAgentsTooFrequentCallsAreRefusedAndDoNotBlockOthers(Stack stack) {
    Api admin = tenant(stack, Map.of("mcp.write", 4));
    Gateway gateway = gateway(admin);
    Answer answer = call(gateway);
    for (int at = 0; at < 20 && answer.status() == 200; at++) {
      answer = call(gateway);
    }
    refused(answer);
    gateway.result("tools/list", Json.object());
    assertThat(call(gateway(admin)).is(200).at("/error/code").asInt()).isEqualTo(-32602);
  }

  /** The gateway of a new operator, for an agent that is bound to it. */
  private static Gateway gateway(Api admin) {
    Api agent = bound(admin, "agent");
    String operator = agent.get("/v1/me").is(200).at("/operator_ids/0").asText();
    return Gateway.of(agent, new Operator(admin, agent, operator, "none"));
  }

  private static Answer call(Gateway gateway) {
    ObjectNode called = Gateway.called("no_such_tool", Json.object());
    return gateway.send(gateway.modern("tools/call", called));
  }

  @Test
  void allBoundKeysTogetherLeaveAQuarterOfReadsToOthers(Stack stack) {
    Api admin = tenant(stack, Map.of("global.read", 8));
    for (Api agent : List.of(bound(admin, "agent"), bound(admin, "agent"), bound(admin, "agent"))) {
      Answer answer = agent.get("/v1/plans");
      for (int at = 0; at < 20 && answer.status() == 200; at++) {
        answer = agent.get("/v1/plans");
      }
      refused(answer);
    }
    admin.get("/v1/plans").is(200);
    admin.get("/v1/halts").is(200);
  }

  @Test
  void oneAgentsReadsDoNotBlockOthers(Stack stack) {
    for (boolean isBound : new boolean[] {true, false}) {
      Api admin = tenant(stack, Map.of("global.read", 8));
      Api agent =
          isBound ? bound(admin, "agent") : newKey(admin, Json.object().put("role", "agent"));
      Answer answer = agent.get("/v1/plans");
      for (int at = 0; at < 7 && answer.status() == 200; at++) {
        answer = agent.get(at % 2 == 0 ? "/v1/operators" : "/v1/connectors");
      }
      refused(answer);
      admin.get("/v1/plans").is(200);
      admin.get("/v1/halts").is(200);
    }
  }

  @Test
  void aCallersOwnDataCanBeReadAtAnExhaustedLimit(Stack stack) {
    Api admin = tenant(stack, Map.of("global.read", 1, "management.read", 1));
    admin.get("/v1/keys").is(200);
    refused(admin.get("/v1/keys"));
    for (String path : List.of("/v1/me", "/v1/sessions")) {
      Answer answer = admin.get(path);
      answer.is(200);
      assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("300");
    }
  }

  @Test
  void trialRequestsDoNotBlockPausingAndGuardrails(Stack stack) {
    Api admin = tenant(stack, Map.of("operators.write", 3, "connectors.write", 3));
    for (Route trial :
        List.of(
            OperatorRoutes.ANALYZE_GUARDRAILS,
            OperatorRoutes.SIMULATE_GUARDRAILS,
            ConnectorRoutes.TEST_CONNECTOR)) {
      Answer answer = EveryRoute.send(admin, trial);
      for (int at = 0; at < 10 && answer.status() != 429; at++) {
        answer = EveryRoute.send(admin, trial);
      }
      refused(answer);
    }
    EveryRoute.send(admin, OperatorRoutes.PAUSE_OPERATOR).isError(404, "not_found");
    EveryRoute.send(admin, OperatorRoutes.PUT_GUARDRAILS).isError(404, "not_found");
    EveryRoute.send(admin, ConnectorRoutes.UNINSTALL_CONNECTOR).isError(404, "not_found");
  }

  @Test
  void withdrawalsDoNotBlockApprovalsAndVetoes(Stack stack) {
    Api api = tenant(stack, Map.of("plans.write", 2));
    for (int at = 0; at < 4; at++) {
      EveryRoute.send(api, PlanRoutes.WITHDRAW_PLAN).isError(404, "not_found");
    }
    refused(EveryRoute.send(api, PlanRoutes.WITHDRAW_PLAN));
    EveryRoute.send(api, PlanRoutes.APPROVE_PLAN).isError(404, "not_found");
    EveryRoute.send(api, PlanRoutes.VETO_PLAN).isError(404, "not_found");
  }

  @Test
  void proposingHasItsOwnBucketOfThePlanWriteSize(Stack stack) {
    Api api = tenant(stack, Map.of("plans.write", 2));
    for (int at = 0; at < 4; at++) {
      EveryRoute.send(api, PlanRoutes.PROPOSE_PLAN).isError(404, "not_found");
    }
    assertThat(refused(EveryRoute.send(api, PlanRoutes.PROPOSE_PLAN)).header("X-RateLimit-Limit"))
        .isEqualTo("2");
    EveryRoute.send(api, PlanRoutes.APPROVE_PLAN).isError(404, "not_found");
    Api named = tenant(stack, Map.of("plans.write", 2, "propose.write", 9));
    assertThat(EveryRoute.send(named, PlanRoutes.PROPOSE_PLAN).header("X-RateLimit-Limit"))
        .isEqualTo("9");
  }

  @Test
  void resetIsTheTimeAtWhichRemainingIsAtTheLimit(Stack stack) {
    Api api = tenant(stack, Map.of("plans.read", 10));
    Answer full = api.get("/v1/plans");
    assertThat(number(full, "X-RateLimit-Remaining")).isEqualTo(19);
    assertThat(number(full, "X-RateLimit-Reset"))
        .isCloseTo(Instant.now().getEpochSecond(), org.assertj.core.data.Offset.offset(2L));
    Answer answer = full;
    while (answer.status() == 200) {
      answer = api.get("/v1/plans");
    }
    long inAMinute = Instant.now().plus(Duration.ofMinutes(1)).getEpochSecond();
    assertThat(number(answer, "X-RateLimit-Reset"))
        .isCloseTo(inAMinute, org.assertj.core.data.Offset.offset(7L));
  }
}
