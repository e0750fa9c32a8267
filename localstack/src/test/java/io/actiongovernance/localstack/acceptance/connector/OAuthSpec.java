package io.actiongovernance.localstack.acceptance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Authority;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.receipt.ConfigReceiptsSpec;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Listings that are authorised with OAuth 2.0, against an authorisation server that checks what it
 * is asked (contract, section 5: {@code pending_auth} until authorised).
 */
@Acceptance
final class OAuthSpec {
  /** As long as a token lives that is to be expired soon. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final String CALLBACK = "/v1/oauth/callback";

  private final Authority authority = new Authority();

  @AfterEach
  void close() {
    authority.close();
    assertThat(authority.complaints()).isEmpty();
  }

  private ObjectNode asana() {
    ObjectNode body =
        Json.object().put("listing_id", "cn-asana").put("name", Given.unique("tasks"));
    body.set("config", config(authority));
    body.putObject("credentials")
        .put("type", "oauth2")
        .put("client_id", Authority.CLIENT)
        .put("client_secret", authority.clientSecret);
    return body;
  }

  private static ObjectNode config(Authority authority) {
    ObjectNode config = Json.object().put("base_url", authority.url());
    config
        .putObject("oauth2")
        .put("authorization_url", authority.url() + "/authorize?prompt=consent")
        .put("token_url", authority.url() + "/token")
        .put("token_endpoint_auth", "client_secret_basic")
        .putArray("scopes")
        .add("tasks:read")
        .add("tasks:write");
    return config;
  }

  private static String path(JsonNode connector) {
    return "/v1/connectors/" + connector.path("id").asText();
  }

  private static Authority.Back consent(Given given, JsonNode connector)
      throws IOException, InterruptedException {
    return Authority.consent(given.api(), connector.path("authorization_url").asText());
  }

  /** What a browser is answered that has opened no address. */
  private static Answer browse(Given given, String path) {
    return given.api().as(null).get(path);
  }

  private Answer authorize(Given given, JsonNode connector)
      throws IOException, InterruptedException {
    return consent(given, connector).come(given.api());
  }

  private JsonNode authorized(Given given) throws IOException, InterruptedException {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    Answer done = authorize(given, connector);
    assertThat(done.status()).as(done.text()).isEqualTo(200);
    assertThat(done.header("Content-Type")).startsWith("text/html");
    assertThat(done.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
    assertThat(done.header("X-Content-Type-Options")).isEqualTo("nosniff");
    return given.api().get(path(connector)).is(200);
  }

  @Test
  void aConnectorIsPendingUntilItsOwnerHasAuthorizedIt(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    assertThat(connector.path("status").asText()).isEqualTo("pending_auth");
    assertThat(connector.path("authorization_url").asText())
        .startsWith(given.api().baseUrl() + "/v1/oauth/authorize?state=");
    given.api().post(path(connector) + "/test").isError(409, "state_conflict");
    assertThat(given.api().get(path(connector)).is(200).path("authorization_url").isNull())
        .isTrue();
    assertThat(given.api().get("/v1/connectors?status=pending_auth").ids())
        .containsExactly(connector.path("id").asText());

    Answer done = authorize(given, connector);

    assertThat(done.status()).as(done.text()).isEqualTo(200);
    JsonNode now = given.api().get(path(connector)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("connected");
    given.api().post(path(connector) + "/test").is(200);
    for (String secret : authority.granted()) {
      assertThat(now.toString() + done.text()).doesNotContain(secret);
    }
  }

  /** The browser has no key: it completes what a key began. */
  @Test
  void anAuthorizationIsReceiptedForTheKeyThatBeganIt(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    ObjectNode body = Json.object().put("name", Given.unique("owner"));
    body.putArray("scopes").add("connectors:read").add("connectors:write");
    JsonNode key = given.api().post("/v1/keys", body).is(201);
    Api owner = given.api().as(key.path("secret").asText());
    JsonNode begun = owner.post(path(connector) + "/authorize").is(200);
    JsonNode before = given.api().get(path(connector)).is(200);

    Answer done = authorize(given, begun);

    JsonNode receipt = given.api().get("/v1/receipts?kind=config").data().getFirst();
    assertThat(receipt.at("/target/id")).isEqualTo(connector.path("id"));
    assertThat(receipt.at("/change/fields").toString()).contains("credentials", "status");
    assertThat(receipt.at("/change/before_sha256").asText())
        .isEqualTo(ConfigReceiptsSpec.hash(before));
    assertThat(receipt.at("/change/after_sha256").asText())
        .isEqualTo(ConfigReceiptsSpec.hash(given.api().get(path(connector)).is(200)));
    assertThat(receipt.path("request_id").asText()).isEqualTo(done.header("X-Request-Id"));
    assertThat(receipt.at("/decided_by/0/id")).isEqualTo(key.path("id"));
    JsonNode again = owner.post(path(connector) + "/authorize").is(200);
    Authority.Back back = consent(given, again);
    given.api().delete("/v1/keys/" + key.path("id").asText()).is(200);
    back.come(given.api()).isInvalid("state");
  }

  @Test
  void aStateIsSingleUseAndCannotBeForged(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    Authority.Back back = consent(given, connector);
    String state = String.valueOf(Authority.parameters(URI.create(back.path())).get("state"));
    String other = state.charAt(40) == 'A' ? "B" : "A";
    for (String bad :
        List.of(
            "?code=x&state=x",
            "?code=x&state=",
            "?code=x&state=" + state.substring(1),
            "?code=x&state=" + state.substring(0, 40) + other + state.substring(41))) {
      browse(given, CALLBACK + bad).isInvalid("state");
    }
    assertThat(browse(given, CALLBACK).isError(400, "missing_parameter").path("param").asText())
        .isEqualTo("state");
    browse(given, CALLBACK + "?state=" + state).isError(400, "missing_parameter");
    browse(given, CALLBACK + "?unknown=1").isInvalid("unknown");

    assertThat(back.come(given.api()).status()).isEqualTo(200);
    back.come(given.api()).isInvalid("state");

    // A new one of this connector ends the one before, and is of no use to another connector.
    JsonNode again = given.api().post(path(connector) + "/authorize").is(200);
    Authority.Back first = consent(given, again);
    JsonNode oncemore = given.api().post(path(connector) + "/authorize").is(200);
    first.come(given.api()).isInvalid("state");
    assertThat(authorize(given, oncemore).status()).isEqualTo(200);
  }

  @Test
  void onlyTheBrowserThatOpenedTheAddressCanReturn(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    Authority.Back back = consent(given, connector);
    Authority.Back elsewhere = consent(given, connector);
    for (String shown :
        List.of("", elsewhere.cookie(), back.cookie() + "; " + elsewhere.cookie())) {
      new Authority.Back(back.path(), shown).come(given.api()).isInvalid("state");
    }
    String spoken = back.path() + "&iss=" + Api.encode("https://evil.example");
    new Authority.Back(spoken, back.cookie()).come(given.api()).isInvalid("iss");
    assertThat(back.come(given.api()).status()).isEqualTo(200);
    elsewhere.come(given.api()).isInvalid("state");
  }

  @Test
  void aBrowserFromAnotherSiteIsShownTheConnectorsTenant(Given given) {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    JsonNode me = given.api().get("/v1/me").is(200);
    String address = given.api().path(URI.create(connector.path("authorization_url").asText()));
    String path =
        address + "?" + URI.create(connector.path("authorization_url").asText()).getRawQuery();
    for (String site : List.of("cross-site", "same-site", "none")) {
      Answer page = given.api().as(null).get(path, "Sec-Fetch-Site", site, "Accept", "text/html");
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.header("Set-Cookie")).isEmpty();
      assertThat(page.text())
          .contains(
              connector.path("name").asText(),
              me.path("tenant_id").asText(),
              me.at("/principal/name").asText(),
              "127.0.0.1",
              path);
    }
    Answer gone = given.api().as(null).get(path, "Sec-Fetch-Site", "same-origin");
    assertThat(gone.status()).isEqualTo(302);
    assertThat(gone.header("Location")).startsWith(authority.url());
    browse(given, address + "?state=x").isInvalid("state");
    browse(given, address).isError(400, "missing_parameter");
  }

  @Test
  void aStateAuthorizesOnlyItsOwnConnector(Given given) throws Exception {
    JsonNode mine = given.api().post("/v1/connectors", asana()).is(201);
    JsonNode other = given.api().post("/v1/connectors", asana()).is(201);
    authorize(given, other);
    assertThat(given.api().get(path(mine)).is(200).path("status").asText())
        .isEqualTo("pending_auth");
    assertThat(given.api().get(path(other)).is(200).path("status").asText()).isEqualTo("connected");
  }

  @Test
  void aRefusedAuthorizationIsReportedAndMayBeRetried(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    Authority.Back consented = consent(given, connector);
    String path = consented.path().replaceFirst("code=[^&]*", "error=access_denied");
    Answer refused = new Authority.Back(path, consented.cookie()).come(given.api());
    refused.isError(422, "auth_failed");
    assertThat(refused.text()).contains("access_denied");
    JsonNode now = given.api().get(path(connector)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("pending_auth");
    assertThat(now.path("status_reason").asText()).contains("access_denied");
    JsonNode again = given.api().post(path(connector) + "/authorize").is(200);
    assertThat(authorize(given, again).status()).isEqualTo(200);
  }

  @Test
  void aFailingOrRejectingServerLeavesTheConnectorPending(Given given) throws Exception {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    authority.failing(503);
    authorize(given, connector).isError(502, "connector_upstream_error");
    authority.failing(0);
    ObjectNode wrong = Json.object();
    wrong
        .putObject("credentials")
        .put("type", "oauth2")
        .put("client_id", Authority.CLIENT)
        .put("client_secret", "wrong-secret-0123");
    JsonNode patched = given.api().patch(path(connector), wrong).is(200);
    authorize(given, patched).isError(422, "auth_failed");
    JsonNode now = given.api().get(path(connector)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("pending_auth");
    assertThat(now.path("status_reason").asText()).contains("invalid_client");
  }

  @Test
  void beginningAnAuthorizationNeedsTheWriteScope(Given given) {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    given
        .apiOfScopes("connectors:read")
        .post(path(connector) + "/authorize")
        .isError(403, "insufficient_scope");
    given.anotherTenant().post(path(connector) + "/authorize").isError(404, "not_found");
    given
        .api()
        .post("/v1/connectors/" + given.connector() + "/authorize")
        .isError(409, "state_conflict");
  }

  @Test
  void callsUseTheTokenWhichIsNeverShown(Given given) throws Exception {
    JsonNode connector = authorized(given);
    Operator operator = operator(given, connector);
    Operator.Plan plan = comment(operator, "1").await("executed");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("upstream_reference").asText()).isNotEmpty();
    for (String secret : authority.granted()) {
      assertThat(EveryRoute.everything(given.api()) + receipt + plan.json()).doesNotContain(secret);
    }
  }

  private static Operator operator(Given given, JsonNode connector) {
    return given.operatorOf(
        given.api(),
        connector.path("id").asText(),
        Json.object(),
        Given.allow("asana.comment.add"));
  }

  private static Operator.Plan comment(Operator operator, String task) {
    return operator.propose(
        operator.action(
            "asana.comment.add",
            "task:" + task,
            Json.object().put("task", task).put("text", "Done.")));
  }

  @Test
  void manyCallsAtOnceRenewAnExpiredTokenOnce(Given given) throws Exception {
    authority.lifetime(SHORT);
    JsonNode connector = authorized(given);
    Await.pause(SHORT);
    int before = authority.refreshes();
    authority.lifetime(Duration.ofHours(1));
    Operator operator = operator(given, connector);
    List<Operator.Plan> plans = Together.all(8, at -> comment(operator, String.valueOf(100 + at)));
    for (Operator.Plan plan : plans) {
      assertThat(plan.await("executed").receipt(0).path("outcome").asText()).isEqualTo("applied");
    }
    assertThat(authority.refreshes()).isEqualTo(before + 1);
    assertThat(given.api().get(path(connector)).is(200).path("status").asText())
        .isEqualTo("connected");
  }

  @Test
  void everyRotatedRefreshTokenIsKept(Given given) throws Exception {
    authority.lifetime(SHORT);
    JsonNode connector = authorized(given);
    for (int at = 0; at < 3; at++) {
      Await.pause(SHORT);
      given.api().post(path(connector) + "/test").is(200);
    }
    assertThat(authority.refreshes()).isEqualTo(3);
  }

  @Test
  void aTokenRejectedBeforeItsTimeIsRenewedAndTheCallMade(Given given) throws Exception {
    JsonNode connector = authorized(given);
    authority.revokeAccess();
    Operator operator = operator(given, connector);
    JsonNode receipt = comment(operator, "1").await("executed").receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(authority.refreshes()).isEqualTo(1);
  }

  @Test
  void aRejectedRefreshIsAnErrorUntilTheNextAuthorization(Given given) throws Exception {
    JsonNode connector = authorized(given);
    authority.revokeAll();
    Operator operator = operator(given, connector);
    JsonNode failed = comment(operator, "1").await("executed").receipt(0);
    assertThat(failed.path("outcome").asText()).isEqualTo("failed");
    assertThat(failed.path("error").asText()).contains("invalid_grant");
    JsonNode now = given.api().get(path(connector)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("error");
    given.api().post(path(connector) + "/test").isError(422, "auth_failed");

    JsonNode again = given.api().post(path(connector) + "/authorize").is(200);
    assertThat(again.path("status").asText()).isEqualTo("error");
    assertThat(authorize(given, again).status()).isEqualTo(200);

    assertThat(given.api().get(path(connector)).is(200).path("status").asText())
        .isEqualTo("connected");
    assertThat(comment(operator, "2").await("executed").receipt(0).path("outcome").asText())
        .isEqualTo("applied");
  }

  @Test
  void aCallOfAPendingConnectorFailsWithoutBeingMade(Given given) {
    JsonNode connector = given.api().post("/v1/connectors", asana()).is(201);
    Operator operator = operator(given, connector);
    JsonNode receipt = comment(operator, "1").await("executed").receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("failed");
    assertThat(receipt.path("error").asText()).contains("waiting to be authorised");
    assertThat(authority.calls()).isZero();
  }

  @Test
  void oauthListingsNameTheirAuthorizationUrl(Given given) {
    Map<String, String> where =
        Map.of(
            "cn-asana", "https://app.asana.com/-/oauth_authorize",
            "cn-hubspot", "https://app.hubspot.com/oauth/authorize");
    where.forEach(
        (id, url) ->
            assertThat(
                    given
                        .api()
                        .get("/v1/marketplace/listings/" + id)
                        .is(200)
                        .at("/oauth2/authorization_url")
                        .asText())
                .isEqualTo(url));
    assertThat(
            given.api().get("/v1/marketplace/listings/cn-github").is(200).path("oauth2").isNull())
        .isTrue();
  }
}
