package io.actiongovernance.localstack.acceptance.gateway;

import static io.actiongovernance.localstack.acceptance.fixture.Gateway.called;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.planId;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.status;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.McpUpstream;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The MCP gateway by plain requests (contract for agents, section 4). */
@Acceptance
final class GatewaySpec {
  private static final String REFUND = "pay_refund_create";
  private static final String READ = "pay_charge_read";

  private static ObjectNode charge(String charge) {
    return Json.object().put("charge", charge);
  }

  /** The gateway of an operator with these guardrails, for a key of role agent. */
  private static Gateway gateway(Given given, ObjectNode... guardrails) {
    return Gateway.of(given.apiOfRole("agent"), given.operator(guardrails));
  }

  private static JsonNode approve(Given given, String plan) {
    return given.api().postPatiently("/v1/plans/" + plan + "/approve", Json.object()).is(200);
  }

  private static void isRpcError(Answer answer, int status, int code) {
    assertThat(answer.is(status).at("/error/code").asInt()).as(answer.text()).isEqualTo(code);
  }

  // What a client is told of the gateway.

  @Test
  void discoverTellsRevisionsAndTasks(Given given) {
    JsonNode result = gateway(given).result("server/discover", Json.object());
    assertThat(result.path("supportedVersions").valueStream().map(JsonNode::asText))
        .containsExactly("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26");
    assertThat(result.at("/capabilities/extensions").has("io.modelcontextprotocol/tasks")).isTrue();
    assertThat(result.path("resultType").asText()).isEqualTo("complete");
  }

  @Test
  void initializeReturnsTheRequestedRevisionIfSupported(Given given) {
    Gateway gateway = gateway(given);
    for (String[] asked :
        List.of(
            new String[] {"2025-11-25", "2025-11-25"},
            new String[] {"2025-06-18", "2025-06-18"},
            new String[] {"2025-03-26", "2025-03-26"},
            new String[] {"2024-11-05", "2025-11-25"},
            new String[] {"1999-01-01", "2025-11-25"})) {
      Answer answer =
          gateway.raw(
              "POST",
              Json.write(
                  Gateway.message("initialize", Json.object().put("protocolVersion", asked[0]))));
      assertThat(answer.is(200).at("/result/protocolVersion").asText()).isEqualTo(asked[1]);
      assertThat(answer.headers().firstValue("Mcp-Session-Id")).isEmpty();
    }
    assertThat(gateway.before("ping", Json.object())).isEmpty();
  }

  @Test
  void getAndDeleteAreNotAllowed(Given given) {
    Gateway gateway = gateway(given);
    for (String method : List.of("GET", "DELETE")) {
      Answer answer = gateway.raw(method, "");
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.header("Allow")).isEqualTo("POST");
      assertThat(answer.text()).isEmpty();
    }
  }

  @Test
  void aNotificationIsAcceptedWithoutEffect(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    ObjectNode message = gateway.modern("tools/call", called(REFUND, charge("n1")));
    message.remove("id");
    Answer answer = gateway.send(message);
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.text()).isEmpty();
    assertThat(
            gateway
                .send(
                    Json.object()
                        .put("jsonrpc", "2.0")
                        .put("method", "notifications/cancelled")
                        .set("params", Json.object().put("requestId", 1)))
                .status())
        .isEqualTo(202);
    assertThat(given.upstream().effects()).isEmpty();
  }

  /** It is another's, or nobody's, or none. */
  @Test
  void cancellingAnUnknownIdCancelsNothing(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    ObjectNode call = gateway.modern("tools/call", called(REFUND, charge("1")));
    var calling = Together.start(() -> gateway.send(call));
    gate.awaitCall();
    for (String id : List.of("1000000", "\"nobodys\"", "null", "{}")) {
      ObjectNode params = (ObjectNode) Json.read("{\"requestId\":" + id + "}");
      ObjectNode cancelled = gateway.modern("notifications/cancelled", params);
      cancelled.remove("id");
      assertThat(gateway.send(cancelled).status()).isEqualTo(202);
    }
    gate.open();
    JsonNode result = calling.result().is(200).path("result");
    assertThat(result.path("isError").asBoolean()).isFalse();
    assertThat(given.upstream().effects()).hasSize(1);
  }

  // What is listed.

  @Test
  void permittedToolsAreListedWithAnnotationsOfTheirTier(Given given) {
    Gateway gateway =
        gateway(
            given, Given.alert(Given.REFUND), Given.allow(Given.DELETE), Given.block(Given.NOTE));
    JsonNode result = gateway.result("tools/list", Json.object());
    assertThat(result.path("tools").valueStream().map(one -> one.path("name").asText()))
        .containsExactly(
            "data_record_delete", READ, REFUND, "governance_plan", "governance_withdraw");
    assertThat(result.path("ttlMs").asInt()).isEqualTo(60_000);
    assertThat(result.path("cacheScope").asText()).isEqualTo("private");
    JsonNode delete = result.at("/tools/0");
    assertThat(delete.path("title").asText()).isEqualTo(Given.DELETE);
    assertThat(delete.at("/annotations/destructiveHint").asBoolean()).isTrue();
    assertThat(result.at("/tools/1/annotations/readOnlyHint").asBoolean()).isTrue();
    assertThat(delete.at("/inputSchema/type").asText()).isEqualTo("object");
    assertThat(delete.has("outputSchema")).isFalse();
    assertThat(gateway.before("tools/list", Json.object()).path("tools"))
        .isEqualTo(result.path("tools"));
  }

  @Test
  void equalToolNamesOfTwoConnectorsAreToldApart(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    given.install(given.api(), null);
    List<String> names =
        gateway
            .result("tools/list", Json.object())
            .path("tools")
            .valueStream()
            .map(one -> one.path("name").asText())
            .filter(name -> name.endsWith(REFUND))
            .toList();
    assertThat(names).hasSize(2).allMatch(name -> name.startsWith("shop-"));
    Answer ambiguous = gateway.send(gateway.modern("tools/call", called(REFUND, charge("1"))));
    isRpcError(ambiguous, 200, -32602);
    assertThat(ambiguous.text()).contains(names.getFirst(), names.getLast());
    assertThat(given.upstream().effects()).isEmpty();
    assertThat(gateway.call(names.getFirst(), charge("1")).path("isError").asBoolean()).isFalse();
  }

  // What a call comes to.

  @Test
  void aReadGetsTheSourceSystemsOwnAnswer(Given given) {
    Gateway gateway = gateway(given);
    JsonNode result = gateway.call(READ, charge("7"));
    assertThat(result.path("isError").asBoolean()).isFalse();
    assertThat(Json.read(text(result)).path("path").asText()).startsWith("/charges/7");
    assertThat(result.at("/structuredContent/path").asText()).startsWith("/charges/7");
    JsonNode verdict = result.at("/_meta/io.actiongovernance~1verdict");
    assertThat(verdict.path("rule").asText()).isEqualTo("builtin.read_only");
    assertThat(planId(result)).startsWith("pl_");
    assertThat(gateway.before("tools/call", called("pay.charge.read", charge("7"))).path("content"))
        .isNotEmpty();
  }

  private static Answer cancelled(Gateway gateway, JsonNode requestId) {
    ObjectNode message =
        Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
    message.putObject("params").put("reason", "no longer wanted").set("requestId", requestId);
    return gateway.raw("POST", Json.write(message), "MCP-Protocol-Version", "2025-11-25");
  }

  /** The plan goes on: only nobody is told of it who no longer listens. */
  @Test
  void aCallCancelledWhileWaitingGetsNoAnswer(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    for (boolean byItsOwnId : List.of(true, false)) {
      ObjectNode message = gateway.modern("tools/call", called(REFUND, charge("c" + byItsOwnId)));
      Upstream.Gate gate = given.upstream().hold("/refunds");
      Instant began = Instant.now();
      Together.Running<Answer> call = Together.start(() -> gateway.send(message));
      gate.awaitCall();
      JsonNode id = byItsOwnId ? message.path("id") : TextNode.valueOf(message.path("id").asText());
      assertThat(cancelled(gateway, id).status()).isEqualTo(202);
      Await.until(
          Duration.ofSeconds(10),
          () -> Duration.between(began, Instant.now()),
          waited -> waited.toMillis() > 1_500);
      gate.open();
      Answer answer = call.result();
      assertThat(answer.status()).isEqualTo(byItsOwnId ? 202 : 200);
      assertThat(answer.text().isEmpty()).isEqualTo(byItsOwnId);
    }
    assertThat(given.upstream().effects()).hasSize(2);
  }

  @Test
  void aKeyWithoutTheResultsScopeGetsOnlyStatusAndReceipt(Given given) {
    Operator operator = given.operator();
    Gateway gateway = Gateway.of(given.apiOfScopes("plans:propose"), operator);
    JsonNode result = gateway.call(READ, charge("7"));
    assertThat(result.toString()).doesNotContain("/charges/7").contains("rc_");
    assertThat(status(result)).isEqualTo("applied");
  }

  @Test
  void invalidArgumentsAreNamedByTheirPath(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    JsonNode result = gateway.call(REFUND, Json.object().put("charge", 7));
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(text(result)).contains("arguments", "charge");
    Answer list =
        gateway.send(
            gateway.modern("tools/call", Json.object().put("name", REFUND).put("arguments", 1)));
    assertThat(list.is(200).at("/result/isError").asBoolean()).isTrue();
    assertThat(given.upstream().effects()).isEmpty();
  }

  @Test
  void anUnknownToolIsAnRpcErrorAndABlockedOneIsRefused(Given given) {
    Gateway gateway = gateway(given, Given.block(Given.REFUND));
    isRpcError(
        gateway.send(gateway.modern("tools/call", called("pay_nothing", charge("1")))),
        200,
        -32602);
    JsonNode refused = gateway.call(REFUND, charge("1"));
    assertThat(refused.path("isError").asBoolean()).isTrue();
    assertThat(text(refused)).contains("block-pay-refund-create", "rc_");
    assertThat(status(refused)).isEqualTo("refused");
    assertThat(refused.at("/structuredContent/rule").asText()).isEqualTo("block-pay-refund-create");
    JsonNode unlisted = gateway.call("desk_note_add", Json.object());
    assertThat(text(unlisted)).contains("No guardrail permits it", "rc_");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aCallRefusedByALimitNamesTheLimit(Given given) {
    ObjectNode guardrail = Given.alert(Given.REFUND);
    guardrail.set(
        "limits", Json.read("[{\"per\":\"operator\",\"window_seconds\":86400,\"max_actions\":1}]"));
    Gateway gateway = gateway(given, guardrail);
    approve(given, planId(gateway.call(REFUND, charge("1"))));
    String plan = planId(gateway.call(REFUND, charge("2")));
    given.api().post("/v1/plans/" + plan + "/approve").isError(422, "policy_blocked");
    assertThat(text(gateway.plan(plan)))
        .contains("Refused by the rule alert-pay-refund-create. Its limit: at most 1 a day for the")
        .contains("operator, 1 used since 20");
  }

  @Test
  void aFailureIsReportedInTheSourceSystemsWords(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    given
        .upstream()
        .next(
            "/refunds",
            new Upstream.Behaviour.Fail(404, "{\"message\":\"no such charge\"}", Map.of()));
    JsonNode failed = gateway.call(REFUND, charge("1"));
    assertThat(failed.path("isError").asBoolean()).isTrue();
    assertThat(text(failed)).contains("no such charge");
    assertThat(status(failed)).isEqualTo("failed");
  }

  @Test
  void anUnknownCallSaysNotToRepeatItAndIsNotRepeated(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Upstream.Behaviour.ActAndDrop());
    JsonNode unknown = gateway.call(REFUND, charge("1"));
    assertThat(unknown.path("isError").asBoolean()).isTrue();
    assertThat(text(unknown)).contains("may have happened", "do not call again");
    assertThat(status(unknown)).isEqualTo("unknown");
    JsonNode again = gateway.call(REFUND, charge("1"));
    assertThat(planId(again)).isEqualTo(planId(unknown));
    assertThat(text(again)).contains("earlier call");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aUsedIdempotencyKeyNamesTheEarlierAction(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND), Given.allow(Given.CANCEL));
    ObjectNode params = called(REFUND, charge("1"));
    params.putObject("_meta").put("io.actiongovernance/idempotency_key", Given.unique("key"));
    JsonNode first = gateway.result("tools/call", params);
    String action = first.at("/_meta/io.actiongovernance~1action_id").asText();
    Gateway other = gateway.as(given.apiOfRole("agent"));
    JsonNode again = other.result("tools/call", params);
    assertThat(text(again)).contains("Not called", action);
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aCallRepeatedAfterALostAnswerHasOneEffect(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    JsonNode first = gateway.call(REFUND, charge("1"));
    JsonNode again = gateway.call(REFUND, charge("1"));
    assertThat(planId(again)).isEqualTo(planId(first));
    assertThat(text(again)).contains("earlier call");
    assertThat(again.at("/content/1")).isEqualTo(first.at("/content/0"));
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void twoConcurrentIdenticalCallsHaveOnePlanAndOneEffect(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    var first = Together.start(() -> gateway.call(REFUND, charge("1")));
    var second = Together.start(() -> gateway.call(REFUND, charge("1")));
    gate.awaitCall();
    gate.open();
    assertThat(planId(first.result())).isEqualTo(planId(second.result()));
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aHeldCallIsReportedAndReturnsItsResultOnceApproved(Given given) {
    Gateway gateway = gateway(given, Given.alert(Given.REFUND));
    JsonNode held = gateway.call(REFUND, charge("1"));
    String plan = planId(held);
    assertThat(held.path("isError").asBoolean()).isFalse();
    assertThat(text(held)).contains(plan, "governance_plan", "do not call again");
    assertThat(held.path("structuredContent").propertyStream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder("status", "plan_id", "waiting_on", "next");
    assertThat(status(gateway.plan(plan))).isEqualTo("held");
    assertThat(planId(gateway.before("tools/call", called(REFUND, charge("1"))))).isEqualTo(plan);
    approve(given, plan);
    JsonNode done = gateway.plan(plan);
    assertThat(Json.read(text(done)).path("path").asText()).isEqualTo("/refunds/1");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void onlyTheProposerWithdrawsAHeldCall(Given given) {
    Gateway gateway = gateway(given, Given.alert(Given.REFUND));
    String plan = planId(gateway.call(REFUND, charge("1")));
    ObjectNode args = Json.object().put("plan_id", plan).put("reason", "Not any more.");
    JsonNode other = gateway.as(given.apiOfRole("agent")).call("governance_withdraw", args);
    assertThat(other.path("isError").asBoolean()).isTrue();
    assertThat(gateway.call("governance_withdraw", args).path("isError").asBoolean()).isFalse();
    JsonNode told = gateway.plan(plan);
    assertThat(status(told)).isEqualTo("vetoed");
    assertThat(text(told)).contains("Withdrawn", "Not any more.");
  }

  @Test
  void aCallUnderAHaltIsAnsweredAtOnceWithTheHalt(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator);
    ObjectNode halt =
        Json.object().put("scope", "operator").put("id", operator.id()).put("reason", "Wait.");
    String id = given.api().post("/v1/halts", halt).is(201).path("id").asText();
    JsonNode waiting = gateway.call(REFUND, charge("1"));
    assertThat(waiting.at("/structuredContent/halt_id").asText()).isEqualTo(id);
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void everyOtherRefusalIsTheServicesErrorObject(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator);
    given.api().post("/v1/operators/" + operator.id() + "/pause").is(200);
    Answer answer = gateway.send(gateway.modern("tools/call", called(REFUND, charge("1"))));
    isRpcError(answer, 200, -32000);
    assertThat(answer.json().at("/error/data/code").asText()).isEqualTo("state_conflict");
  }

  // Tasks.

  @Test
  void aHeldCallIsATaskForClientsThatDeclareTasks(Given given) {
    Gateway gateway = gateway(given, Given.alert(Given.REFUND)).withTasks();
    JsonNode task = gateway.call(REFUND, charge("1"));
    assertThat(task.path("resultType").asText()).isEqualTo("task");
    assertThat(task.path("status").asText()).isEqualTo("working");
    assertThat(task.path("pollIntervalMs").asInt()).isEqualTo(5_000);
    assertThat(task.path("ttlMs").asLong()).isEqualTo(259_200_000);
    String id = task.path("taskId").asText();
    approve(given, id);
    JsonNode done = gateway.task(id);
    assertThat(done.path("status").asText()).isEqualTo("completed");
    assertThat(text(done.path("result"))).contains("/refunds/1");
    assertThat(done.path("ttlMs").asLong()).isPositive();
  }

  @Test
  void aVetoedTaskIsCompletedWithTheReasonAndAWithdrawnOneCancelled(Given given) {
    Gateway gateway = gateway(given, Given.alert(Given.REFUND)).withTasks();
    String vetoed = gateway.call(REFUND, charge("1")).path("taskId").asText();
    given
        .api()
        .post("/v1/plans/" + vetoed + "/veto", Json.object().put("reason", "Paid already."))
        .is(200);
    JsonNode over = gateway.task(vetoed);
    assertThat(over.path("status").asText()).isEqualTo("completed");
    assertThat(over.at("/result/isError").asBoolean()).isTrue();
    assertThat(text(over.path("result"))).contains("Paid already.");
    String cancelled = gateway.call(REFUND, charge("2")).path("taskId").asText();
    JsonNode empty = gateway.result("tasks/cancel", Json.object().put("taskId", cancelled));
    assertThat(empty.propertyStream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder("resultType", "_meta");
    assertThat(gateway.task(cancelled).path("status").asText()).isEqualTo("cancelled");
    gateway.result("tasks/update", Json.object().put("taskId", cancelled));
  }

  @Test
  void tasksAreOnlyForDeclaringClientsWithAccess(Given given) {
    Gateway gateway = gateway(given, Given.alert(Given.REFUND)).withTasks();
    String id = gateway.call(REFUND, charge("1")).path("taskId").asText();
    ObjectNode named = Json.object().put("taskId", id);
    Gateway without = new Gateway(gateway.api(), gateway.operator(), "{}");
    for (String method : List.of("tasks/get", "tasks/cancel", "tasks/update")) {
      isRpcError(without.send(without.modern(method, named)), 400, -32021);
      Gateway other = gateway.as(given.apiOfRole("agent"));
      isRpcError(other.send(other.modern(method, named)), 200, -32602);
      Gateway elsewhere =
          Gateway.of(gateway.api(), given.operator(Given.alert(Given.REFUND))).withTasks();
      isRpcError(elsewhere.send(elsewhere.modern(method, named)), 200, -32602);
    }
    assertThat(gateway.task(id).path("status").asText()).isEqualTo("working");
    Gateway foreign = gateway.as(given.anotherTenant());
    assertThat(foreign.send(foreign.modern("tasks/get", named)).status()).isEqualTo(404);
  }

  // Attacks.

  @Test
  void aHeaderThatDisagreesWithItsBodyIsRefused(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    ObjectNode call = gateway.modern("tools/call", called(REFUND, charge("1")));
    for (String[] headers :
        List.of(
            new String[] {"MCP-Protocol-Version", "2025-11-25"},
            new String[] {"Mcp-Method", "tools/list"},
            new String[] {"Mcp-Method", "TOOLS/CALL"},
            new String[] {"Mcp-Name", READ},
            new String[] {"Mcp-Name", "=?base64?%%%?="},
            new String[] {"Mcp-Name", ""})) {
      isRpcError(gateway.send(call, headers), 400, -32020);
    }
    isRpcError(gateway.raw("POST", Json.write(call)), 400, -32020);
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void unknownRevisionsAndIncompleteMessagesAreRefused(Given given) {
    Gateway gateway = gateway(given);
    ObjectNode message = gateway.modern("tools/list", Json.object());
    ((ObjectNode) message.at("/params/_meta"))
        .put("io.modelcontextprotocol/protocolVersion", "2031-01-01");
    Answer unknown = gateway.send(message, "MCP-Protocol-Version", "2031-01-01");
    isRpcError(unknown, 400, -32022);
    assertThat(unknown.json().at("/error/data/requested").asText()).isEqualTo("2031-01-01");
    isRpcError(gateway.send(Gateway.message("tools/list", Json.object())), 400, -32602);
    isRpcError(gateway.send(gateway.modern("resources/list", Json.object())), 404, -32601);
    isRpcError(gateway.send(gateway.modern("ping", Json.object())), 404, -32601);
    Answer before =
        gateway.raw("POST", Json.write(Gateway.message("server/discover", Json.object())));
    isRpcError(before, 200, -32601);
  }

  @Test
  void aBodyThatIsNoMessageIsRefusedWithTheServicesErrors(Given given) {
    Gateway gateway = gateway(given);
    gateway.raw("POST", "[]").isError(400, "invalid_request");
    gateway
        .raw("POST", "[" + Json.write(gateway.modern("tools/list", Json.object())) + "]")
        .isError(400, "invalid_request");
    gateway
        .raw("POST", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}")
        .isError(400, "invalid_request");
    gateway
        .raw("POST", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")
        .isError(400, "invalid_request");
    gateway.raw("POST", "{").isError(400, "invalid_json");
    Gateway nowhere = new Gateway(gateway.api(), "op_" + "0".repeat(26), "{}");
    nowhere.send(nowhere.modern("tools/list", Json.object())).isError(404, "not_found");
    Gateway without = gateway.as(given.apiOfScopes("plans:read"));
    without.send(without.modern("tools/list", Json.object())).isError(403, "insufficient_scope");
  }

  @Test
  void aPageOfAnotherSiteIsRefused(Given given) {
    Gateway gateway = gateway(given);
    ObjectNode message = gateway.modern("tools/list", Json.object());
    for (String origin : List.of("https://evil.example", "null", "http://127.0.0.1.evil.example")) {
      gateway.send(message, "Origin", origin).isError(403, "cross_site_request");
    }
    gateway.send(message, "Origin", "http://localhost:3000").is(200);
  }

  @Test
  void anyRequestStateIsRefused(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    for (String more :
        List.of(
            "{\"requestState\":\"forged\"}",
            "{\"requestState\":\"\"}",
            "{\"requestState\":null}",
            "{\"requestState\":{\"plan_id\":\"pl_1\"}}",
            "{\"inputResponses\":{\"sure\":{\"action\":\"accept\"}}}")) {
      ObjectNode params = called(REFUND, charge("1")).setAll((ObjectNode) Json.read(more));
      isRpcError(gateway.send(gateway.modern("tools/call", params)), 200, -32602);
    }
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void anIdempotencyKeyIsBoundToItsMessageAndKeepsThePlan(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    ObjectNode call = gateway.modern("tools/call", called(REFUND, charge("1")));
    String key = Given.unique("key");
    JsonNode first = gateway.send(call, "Idempotency-Key", key).is(200).path("result");
    JsonNode again = gateway.send(call, "Idempotency-Key", key).is(200).path("result");
    assertThat(again).isEqualTo(first);
    Answer other = gateway.send(call.deepCopy().put("id", "other"), "Idempotency-Key", key);
    isRpcError(other, 200, -32000);
    assertThat(other.json().at("/error/data/code").asText()).isEqualTo("idempotency_conflict");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void errorsOfAMessageAreRpcErrors(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    ObjectNode call = gateway.modern("tools/call", called(REFUND, charge("1")));
    isRpcError(gateway.send(call, "Idempotency-Key", "x".repeat(256)), 200, -32602);
    ObjectNode list = gateway.modern("tools/list", Json.object());
    isRpcError(gateway.send(list.deepCopy().put("params", "none")), 200, -32602);
    ObjectNode said = called(REFUND, charge("1"));
    said.putObject("_meta").put("io.actiongovernance/idempotency_key", "mcp-mine");
    Answer reserved = gateway.send(gateway.modern("tools/call", said));
    isRpcError(reserved, 200, -32602);
    assertThat(reserved.json().at("/error/data/code").asText()).isEqualTo("invalid_parameter");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aCallContinuesAfterItsClientHangsUp(Given given) {
    Gateway gateway = gateway(given, Given.allow(Given.REFUND));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    ObjectNode message = gateway.modern("tools/call", called(REFUND, charge("1")));
    var sending =
        gateway
            .api()
            .client()
            .sendAsync(
                gateway
                    .api()
                    .request(gateway.path())
                    .header("Content-Type", "application/json")
                    .header("MCP-Protocol-Version", Gateway.MODERN)
                    .header("Mcp-Method", "tools/call")
                    .header("Mcp-Name", REFUND)
                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString(Json.write(message)))
                    .build(),
                java.net.http.HttpResponse.BodyHandlers.ofString());
    gate.awaitCall();
    sending.cancel(true);
    gate.open();
    JsonNode again = gateway.call(REFUND, charge("1"));
    assertThat(text(again)).contains("earlier call");
    assertThat(again.path("isError").asBoolean()).isFalse();
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aTooLargeAnswerIsReplacedByItsAddress(Given given) {
    Gateway gateway = gateway(given);
    given
        .upstream()
        .next("/charges", new Upstream.Behaviour.Reply(200, "\"" + "x".repeat(10_000_000) + "\""));
    JsonNode result = gateway.call(READ, charge("1"));
    assertThat(text(result)).contains("/v1/actions/", "/result").hasSizeLessThan(1_000);
  }

  @Test
  void contentOfAnMcpServerIsPassedOnUnchanged(Given given) {
    try (McpUpstream mcp = new McpUpstream()) {
      mcp.list(
          "governance_plan", "Not ours.", ToolAnnotations.builder().readOnlyHint(true).build());
      ObjectNode body = Json.object().put("listing_id", "cn-mcp").put("name", Given.unique("mcp"));
      body.putObject("config")
          .put("url", mcp.url())
          .put("prefix", "")
          .putObject("tiers")
          .put("order_read", 0);
      String connector = given.api().post("/v1/connectors", body).is(201).path("id").asText();
      Operator operator =
          given.operatorOf(given.api(), connector, Json.object(), Given.allow("governance_plan"));
      Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator);
      List<String> names =
          gateway
              .result("tools/list", Json.object())
              .path("tools")
              .valueStream()
              .map(one -> one.path("name").asText())
              .toList();
      assertThat(names)
          .contains("order_read", body.path("name").asText() + "_governance_plan")
          .containsOnlyOnce("governance_plan");
      JsonNode result = gateway.call("order_read", Json.object().put("order", "7"));
      assertThat(result.path("isError").asBoolean()).isFalse();
      assertThat(result.at("/content/0/type").asText()).isEqualTo("text");
      assertThat(mcp.calls()).hasSize(1);
    }
  }
}
