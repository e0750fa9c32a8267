package io.actiongovernance.localstack.acceptance.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every change of the configuration is receipted (contract, section 6). */
@Acceptance
public final class ConfigReceiptsSpec {
  private static final String CONFIG = "/v1/receipts?kind=config&limit=100";

  /** What a reader does: the hash of an object as retrieved, without secrets and their hints. */
  public static @Nullable String hash(@Nullable JsonNode retrieved) {
    if (retrieved == null) {
      return null;
    }
    ObjectNode object = retrieved.deepCopy();
    object.remove(List.of("secret", "hint"));
    if (object.path("credentials") instanceof ObjectNode credentials) {
      credentials.remove(List.of("secret", "hint"));
    }
    return CanonicalJson.sha256(object);
  }

  private static JsonNode only(Api api, List<String> before) {
    List<JsonNode> now =
        api.get(CONFIG).data().stream()
            .filter(receipt -> !before.contains(receipt.path("id").asText()))
            .toList();
    assertThat(now).hasSize(1);
    return now.getFirst();
  }

  /** Makes a change of the object at a path, and answers with its one receipt. */
  private static JsonNode receiptOf(Api api, String path, Supplier<Answer> change) {
    JsonNode retrieved = api.get(path).is(200);
    List<String> before = api.get(CONFIG).ids();
    assertThat(change.get().status()).isEqualTo(200);
    JsonNode receipt = only(api, before);
    Answer after = api.get(path);
    check(receipt, hash(retrieved), after.status() == 200 ? hash(after.json()) : null);
    return receipt;
  }

  /** Makes an object, and answers with its identifier. */
  private static String made(Api api, String path, ObjectNode body, String type) {
    List<String> before = api.get(CONFIG).ids();
    String id = api.post(path, body).is(201).path("id").asText();
    JsonNode receipt = only(api, before);
    check(receipt, null, hash(api.get(path + "/" + id).is(200)));
    assertThat(receipt.at("/target/type").asText()).isEqualTo(type);
    assertThat(receipt.at("/target/id").asText()).isEqualTo(id);
    assertThat(fields(receipt)).contains("id", "object", "created_at");
    return id;
  }

  private static void check(JsonNode receipt, @Nullable String before, @Nullable String after) {
    assertThat(receipt.path("kind").asText()).isEqualTo("config");
    assertThat(receipt.path("outcome").asText()).isEqualTo("changed");
    assertThat(receipt.path("billable").asBoolean()).isFalse();
    assertThat(receipt.at("/change/before_sha256").textValue()).isEqualTo(before);
    assertThat(receipt.at("/change/after_sha256").textValue()).isEqualTo(after);
    assertThat(receipt.path("correlation_id").asText()).startsWith("co_");
    assertThat(receipt.path("request_id").asText()).startsWith("req_");
    for (String chained : List.of("event_id", "plan_id", "action_id", "operator_id", "connector")) {
      assertThat(receipt.path(chained).isNull()).as(chained).isTrue();
    }
    assertThat(receipt.path("decided_by")).hasSize(1);
    assertThat(receipt.at("/decided_by/0/type").asText()).isEqualTo("key");
    assertThat(receipt.at("/decided_by/0/method").asText()).isEqualTo("key");
    ObjectNode hashed = receipt.deepCopy();
    hashed.remove("hash");
    assertThat(receipt.path("hash").asText()).isEqualTo(CanonicalJson.sha256(hashed));
  }

  private static List<String> fields(JsonNode receipt) {
    return StreamSupport.stream(receipt.at("/change/fields").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  private static void leavesNone(Api api, Supplier<Answer> request) {
    List<String> before = api.get(CONFIG).ids();
    assertThat(request.get().status()).isEqualTo(200);
    assertThat(api.get(CONFIG).ids()).isEqualTo(before);
  }

  private static ObjectNode say(String name, String value) {
    return Json.object().put(name, value);
  }

  @Test
  void eachOperatorChangeLeavesOneReceiptWithRecomputableHashes(Given given) {
    Api api = given.api();
    String id = made(api, "/v1/operators", draft(), "operator");
    String path = "/v1/operators/" + id;
    JsonNode patched = receiptOf(api, path, () -> api.patch(path, say("display_name", "Refunds")));
    assertThat(fields(patched)).containsExactly("display_name");
    assertThat(patched.at("/target/type").asText()).isEqualTo("operator");
    assertThat(fields(receiptOf(api, path, () -> api.post(path + "/publish"))))
        .containsExactly("status");
    assertThat(fields(receiptOf(api, path, () -> api.post(path + "/pause"))))
        .containsExactly("status", "paused_at");
    assertThat(fields(receiptOf(api, path, () -> api.post(path + "/resume"))))
        .containsExactly("status", "paused_at");
    assertThat(fields(receiptOf(api, path, () -> api.delete(path)))).containsExactly("status");
  }

  private static ObjectNode draft() {
    return say("name", Given.unique("desk")).put("status", "draft");
  }

  @Test
  void aGuardrailsChangeLeavesOneReceipt(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    String path = "/v1/operators/" + operator.id() + "/guardrails";
    ObjectNode body = Json.object().put("expected_version", 1);
    body.putArray("guardrails").add(Given.block(Given.NOTE));
    JsonNode receipt = receiptOf(given.api(), path, () -> given.api().put(path, body));
    assertThat(receipt.path("target"))
        .isEqualTo(Json.object().put("type", "guardrails").put("id", operator.id()));
    assertThat(fields(receipt)).containsExactly("guardrails_version", "guardrails");
  }

  @Test
  void eachChangeOfAConnectorLeavesOneReceiptAndSecretsAreInNone(Given given) {
    Api api = given.api();
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("shop"));
    ObjectNode config = body.putObject("config");
    config.put("base_url", given.upstream().url());
    config
        .putArray("tools")
        .add(
            Json.read(
                """
                {"name":"desk.note.add","capability":"desk","tier":1,"description":"Notes.",
                 "input_schema":{"type":"object"},"request":{"method":"POST","path":"/notes"}}
                """));
    body.putObject("credentials").put("type", "bearer").put("token", "a-secret-of-12345");
    String id = made(api, "/v1/connectors", body, "connector");
    String path = "/v1/connectors/" + id;
    JsonNode renamed =
        receiptOf(api, path, () -> api.patch(path, say("name", Given.unique("shop"))));
    assertThat(fields(renamed)).containsExactly("name");
    ObjectNode renewed = Json.object();
    renewed.putObject("credentials").put("type", "bearer").put("token", "another-of-12345");
    assertThat(fields(receiptOf(api, path, () -> api.patch(path, renewed))))
        .containsExactly("credentials");
    JsonNode now = api.get(path).is(200);
    leavesNone(api, () -> api.patch(path, say("name", now.path("name").asText())));
    leavesNone(api, () -> api.post(path + "/test"));
    assertThat(fields(receiptOf(api, path, () -> api.delete(path)))).contains("name", "config");
  }

  @Test
  void eachChangeOfAWebhookEndpointLeavesOneReceiptRotationsIncluded(Given given) {
    Api api = given.api();
    ObjectNode body = Json.object().put("url", "https://hooks.example/" + Given.unique("hook"));
    body.putArray("types").add("plan.proposed");
    String id = made(api, "/v1/webhook_endpoints", body, "webhook_endpoint");
    String path = "/v1/webhook_endpoints/" + id;
    assertThat(fields(receiptOf(api, path, () -> api.patch(path, say("status", "disabled")))))
        .containsExactly("status");
    assertThat(fields(receiptOf(api, path, () -> api.patch(path, say("status", "active")))))
        .containsExactly("status");
    assertThat(
            fields(
                receiptOf(
                    api, path, () -> api.patch(path, Json.object().put("rotate_secret", true)))))
        .containsExactly("previous_secret_expires_at", "secret");
    leavesNone(api, () -> api.patch(path, say("status", "active")));
    receiptOf(api, path, () -> api.delete(path));
  }

  @Test
  void eachChangeOfAChannelLeavesOneReceiptItsSecretIncluded(Given given) {
    Api api = given.api();
    String url = "https://hooks.example/" + Given.unique("hook");
    ObjectNode body = Json.object().put("type", "slack").put("url", url);
    body.putArray("types").add("halt");
    String id = made(api, "/v1/channels", body, "channel");
    String path = "/v1/channels/" + id;
    leavesNone(api, () -> api.post(path + "/test"));
    assertThat(fields(receiptOf(api, path, () -> api.patch(path, say("status", "disabled")))))
        .containsExactly("status");
    JsonNode moved = receiptOf(api, path, () -> api.patch(path, say("url", url + "-other")));
    assertThat(fields(moved)).as("it looks the same").containsExactly("url");
    assertThat(moved.toString()).doesNotContain(url);
    leavesNone(api, () -> api.patch(path, say("url", url + "-other")));
    assertThat(fields(receiptOf(api, path, () -> api.delete(path)))).contains("id", "types");
  }

  @Test
  void makingOrRevokingAKeyLeavesOneReceiptWithoutItsHint(Given given) {
    Api api = given.api();
    ObjectNode body = say("name", Given.unique("key")).put("role", "read_only");
    String id = made(api, "/v1/keys", body, "key");
    JsonNode revoked = receiptOf(api, "/v1/keys/" + id, () -> api.delete("/v1/keys/" + id));
    assertThat(fields(revoked)).containsExactly("status", "revoked_at");
    assertThat(revoked.at("/change/after_sha256").isNull()).as("it is still retrieved").isFalse();
    leavesNone(api, () -> api.delete("/v1/keys/" + id));
  }

  @Test
  void suspendingAPersonLeavesOneReceipt(Given given) {
    Api api = given.api();
    String id = api.post("/v1/people", say("name", "Dana Reyes")).is(201).path("id").asText();
    String path = "/v1/people/" + id;
    ObjectNode body = say("status", "suspended");
    JsonNode changed = receiptOf(api, path, () -> api.patch(path, body));
    assertThat(changed.at("/target/type").asText()).isEqualTo("person");
    assertThat(fields(changed)).containsExactly("status");
    leavesNone(api, () -> api.patch(path, body));
  }

  @Test
  void aChangeOfTheCapLeavesOneReceipt(Given given) {
    Api api = given.anotherTenant();
    JsonNode receipt =
        receiptOf(
            api,
            "/v1/allowance",
            () -> api.patch("/v1/allowance", Json.object().put("hard_cap", 7)));
    assertThat(receipt.at("/target/type").asText()).isEqualTo("allowance");
    assertThat(fields(receipt)).containsExactly("hard_cap");
    leavesNone(api, () -> api.patch("/v1/allowance", Json.object().put("hard_cap", 7)));
  }

  @Test
  void aNewTenantsLimitsAndItsFirstTicketAreReceipted(Given given) {
    List<JsonNode> receipts = given.anotherTenant().get(CONFIG).data();
    assertThat(receipts)
        .extracting(receipt -> receipt.at("/target/type").asText())
        .containsExactly("ticket", "limits");
    assertThat(receipts).allMatch(receipt -> receipt.path("decided_by").isNull());
  }

  @Test
  void anEmptyChangeLeavesNoReceiptAndChangesNothing(Given given) {
    Api api = given.api();
    Operator operator = given.operator(Given.allow(Given.NOTE));
    String path = "/v1/operators/" + operator.id();
    JsonNode before = api.get(path).is(200);
    leavesNone(api, () -> api.patch(path, say("name", before.path("name").asText())));
    leavesNone(api, () -> api.patch(path, Json.object()));
    assertThat(api.get(path).is(200)).isEqualTo(before);
  }

  @Test
  void aRefusedChangeLeavesNoReceipt(Given given) {
    Api api = given.api();
    Operator operator = given.operator(Given.allow(Given.NOTE));
    List<String> before = api.get(CONFIG).ids();
    api.post("/v1/operators/" + operator.id() + "/resume").isError(409, "state_conflict");
    api.patch("/v1/operators/" + operator.id(), say("name", "No Slug")).isInvalid("name");
    assertThat(api.get(CONFIG).ids()).isEqualTo(before);
  }

  @Test
  void aRequestRepeatedUnderItsIdempotencyKeyLeavesOneReceipt(Given given) {
    Api api = given.api();
    Operator operator = given.operator(Given.allow(Given.NOTE));
    String path = "/v1/operators/" + operator.id();
    String key = Given.unique("once");
    receiptOf(
        api,
        path,
        () -> {
          api.patch(path, say("description", "Twice."), "Idempotency-Key", key).is(200);
          return api.patch(path, say("description", "Twice."), "Idempotency-Key", key);
        });
  }

  @Test
  void theListOfAllReceiptsHoldsThemInTheirOrder(Given given) {
    Api api = given.api();
    Operator operator = given.operator(Given.allow(Given.NOTE));
    operator.propose(operator.note("a"));
    api.patch("/v1/operators/" + operator.id(), say("description", "Between.")).is(200);
    operator.propose(operator.note("b"));
    List<String> all = api.get("/v1/receipts?limit=100").ids();
    assertThat(all).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(all)
        .containsAll(api.get(CONFIG).ids())
        .containsAll(api.get("/v1/receipts?kind=action&limit=100").ids());
    Lists.hold(api, "/v1/receipts", all);
    String config = api.get(CONFIG).ids().getFirst();
    assertThat(api.get("/v1/receipts/" + config).is(200).path("kind").asText()).isEqualTo("config");
    assertThat(api.get("/v1/receipts?outcome=changed&limit=100").ids())
        .isEqualTo(api.get(CONFIG).ids());
  }
}
