package io.actiongovernance.localstack.acceptance.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.SomeIssuer;
import io.actiongovernance.localstack.acceptance.receipt.ConfigReceiptsSpec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the people of a tenant sign in (contract for people, section 1). */
@Acceptance
final class IdentityProvidersSpec {
  private static final String PROVIDERS = "/v1/identity_providers";
  private static final String SECRET = "a-secret-of-ours";

  private final SomeIssuer issuer = new SomeIssuer();

  @AfterEach
  void close() {
    issuer.close();
  }

  private ObjectNode wanted() {
    ObjectNode body =
        Json.object()
            .put("issuer", issuer.url())
            .put("client_id", "governance")
            .put("client_secret", SECRET);
    body.putArray("role_bindings").addObject().put("group", "admins").put("role", "admin");
    return body;
  }

  private JsonNode made(Api api) {
    return api.post(PROVIDERS, wanted()).is(201);
  }

  private static String path(JsonNode provider) {
    return PROVIDERS + "/" + provider.path("id").asText();
  }

  private static JsonNode newestReceipt(Api api) {
    return api.get("/v1/receipts?kind=config").data().getFirst();
  }

  @Test
  void aProviderIsMadeReadChangedAndDeletedWithReceipts(Given given) {
    Api api = given.anotherTenant();
    JsonNode provider = made(api);
    assertThat(provider.path("scopes").toString()).isEqualTo("[\"openid\",\"profile\",\"email\"]");
    assertThat(provider.path("groups_claim").asText()).isEqualTo("groups");
    assertThat(provider.path("has_client_secret").asBoolean()).isTrue();
    String signIn = api.baseUrl() + "/v1/sign_in/" + provider.path("id").asText();
    assertThat(provider.path("sign_in_url").asText()).isEqualTo(signIn);
    assertThat(provider.path("redirect_uri").asText()).isEqualTo(signIn + "/callback");
    assertThat(api.get(path(provider)).is(200)).isEqualTo(provider);
    assertThat(api.get(PROVIDERS).data()).containsExactly(provider);
    JsonNode receipt = newestReceipt(api);
    assertThat(receipt.at("/target/type").asText()).isEqualTo("identity_provider");
    assertThat(receipt.at("/change/after_sha256").asText())
        .isEqualTo(ConfigReceiptsSpec.hash(provider));

    ObjectNode change = Json.object().put("client_secret", "another-secret");
    change.putArray("role_bindings").addObject().put("group", "desk").put("role", "operate");
    JsonNode changed = api.patch(path(provider), change).is(200);
    assertThat(changed.at("/role_bindings/0/group").asText()).isEqualTo("desk");
    assertThat(newestReceipt(api).at("/change/fields").toString())
        .contains("role_bindings", "client_secret");
    String count = api.get("/v1/receipts?kind=config&limit=100").ids().toString();
    api.patch(path(provider), change).is(200);
    assertThat(api.get("/v1/receipts?kind=config&limit=100").ids().toString())
        .as("the same again is no change")
        .isEqualTo(count);

    api.delete(path(provider)).is(200);
    assertThat(newestReceipt(api).at("/change/after_sha256").isNull()).isTrue();
    api.get(path(provider)).isError(404, "not_found");
    api.delete(path(provider)).isError(404, "not_found");
    made(api);
  }

  @Test
  void noAnswerShowsTheSecret(Given given) {
    Api api = given.anotherTenant();
    Answer made = api.post(PROVIDERS, wanted());
    assertThat(made.is(201).path("has_client_secret").asBoolean()).isTrue();
    assertThat(made.text() + api.get(PROVIDERS).text() + api.get("/v1/receipts").text())
        .doesNotContain(SECRET);
    JsonNode without = api.patch(path(made.json()), Json.object().putNull("client_secret")).is(200);
    assertThat(without.path("has_client_secret").asBoolean()).isFalse();
  }

  @Test
  void eachTenantAndModeHasOneProvider(Given given) {
    Api api = given.anotherTenant();
    JsonNode provider = made(api);
    api.post(PROVIDERS, wanted()).isError(409, "state_conflict");
    Api other = given.anotherTenant();
    other.get(path(provider)).isError(404, "not_found");
    other.patch(path(provider), Json.object()).isError(404, "not_found");
    other.delete(path(provider)).isError(404, "not_found");
    made(other);
  }

  @Test
  void anIssuersMetadataMustMatchTheRequest(Given given) {
    Api api = given.anotherTenant();
    issuer.spoil(metadata -> metadata.put("issuer", "https://another.example"));
    api.post(PROVIDERS, wanted()).isInvalid("issuer");
    issuer.spoil(metadata -> metadata.put("jwks_uri", "ftp://127.0.0.1/keys"));
    api.post(PROVIDERS, wanted()).isInvalid("issuer");
    issuer.spoil(metadata -> metadata.remove("token_endpoint"));
    api.post(PROVIDERS, wanted()).isInvalid("issuer");
    issuer.spoil(
        metadata -> metadata.putArray("id_token_signing_alg_values_supported").add("HS256"));
    api.post(PROVIDERS, wanted()).isInvalid("issuer");
    issuer.spoil(_ -> {});
    issuer.answering(500);
    api.post(PROVIDERS, wanted()).isError(502, "connector_upstream_error");
    assertThat(api.get(PROVIDERS).data()).isEmpty();
  }

  @Test
  void aFieldThatBreaksItsRuleIsNamed(Given given) {
    Api api = given.anotherTenant();
    for (String bad :
        List.of("http://[", "issuer", "https://a.example?x=1", "https://u@a.example", "ftp://a")) {
      api.post(PROVIDERS, wanted().put("issuer", bad)).isInvalid("issuer");
    }
    ObjectNode scopes = wanted();
    scopes.putArray("scopes").add("email");
    api.post(PROVIDERS, scopes).isInvalid("scopes");
    ObjectNode twice = wanted();
    twice.withArray("role_bindings").addObject().put("group", "admins").put("role", "admin");
    api.post(PROVIDERS, twice).isInvalid("role_bindings[1]");
    ObjectNode role = wanted();
    role.withArray("role_bindings").addObject().put("group", "desk").put("role", "king");
    api.post(PROVIDERS, role).isInvalid("role_bindings[1].role");
    ObjectNode agents = wanted();
    agents
        .putArray("agent_clients")
        .addObject()
        .put("client_id", "agent")
        .putArray("operator_ids")
        .add("op_" + "0".repeat(26));
    api.post(PROVIDERS, agents).isInvalid("agent_clients[0].operator_ids[0]");
    assertThat(api.get(PROVIDERS).data()).isEmpty();
  }

  @Test
  void aNewIssuerNeedsItsOwnClientSecret(Given given) {
    Api api = given.anotherTenant();
    JsonNode provider = made(api);
    try (SomeIssuer other = new SomeIssuer()) {
      ObjectNode moved = Json.object().put("issuer", other.url());
      JsonNode error = api.patch(path(provider), moved).isError(400, "missing_parameter");
      assertThat(error.path("param").asText()).isEqualTo("client_secret");
      JsonNode now = api.patch(path(provider), moved.put("client_secret", "its-own")).is(200);
      assertThat(now.path("issuer").asText()).isEqualTo(other.url());
    }
  }

  @Test
  void onlyAdministratorsOfTheWholeTenantManageProviders(Given given) {
    given.apiOfRole("operate").get(PROVIDERS).isError(403, "insufficient_scope");
    Api pinned =
        given.apiWith(Json.object().put("role", "admin").put("workspace_id", Given.unique("ws")));
    pinned.post(PROVIDERS, wanted()).isError(403, "insufficient_scope");
    assertThat(pinned.get(PROVIDERS).data()).isEmpty();
  }
}
