package io.actiongovernance.localstack.acceptance.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Scope;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.NewKey;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys (specification, API keys; contract, section 9). */
@Acceptance
final class KeysSpec {
  private static ObjectNode key(String role) {
    return Json.object().put("name", Given.unique("key")).put("role", role);
  }

  private static String path(JsonNode key) {
    return "/v1/keys/" + key.path("id").asText();
  }

  @Test
  void onlyTheCreationReturnsTheSecret(Given given) {
    JsonNode created = given.api().post("/v1/keys", key("ingest")).is(201);
    assertThat(created.properties())
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
    String secret = created.path("secret").asText();
    assertThat(secret).matches("sk_live_[0-9A-Za-z]{38}");
    assertThat(created.path("hint").asText())
        .isEqualTo("sk_live_" + secret.substring(secret.length() - 4));
    assertThat(created.path("object").asText()).isEqualTo("api_key");
    assertThat(created.path("mode").asText()).isEqualTo("live");
    assertThat(created.path("status").asText()).isEqualTo("active");
    assertThat(created.path("scopes").toString()).isEqualTo("[\"events:write\"]");
    for (String nowhere :
        List.of(
            "last_used_at", "revoked_at", "workspace_id", "operator_ids", "expires_at", "owner")) {
      assertThat(created.path(nowhere).isNull()).as(nowhere).isTrue();
    }
    JsonNode read = given.api().get(path(created)).is(200);
    assertThat(read.has("secret")).isFalse();
    assertThat(given.api().get("/v1/keys?limit=100").text()).doesNotContain(secret);
    given.api().as(secret).post("/v1/events", Json.read("{}")).isError(400, "missing_parameter");
  }

  @Test
  void aListItemHasTheFieldsOfTheSpecification(Given given) {
    given.api().post("/v1/keys", key("ingest")).is(201);
    for (JsonNode item : given.api().get("/v1/keys").data()) {
      assertThat(item.properties())
          .extracting(Map.Entry::getKey)
          .containsExactly(
              "id",
              "object",
              "name",
              "mode",
              "role",
              "hint",
              "status",
              "last_used_at",
              "created_at");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"role\":\"admin\"} | missing_parameter | name",
        "{\"name\":\"abc\"} | missing_parameter | role",
        "{\"name\":\"ab\",\"role\":\"admin\"} | invalid_parameter | name",
        "{\"name\":\"abc\",\"role\":\"owner\"} | invalid_parameter | role",
        "{\"name\":\"abc\",\"role\":\"admin\",\"scopes\":[\"events:read\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[\"receipts:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"events:read\",\"keys:read\"]} | invalid_parameter | scopes[1]",
        "{\"name\":\"abc\",\"scopes\":[\"keys:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"billing:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"people:read\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"people:write\"]} | invalid_parameter | scopes[0]",
        "{\"name\":\"abc\",\"scopes\":[\"plans:propose\",\"plans:approve\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"scopes\":[\"plans:propose\",\"operators:write\"]} | invalid_parameter | scopes",
        "{\"name\":\"abc\",\"role\":\"admin\",\"mode\":\"sandbox\"} | invalid_parameter | mode",
        "{\"name\":\"abc\",\"role\":\"admin\",\"workspace_id\":\"\"} | invalid_parameter | workspace_id",
        "{\"name\":\"abc\",\"role\":\"admin\",\"workspace_id\":7} | invalid_parameter | workspace_id",
      })
  void aBadFieldIsNamed(String body, String code, String param, Given given) {
    JsonNode error = given.api().send("POST", "/v1/keys", body).isError(400, code);
    assertThat(error.path("param").asText()).isEqualTo(param);
    assertThat(given.api().get("/v1/keys?limit=100").data())
        .extracting(key -> key.path("name").asText())
        .doesNotContain("ab", "abc");
  }

  @Test
  void aNameHas3To60Characters(Given given) {
    given.api().post("/v1/keys", key("ingest").put("name", "k".repeat(61))).isInvalid("name");
    given.api().post("/v1/keys", key("ingest").put("name", "k".repeat(60))).is(201);
    given.api().post("/v1/keys", key("ingest").put("name", "日本語")).is(201);
  }

  @Test
  void aNameIsUniqueAmongActiveKeys(Given given) {
    ObjectNode body = key("ingest");
    JsonNode first = given.api().post("/v1/keys", body).is(201);
    given.api().post("/v1/keys", body).isError(409, "state_conflict");
    given
        .api()
        .post("/v1/keys", body.deepCopy().put("mode", "test"))
        .isError(409, "state_conflict");
    given.api().delete(path(first)).is(200);
    given.api().post("/v1/keys", body).is(201);
    given.anotherTenant().post("/v1/keys", body).is(201);
  }

  @Test
  void aTenantHasAtMost20ActiveKeysOfBothModes(Given given) {
    int active = given.api().get("/v1/keys?status=active&limit=100").data().size();
    List<JsonNode> made = new ArrayList<>();
    for (int at = active; at < 20; at++) {
      String mode = at % 2 == 0 ? "live" : "test";
      made.add(given.api().post("/v1/keys", key("ingest").put("mode", mode)).is(201));
    }
    Answer refused = given.api().post("/v1/keys", key("ingest"));
    refused.isError(429, "quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    given.api().delete(path(made.getFirst())).is(200);
    given.api().post("/v1/keys", key("ingest")).is(201);
  }

  @Test
  void aRevocationIsImmediateAndPermanent(Given given) {
    JsonNode created = given.api().post("/v1/keys", key("read_only")).is(201);
    Api api = given.api().as(created.path("secret").asText());
    api.get("/v1/plans").is(200);
    JsonNode revoked = given.api().delete(path(created)).is(200);
    assertThat(revoked.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("id", "object", "name", "status", "revoked_at");
    assertThat(revoked.path("status").asText()).isEqualTo("revoked");
    api.get("/v1/plans").isError(401, "key_revoked");
    assertThat(given.api().delete(path(created)).is(200)).isEqualTo(revoked);
    assertThat(given.api().get(path(created)).is(200).path("revoked_at"))
        .isEqualTo(revoked.path("revoked_at"));
  }

  @Test
  void aKeyCannotRevokeItselfAsTheLastAdmin(Given given) {
    JsonNode own =
        given.api().get("/v1/keys?status=active&mode=live").data().stream()
            .filter(key -> key.path("role").asText().equals("admin"))
            .findFirst()
            .orElseThrow();
    given.api().delete(path(own)).isError(409, "state_conflict");
    // One is pinned to a workspace, the other is of mode test: neither can stand in for it.
    given.api().post("/v1/keys", key("admin").put("workspace_id", "one")).is(201);
    given.api().post("/v1/keys", key("admin").put("mode", "test")).is(201);
    given.api().delete(path(own)).isError(409, "state_conflict");
    JsonNode second = given.api().post("/v1/keys", key("admin")).is(201);
    Api secondApi = given.api().as(second.path("secret").asText());
    secondApi.delete(path(own)).is(200);
    secondApi.delete(path(second)).isError(409, "state_conflict");
  }

  @Test
  void theListIsFilteredByStatusAndMode(Given given) {
    JsonNode gone = given.api().post("/v1/keys", key("ingest")).is(201);
    given.api().delete(path(gone)).is(200);
    JsonNode test = given.api().post("/v1/keys", key("ingest").put("mode", "test")).is(201);
    assertThat(test.path("secret").asText()).startsWith("sk_test_");
    given.api().get(path(test)).is(200);
    assertThat(given.api().get("/v1/keys").ids())
        .startsWith(test.path("id").asText(), gone.path("id").asText());
    assertThat(given.api().get("/v1/keys?status=revoked").ids())
        .containsExactly(gone.path("id").asText());
    assertThat(given.api().get("/v1/keys?status=active").ids())
        .contains(test.path("id").asText())
        .doesNotContain(gone.path("id").asText());
    assertThat(given.api().get("/v1/keys?mode=test&status=active").data())
        .allMatch(key -> key.path("mode").asText().equals("test"));
    for (String query : List.of("", "?status=active", "?status=active&mode=live")) {
      Lists.hold(given.api(), "/v1/keys" + query, given.api().get("/v1/keys" + query).ids());
    }
    given.api().get("/v1/keys?status=expired").isInvalid("status");
    given.api().get("/v1/keys?mode=both").isInvalid("mode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"read_only", "ingest", "operate", "agent"})
  void onlyAnAdminManagesKeys(String role, Given given) {
    Api api = given.apiOfRole(role);
    api.get("/v1/keys").isError(403, "insufficient_scope");
    api.post("/v1/keys", key("ingest")).isError(403, "insufficient_scope");
  }

  @Test
  void aCallerCannotMakeAKeyWithMoreReach(Given given) {
    given.testApi().post("/v1/keys", key("ingest")).isError(403, "insufficient_scope");
    given.testApi().post("/v1/keys", key("ingest").put("mode", "test")).is(201);
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "one"));
    pinned.post("/v1/keys", key("ingest")).isError(403, "insufficient_scope");
    pinned
        .post("/v1/keys", key("ingest").put("workspace_id", "two"))
        .isError(403, "insufficient_scope");
    JsonNode own = pinned.post("/v1/keys", key("ingest").put("workspace_id", "one")).is(201);
    assertThat(pinned.get("/v1/keys").ids()).startsWith(own.path("id").asText());
  }

  @Test
  void aKeySaysWhenItWasLastUsed(Given given) {
    JsonNode created = given.api().post("/v1/keys", key("read_only")).is(201);
    given.api().as(created.path("secret").asText()).get("/v1/plans").is(200);
    assertThat(given.api().get(path(created)).is(200).path("last_used_at").asText())
        .startsWith("20");
  }

  @ParameterizedTest
  @CsvSource({
    "read_only, events:read operators:read connectors:read plans:read actions:read receipts:read webhooks:read billing:read halts:read",
    "ingest, events:write",
    "operate, events:read operators:read connectors:read plans:read actions:read receipts:read webhooks:read billing:read halts:read events:write plans:approve plans:amend actions:write halts:write",
    "agent, plans:propose plans:read actions:read results:read connectors:read operators:read",
    "admin, events:read operators:read connectors:read plans:read actions:read receipts:read webhooks:read billing:read halts:read events:write plans:approve plans:amend actions:write halts:write people:read people:write operators:write connectors:write webhooks:write keys:read keys:write billing:write plans:propose results:read"
  })
  void aRoleIsExpandedToItsScopes(String role, String scopes, Given given) {
    JsonNode created = given.api().post("/v1/keys", key(role)).is(201);
    List<String> expanded = new ArrayList<>();
    created.path("scopes").forEach(scope -> expanded.add(scope.asText()));
    assertThat(expanded).containsExactlyInAnyOrder(scopes.split(" "));
  }

  /** The pairs of contract, section 4, each with every scope that a list may have beside them. */
  @Test
  void noKeyCombinesProposingDecidingAndConfiguring(Stack stack) {
    Api admin =
        stack.api(
            stack.anotherTenant(null, null, null, Map.of("management.write", 100_000)).live());
    for (String pair :
        List.of(
            "plans:propose plans:approve",
            "plans:propose actions:write",
            "plans:propose operators:write",
            "plans:propose connectors:write",
            "plans:propose halts:write",
            "plans:propose keys:write",
            "plans:approve operators:write",
            "plans:approve connectors:write")) {
      for (Scope third : NewKey.listable()) {
        ObjectNode body = Json.object().put("name", Given.unique("key"));
        for (String scope : (pair + " " + third.wire()).split(" ")) {
          body.withArray("scopes").add(scope);
        }
        JsonNode error = admin.post("/v1/keys", body).isError(400, "invalid_parameter");
        assertThat(error.path("param").asText()).as(pair).startsWith("scopes");
      }
    }
    assertThat(admin.get("/v1/keys?limit=100").data()).hasSize(2);
  }

  @Test
  void anExpiredKeyIsRefusedAndItsNameIsFree(Given given) {
    ObjectNode body = key("read_only");
    Instant end = Instant.now().plusSeconds(6).truncatedTo(ChronoUnit.MILLIS);
    JsonNode created =
        given.api().post("/v1/keys", body.deepCopy().put("expires_at", end.toString())).is(201);
    assertThat(Instant.parse(created.path("expires_at").asText())).isEqualTo(end);
    assertThat(created.path("status").asText()).isEqualTo("active");
    Api api = given.api().as(created.path("secret").asText());
    api.get("/v1/plans").is(200);
    Answer ended =
        Await.until(
            Duration.ofSeconds(20), () -> api.get("/v1/plans"), answer -> answer.status() != 200);
    ended.isError(401, "key_expired");
    assertThat(Instant.now()).isAfterOrEqualTo(end);
    assertThat(given.api().get(path(created)).is(200).path("status").asText()).isEqualTo("revoked");
    assertThat(given.api().get("/v1/keys?status=active&limit=100").ids())
        .doesNotContain(created.path("id").asText());
    assertThat(given.api().get("/v1/keys?status=revoked").ids())
        .contains(created.path("id").asText());
    given.api().post("/v1/keys", body).is(201);
    api.get("/v1/plans").isError(401, "key_expired");
  }

  @Test
  void anAdminKeyCannotBeBoundOrExpire(Given given) {
    ObjectNode bound = key("admin");
    bound.putArray("operator_ids").add(EveryRoute.unknown("operator_id"));
    given.api().post("/v1/keys", bound).isInvalid("operator_ids");
    given
        .api()
        .post("/v1/keys", key("admin").put("expires_at", "2999-01-01T00:00:00Z"))
        .isInvalid("expires_at");
    for (String end : List.of("2001-01-01T00:00:00Z", "tomorrow")) {
      given.api().post("/v1/keys", key("ingest").put("expires_at", end)).isInvalid("expires_at");
    }
  }

  @Test
  void aKeyIsBoundTo20OperatorsAtMost(Given given) {
    ObjectNode body = key("agent");
    ArrayNode operators = body.putArray("operator_ids");
    for (int at = 0; at < 20; at++) {
      operators.add("op_" + "%026d".formatted(at));
    }
    assertThat(given.api().post("/v1/keys", body).is(201).path("operator_ids"))
        .isEqualTo(operators);
    operators.add(EveryRoute.unknown("operator_id"));
    given.api().post("/v1/keys", body).isInvalid("operator_ids");
    operators.removeAll().add("cn_" + "0".repeat(26));
    given.api().post("/v1/keys", body).isInvalid("operator_ids[0]");
    operators.removeAll();
    given.api().post("/v1/keys", body).isInvalid("operator_ids");
  }

  @Test
  void aKeyNamesItsMakerAndOnlyAnAdminSetsItsOwner(Given given) {
    JsonNode created = given.api().post("/v1/keys", key("operate").put("owner", "dana")).is(201);
    assertThat(created.path("owner").asText()).isEqualTo("dana");
    given.api().post("/v1/keys", key("operate").put("owner", "")).isInvalid("owner");
    assertThat(created.at("/created_by/type").asText()).isEqualTo("key");
    assertThat(given.api().get("/v1/keys?limit=100").ids())
        .contains(created.at("/created_by/id").asText());
    ObjectNode eve = Json.object().put("owner", "eve");
    Api own = given.api().as(created.path("secret").asText());
    own.patch(path(created), eve).isError(403, "insufficient_scope");
    assertThat(given.api().patch(path(created), eve).is(200).path("owner").asText())
        .isEqualTo("eve");
    assertThat(given.api().get(path(created)).is(200).path("owner").asText()).isEqualTo("eve");
    ObjectNode nobody = Json.object().putNull("owner");
    assertThat(given.api().patch(path(created), nobody).is(200).path("owner").isNull()).isTrue();
    own.get("/v1/plans").is(200);
  }
}
