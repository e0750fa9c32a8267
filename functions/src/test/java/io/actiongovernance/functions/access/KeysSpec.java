package io.actiongovernance.functions.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.key.ApiKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys (specification, API keys; contract, section 9), on embedded DynamoDB. */
final class KeysSpec {
  private final TestApi api = new TestApi(EmbeddedDynamo.store());
  private final TestTenant tenant = api.tenant();

  private Response create(String secret, String body) {
    return api.post("/v1/keys", body).key(secret).send();
  }

  private JsonNode created(String secret, String body) {
    Response response = create(secret, body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  private static void assertError(Response response, int status, String code) {
    assertThat(response.status() + " " + response.code())
        .as(response.body())
        .isEqualTo(status + " " + code);
  }

  private static String body(String name, String role) {
    return "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role);
  }

  private String firstKeyId(String secret) {
    return api.get("/v1/keys")
        .key(secret)
        .send()
        .json()
        .get("data")
        .valueStream()
        .filter(
            key ->
                secret.startsWith(key.get("hint").asText().substring(0, 8))
                    && secret.endsWith(key.get("hint").asText().substring(8)))
        .findFirst()
        .orElseThrow()
        .get("id")
        .asText();
  }

  @Test
  void aCreatedKeyIsAnsweredWithItsSecretOnceAndWorks() {
    JsonNode key = created(tenant.live(), body("ci runner", "read_only"));
    assertThat(key.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "object",
            "name",
            "mode",
            "role",
            "scopes",
            "workspace_id",
            "operator_ids",
            "expires_at",
            "created_by",
            "owner",
            "hint",
            "secret",
            "status",
            "last_used_at",
            "created_at",
            "revoked_at");
    String secret = key.get("secret").asText();
    assertThat(secret).matches("sk_live_[0-9A-Za-z]{38}");
    assertThat(key.get("hint").asText())
        .isEqualTo("sk_live_" + secret.substring(secret.length() - 4));
    assertThat(key.get("object").asText()).isEqualTo("api_key");
    assertThat(key.get("status").asText()).isEqualTo("active");
    assertThat(key.get("last_used_at").isNull()).isTrue();
    assertThat(key.get("revoked_at").isNull()).isTrue();
    assertThat(key.get("scopes").valueStream().map(JsonNode::asText))
        .containsExactlyInAnyOrder(
            "events:read",
            "operators:read",
            "connectors:read",
            "plans:read",
            "actions:read",
            "receipts:read",
            "webhooks:read",
            "billing:read",
            "halts:read");
    JsonNode read = api.get("/v1/keys/" + key.get("id").asText()).key(tenant.live()).send().json();
    assertThat(read.has("secret")).isFalse();
    assertThat(api.get("/v1/revisions").key(secret).send().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"role\":\"ingest\"} | missing_parameter | name",
        "{\"name\":\"abc\"} | missing_parameter | role",
        "{\"name\":\"ab\",\"role\":\"ingest\"} | invalid_parameter | name",
        "{\"name\":\"abc\",\"role\":\"owner\"} | invalid_parameter | role",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"scopes\":[\"plans:read\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[\"plans:read\",\"nope\"]} | invalid_parameter | scopes[1]",
        "{\"name\":\"abc\",\"scopes\":[\"keys:read\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"keys:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"billing:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"plans:propose\",\"plans:approve\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[\"operators:write\",\"plans:propose\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[\"plans:approve\",\"connectors:write\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"operator_ids\":[]} | invalid_parameter | operator_ids",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"operator_ids\":[\"pl_1\"]} | invalid_parameter | operator_ids[0]",
        "{\"name\":\"abc\",\"role\":\"admin\",\"operator_ids\":[\"op_00000000000000000000000000\"]} | invalid_parameter | operator_ids",
        "{\"name\":\"abc\",\"role\":\"admin\",\"expires_at\":\"2030-01-01T00:00:00Z\"} | invalid_parameter | expires_at",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"expires_at\":\"2026-11-20T21:44:07.412Z\"} | invalid_parameter | expires_at",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"expires_at\":\"tomorrow\"} | invalid_parameter | expires_at",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"owner\":\"\"} | invalid_parameter | owner",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"mode\":\"prod\"} | invalid_parameter | mode",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"workspace_id\":7} | invalid_parameter | workspace_id",
        "{\"name\":\"abc\",\"role\":\"ingest\",\"workspace_id\":\"\"} | invalid_parameter | workspace_id"
      })
  void aBadFieldIsNamed(String body, String code, String param) {
    Response response = create(tenant.live(), body);
    assertError(response, 400, code);
    assertThat(response.param()).isEqualTo(param);
    assertThat(api.get("/v1/keys").key(tenant.live()).send().json().get("data")).hasSize(2);
  }

  @Test
  void aNameHas3To60Characters() {
    created(tenant.live(), body("abc", "ingest"));
    created(tenant.live(), body("x".repeat(60), "ingest"));
    assertError(create(tenant.live(), body("x".repeat(61), "ingest")), 400, "invalid_parameter");
  }

  @Test
  void explicitScopesLeaveTheRoleNull() {
    JsonNode key =
        created(
            tenant.live(),
            "{\"name\":\"agent\",\"scopes\":[\"plans:propose\",\"plans:read\",\"plans:read\"]}");
    assertThat(key.get("role").isNull()).isTrue();
    assertThat(key.get("scopes").valueStream().map(JsonNode::asText))
        .containsExactlyInAnyOrder("plans:propose", "plans:read");
  }

  @Test
  void anActiveNameIsTakenInBothModesUntilItIsRevoked() {
    String id = created(tenant.live(), body("worker", "ingest")).get("id").asText();
    assertError(create(tenant.live(), body("worker", "operate")), 409, "state_conflict");
    assertError(
        create(tenant.live(), "{\"name\":\"worker\",\"role\":\"ingest\",\"mode\":\"test\"}"),
        409,
        "state_conflict");
    api.delete("/v1/keys/" + id).key(tenant.live()).send();
    created(tenant.live(), body("worker", "ingest"));
    created(api.tenant().live(), body("worker", "ingest"));
  }

  @Test
  void twentyKeysOfBothModesMayBeActive() {
    List<String> ids = new ArrayList<>();
    for (int count = 2; count < 20; count++) {
      String mode = count % 2 == 0 ? "live" : "test";
      String body =
          "{\"name\":\"key %d\",\"role\":\"ingest\",\"mode\":\"%s\"}".formatted(count, mode);
      ids.add(created(tenant.live(), body).get("id").asText());
    }
    Response refused = create(tenant.live(), body("one more", "ingest"));
    assertError(refused, 429, "quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    assertThat(api.delete("/v1/keys/" + ids.getFirst()).key(tenant.live()).send().status())
        .isEqualTo(200);
    created(tenant.live(), body("one more", "ingest"));
  }

  @Test
  void onlyAdminsManageKeys() {
    String operate = created(tenant.live(), body("operate", "operate")).get("secret").asText();
    assertError(create(operate, body("more", "ingest")), 403, "insufficient_scope");
    assertError(api.get("/v1/keys").key(operate).send(), 403, "insufficient_scope");
    assertError(api.delete("/v1/keys/key_x").key(operate).send(), 403, "insufficient_scope");
  }

  @Test
  void aRevokedKeyFailsOnItsNextRequest() {
    JsonNode key = created(tenant.live(), body("doomed", "read_only"));
    String secret = key.get("secret").asText();
    Response revoked = api.delete("/v1/keys/" + key.get("id").asText()).key(tenant.live()).send();
    assertThat(revoked.status()).isEqualTo(200);
    assertThat(revoked.json().properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("id", "object", "name", "status", "revoked_at");
    assertThat(revoked.json().get("status").asText()).isEqualTo("revoked");
    assertError(api.get("/v1/revisions").key(secret).send(), 401, "key_revoked");
  }

  @Test
  void revokingARevokedKeyChangesNothing() {
    String id = created(tenant.live(), body("doomed", "ingest")).get("id").asText();
    String first = api.delete("/v1/keys/" + id).key(tenant.live()).send().body();
    api.advance(Duration.ofMinutes(5));
    Response again = api.delete("/v1/keys/" + id).key(tenant.live()).send();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first);
  }

  @Test
  void theLastAdminKeyOfAModeCannotRevokeItself() {
    assertError(
        api.delete("/v1/keys/" + firstKeyId(tenant.live())).key(tenant.live()).send(),
        409,
        "state_conflict");
    created(tenant.live(), "{\"name\":\"pinned\",\"role\":\"admin\",\"workspace_id\":\"ws_1\"}");
    created(tenant.live(), "{\"name\":\"test admin\",\"role\":\"admin\",\"mode\":\"test\"}");
    assertError(
        api.delete("/v1/keys/" + firstKeyId(tenant.live())).key(tenant.live()).send(),
        409,
        "state_conflict");
    String second = created(tenant.live(), body("second", "admin")).get("secret").asText();
    assertThat(
            api.delete("/v1/keys/" + firstKeyId(tenant.live())).key(tenant.live()).send().status())
        .isEqualTo(200);
    assertError(
        api.delete("/v1/keys/" + firstKeyId(second)).key(second).send(), 409, "state_conflict");
  }

  @Test
  void aTestKeySeesAndMakesTestKeysOnly() {
    String live = created(tenant.live(), body("live one", "ingest")).get("id").asText();
    Response list = api.get("/v1/keys").key(tenant.test()).send();
    assertThat(list.json().get("data").valueStream().map(key -> key.get("mode").asText()))
        .containsOnly("test");
    assertError(api.get("/v1/keys/" + live).key(tenant.test()).send(), 404, "not_found");
    assertError(api.delete("/v1/keys/" + live).key(tenant.test()).send(), 404, "not_found");
    assertError(create(tenant.test(), body("live two", "ingest")), 403, "insufficient_scope");
    JsonNode made =
        created(tenant.test(), "{\"name\":\"test one\",\"role\":\"ingest\",\"mode\":\"test\"}");
    assertThat(made.get("secret").asText()).startsWith("sk_test_");
    assertThat(api.get("/v1/keys/" + made.get("id").asText()).key(tenant.live()).send().status())
        .isEqualTo(200);
  }

  @Test
  void aPinnedAdminSeesAndMakesKeysOfItsWorkspaceOnly() {
    String pinned =
        created(tenant.live(), "{\"name\":\"pinned\",\"role\":\"admin\",\"workspace_id\":\"ws_1\"}")
            .get("secret")
            .asText();
    String other =
        created(tenant.live(), "{\"name\":\"other\",\"role\":\"ingest\",\"workspace_id\":\"ws_2\"}")
            .get("id")
            .asText();
    assertError(create(pinned, body("unpinned", "ingest")), 403, "insufficient_scope");
    assertError(
        create(pinned, "{\"name\":\"elsewhere\",\"role\":\"ingest\",\"workspace_id\":\"ws_2\"}"),
        403,
        "insufficient_scope");
    created(pinned, "{\"name\":\"own\",\"role\":\"ingest\",\"workspace_id\":\"ws_1\"}");
    assertThat(
            api.get("/v1/keys")
                .key(pinned)
                .send()
                .json()
                .get("data")
                .valueStream()
                .map(key -> key.get("name").asText()))
        .containsExactly("own", "pinned");
    assertError(api.get("/v1/keys/" + other).key(pinned).send(), 404, "not_found");
    assertError(api.delete("/v1/keys/" + other).key(pinned).send(), 404, "not_found");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void keysAreListedNewestFirstOnPages(int limit) {
    for (int count = 0; count < 5; count++) {
      String id = created(tenant.live(), body("key " + count, "ingest")).get("id").asText();
      if (count % 2 == 0) {
        api.delete("/v1/keys/" + id).key(tenant.live()).send();
      }
    }
    assertThat(names("", limit))
        .containsExactly("key 4", "key 3", "key 2", "key 1", "key 0", "first-test", "first-live");
    assertThat(names("&status=revoked", limit)).containsExactly("key 4", "key 2", "key 0");
    assertThat(names("&status=active&mode=live", limit))
        .containsExactly("key 3", "key 1", "first-live");
    assertThat(names("&mode=test", limit)).containsExactly("first-test");
  }

  private List<String> names(String filter, int limit) {
    List<String> names = new ArrayList<>();
    String cursor = null;
    do {
      TestApi.Request request = api.get("/v1/keys?limit=" + limit + filter).key(tenant.live());
      JsonNode page = (cursor == null ? request : request.query("cursor", cursor)).send().json();
      assertThat(page.get("object").asText()).isEqualTo("list");
      assertThat(page.get("has_more").asBoolean()).isEqualTo(!page.get("next_cursor").isNull());
      page.get("data").forEach(key -> names.add(key.get("name").asText()));
      cursor = page.get("next_cursor").isNull() ? null : page.get("next_cursor").asText();
    } while (cursor != null);
    return names;
  }

  @Test
  void aListItemHasTheFieldsOfTheSpecification() {
    assertThat(api.get("/v1/keys").key(tenant.live()).send().json().at("/data/0").properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id", "object", "name", "mode", "role", "hint", "status", "last_used_at", "created_at");
  }

  @Test
  void lastUsedIsToldWithinAMinute() {
    String id = firstKeyId(tenant.live());
    String first = lastUsed(id);
    api.advance(Duration.ofSeconds(59));
    assertThat(lastUsed(id)).isEqualTo(first);
    api.advance(Duration.ofSeconds(2));
    assertThat(lastUsed(id)).isEqualTo(io.actiongovernance.time.Timestamps.format(api.now()));
  }

  private String lastUsed(String id) {
    return api.get("/v1/keys/" + id).key(tenant.live()).send().json().get("last_used_at").asText();
  }

  @Test
  void theStoreHoldsNoSecret() {
    String secret = tenant.live();
    var scan =
        EmbeddedDynamo.client()
            .scanPaginator(all -> all.tableName(EmbeddedDynamo.PREFIX + "-state"));
    assertThat(scan.items().stream().map(Object::toString))
        .noneMatch(item -> item.contains(secret));
  }

  @Test
  void aCreationSentAgainUnderItsIdempotencyKeyMakesNoSecondKey() {
    String body = body("once", "ingest");
    Response first = api.post("/v1/keys", body).key(tenant.live()).idempotencyKey("k1").send();
    Response again = api.post("/v1/keys", body).key(tenant.live()).idempotencyKey("\"k1\"").send();
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(again.header("X-Request-Id")).isNotEqualTo(first.header("X-Request-Id"));
  }

  private static final String ENDING =
      "{\"name\":\"%s\",\"role\":\"ingest\",\"expires_at\":\"2026-11-20T22:00:00.0005+00:00\"}";

  @Test
  void aKeyThatHasComeToItsEndIsExpiredAndReadsAsRevoked() {
    JsonNode key = created(tenant.live(), ENDING.formatted("brief"));
    String path = "/v1/keys/" + key.get("id").asText();
    String secret = key.get("secret").asText();
    assertThat(key.get("expires_at").asText()).isEqualTo("2026-11-20T22:00:00.000Z");
    api.advance(Duration.between(api.now(), Instant.parse("2026-11-20T21:59:59.999Z")));
    assertThat(api.get("/v1/revisions").key(secret).send().status()).isEqualTo(200);
    assertThat(names("&status=active", 20)).contains("brief");
    api.advance(Duration.ofMillis(1));
    assertError(api.get("/v1/revisions").key(secret).send(), 401, "key_expired");
    JsonNode read = api.get(path).key(tenant.live()).send().json();
    assertThat(read.get("status").asText()).isEqualTo("revoked");
    assertThat(read.get("revoked_at")).isEqualTo(read.get("expires_at"));
    assertThat(names("&status=active", 1)).containsExactly("first-test", "first-live");
    assertThat(names("&status=revoked", 1)).containsExactly("brief");
    Response revoked = api.delete(path).key(tenant.live()).send();
    assertThat(revoked.json().get("revoked_at")).isEqualTo(read.get("expires_at"));
    assertError(api.get("/v1/revisions").key(secret).send(), 401, "key_expired");
    assertError(patch(path, "{\"owner\":\"dana\"}"), 409, "state_conflict");
  }

  @Test
  void theNameAndThePlaceOfAKeyThatHasEndedAreFree() {
    for (int count = 2; count < 20; count++) {
      created(tenant.live(), ENDING.formatted("brief " + count));
    }
    assertError(create(tenant.live(), body("one more", "ingest")), 429, "quota_exceeded");
    assertError(create(tenant.live(), body("brief 2", "ingest")), 409, "state_conflict");
    api.advance(Duration.ofHours(1));
    created(tenant.live(), body("brief 2", "ingest"));
    for (int count = 0; count < 17; count++) {
      created(tenant.live(), body("another " + count, "ingest"));
    }
    assertError(create(tenant.live(), body("one more", "ingest")), 429, "quota_exceeded");
    assertThat(names("&status=revoked", 20)).hasSize(18).contains("brief 2", "brief 19");
    assertThat(names("&status=active", 20)).hasSize(20).contains("brief 2");
  }

  private Response patch(String path, String body) {
    return api.request("PATCH", path).body(body).key(tenant.live()).send();
  }

  @Test
  void aKeySaysWhoMadeItAndWhoseItIs() {
    String maker = firstKeyId(tenant.live());
    String first = api.get("/v1/keys/" + maker).key(tenant.live()).send().body();
    assertThat(first).contains("\"created_by\":null", "\"owner\":null");
    JsonNode key =
        created(tenant.live(), "{\"name\":\"own\",\"role\":\"agent\",\"owner\":\"dana\"}");
    assertThat(key.get("created_by").toString())
        .isEqualTo("{\"type\":\"key\",\"id\":\"" + maker + "\",\"name\":\"first-live\"}");
    assertThat(key.get("owner").asText()).isEqualTo("dana");
    assertThat(created(tenant.live(), body("nobody's", "ingest")).get("owner").isNull()).isTrue();
    String path = "/v1/keys/" + key.get("id").asText();
    assertThat(owner(key)).isEqualTo("dana");
    assertThat(patch(path, "{\"owner\":\"eve\"}").json().get("owner").asText()).isEqualTo("eve");
    assertThat(owner(key)).isEqualTo("eve");
    assertThat(patch(path, "{}").json().get("owner").asText()).isEqualTo("eve");
    assertThat(patch(path, "{\"owner\":null}").json().get("owner").isNull()).isTrue();
    assertThat(owner(key)).isNull();
    assertThat(patch(path, "{\"owner\":7}").param()).isEqualTo("owner");
    assertThat(patch(path, "{\"name\":\"other\"}").param()).isEqualTo("name");
    assertError(patch("/v1/keys/key_" + "0".repeat(26), "{\"owner\":\"x\"}"), 404, "not_found");
    api.delete(path).key(tenant.live()).send();
    assertError(patch(path, "{\"owner\":\"dana\"}"), 409, "state_conflict");
  }

  /** Who a request with the key is said to be made by. */
  private @Nullable String owner(JsonNode key) {
    ApiKeys.Authentication known =
        api.wiring()
            .apiKeys()
            .authenticate(RequestId.next(api.wiring().ids()), key.get("secret").asText());
    return ((ApiKeys.Authentication.Known) known).caller().principal().owner();
  }
}
