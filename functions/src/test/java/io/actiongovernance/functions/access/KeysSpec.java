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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
  void explicitScopesLeaveTheRoleNull() {
    JsonNode key =
        created(
            tenant.live(),
            "{\"name\":\"agent\",\"scopes\":[\"plans:propose\",\"plans:read\",\"plans:read\"]}");
    assertThat(key.get("role").isNull()).isTrue();
    assertThat(key.get("scopes").valueStream().map(JsonNode::asText))
        .containsExactlyInAnyOrder("plans:propose", "plans:read");
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
  void lastUsedIsUpdatedWithinAMinute() {
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

  private static final String ENDING =
      "{\"name\":\"%s\",\"role\":\"ingest\",\"expires_at\":\"2026-11-20T22:00:00.0005+00:00\"}";

  @Test
  void anExpiredKeyIsRefusedAndReadsAsRevoked() {
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
  void theNameAndQuotaOfAnExpiredKeyAreFree() {
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
  void aKeyNamesItsMakerAndItsOwner() {
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
