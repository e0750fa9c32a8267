package io.actiongovernance.localstack.acceptance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.functions.mcp.McpRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.SomeIssuer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents that come by an access token of their issuer (contract for people, section 7). */
@Acceptance
final class AgentTokensSpec {
  private static final String CLIENT = "refund-agent";
  private static final String REFUND = "pay_refund_create";
  private static final String SUBJECT = "248289761001";

  private final SomeIssuer issuer = new SomeIssuer();

  @AfterEach
  void close() {
    issuer.close();
  }

  /** A tenant with an operator that its client may propose for, and an issuer. */
  private record Desk(Given given, SomeIssuer issuer, Api api, Operator operator) {
    static Desk of(Given given, SomeIssuer issuer, ObjectNode... guardrails) {
      Api api = given.anotherTenant();
      Operator operator =
          given.operatorOf(api, given.install(api, null), Json.object(), guardrails);
      Desk desk = new Desk(given, issuer, api, operator);
      ObjectNode body = Json.object().put("issuer", issuer.url()).put("client_id", "governance");
      body.set("agent_clients", desk.clients(CLIENT, operator));
      body.putArray("role_bindings").addObject().put("group", "admins").put("role", "admin");
      api.post("/v1/identity_providers", body).is(201);
      return desk;
    }

    JsonNode clients(String client, Operator... operators) {
      ObjectNode holder = Json.object();
      var ids =
          holder.putArray("clients").addObject().put("client_id", client).putArray("operator_ids");
      for (Operator one : operators) {
        ids.add(one.id());
      }
      return holder.path("clients");
    }

    void name(JsonNode clients) {
      ObjectNode change = Json.object();
      change.set("agent_clients", clients);
      String id = api.get("/v1/identity_providers").ids().getFirst();
      api.patch("/v1/identity_providers/" + id, change).is(200);
    }

    Gateway gateway() {
      return Gateway.of(api, operator);
    }

    String resource() {
      return api.baseUrl() + gateway().path();
    }

    AccessToken token() {
      return new AccessToken(issuer, CLIENT, SUBJECT, resource());
    }

    Gateway as(AccessToken token) {
      return as(token.text());
    }

    Gateway as(@Nullable String shown) {
      return gateway().as(api.as(shown));
    }

    Answer listing(@Nullable String shown) {
      Gateway gateway = as(shown);
      return gateway.send(gateway.modern("tools/list", Json.object()));
    }

    Answer listing(AccessToken token) {
      return listing(token.text());
    }

    void takesNot(AccessToken token, String why) {
      JsonNode error = listing(token).isError(401, "unauthenticated");
      assertThat(error.path("message").asText()).contains(why);
    }

    String metadata() {
      return "/.well-known/oauth-protected-resource" + gateway().path();
    }

    /** The cookie of a browser in which somebody signs in at the issuer. */
    String signedIn(String subject) {
      issuer.claiming(claims -> claims.subject(subject));
      Api nobody = api.as(null);
      String provider = api.get("/v1/identity_providers").ids().getFirst();
      Answer away = nobody.get("/v1/sign_in/" + provider);
      String location = away.header("Location");
      String back =
          "/v1/sign_in/%s/callback?state=%s&code=%s"
              .formatted(provider, SomeIssuer.query(location).get("state"), issuer.code(location));
      Answer signedIn = nobody.get(back, "Cookie", cookie(away));
      assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(302);
      return cookie(signedIn);
    }

    private static String cookie(Answer answer) {
      return answer.header("Set-Cookie").split(";", 2)[0];
    }

    Answer approve(String plan, String cookie) {
      return api.as(null)
          .post(
              "/v1/plans/" + plan + "/approve",
              Json.object(),
              "Cookie",
              cookie,
              "Sec-Fetch-Site",
              "same-origin");
    }

    ObjectNode person() {
      ObjectNode body = Json.object().put("name", "Dana Reyes").put("subject", SUBJECT);
      body.putArray("bindings").addObject().put("role", "operate");
      return (ObjectNode) api.post("/v1/people", body).is(201);
    }
  }

  private static ObjectNode charge(String charge) {
    return Json.object().put("charge", charge).put("amount", "5.00");
  }

  // What an agent may.

  @Test
  void anAgentOfAnIssuerListsCallsAndIsReceipted(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    Gateway agent = desk.as(desk.token());
    JsonNode hello = agent.before("initialize", Json.object().put("protocolVersion", "2025-11-25"));
    assertThat(hello.path("protocolVersion").asText()).isEqualTo("2025-11-25");
    assertThat(
            agent
                .before("tools/list", Json.object())
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asText()))
        .contains(REFUND);
    JsonNode result = agent.call(REFUND, charge("1"));
    assertThat(result.path("isError").asBoolean()).isFalse();
    assertThat(given.upstream().effects()).hasSize(1);

    JsonNode plan = desk.api().get("/v1/plans/" + Gateway.planId(result)).is(200);
    JsonNode by = plan.path("proposed_by");
    assertThat(by.path("type").asText()).isEqualTo("agent");
    assertThat(by.path("id").asText()).matches("agt_[0-9a-f]{32}");
    assertThat(by.path("name").asText()).isEqualTo(CLIENT);
    assertThat(by.at("/on_behalf_of/issuer").asText()).isEqualTo(issuer.url());
    assertThat(by.at("/on_behalf_of/subject").asText()).isEqualTo(SUBJECT);
    JsonNode receipt =
        desk.api()
            .get("/v1/receipts?kind=action&operator_id=" + desk.operator().id())
            .data()
            .getFirst();
    assertThat(receipt.path("proposed_by")).isEqualTo(by);
  }

  @Test
  void onlyItsAgentFollowsAndWithdrawsAHeldPlan(Given given) {
    Desk desk = Desk.of(given, issuer, Given.alert(Given.REFUND));
    JsonNode held = desk.as(desk.token()).call(REFUND, charge("2"));
    String plan = held.at("/structuredContent/plan_id").asText();
    assertThat(Gateway.status(desk.as(desk.token()).plan(plan))).isEqualTo("held");
    AccessToken another = new AccessToken(issuer, CLIENT, "another", desk.resource());
    Gateway other = desk.as(another);
    JsonNode unknown =
        other
            .send(
                other.modern(
                    "tools/call",
                    Gateway.called("governance_plan", Json.object().put("plan_id", plan))))
            .is(200);
    assertThat(unknown.toString()).doesNotContain("held");
    ObjectNode withdrawing = Json.object().put("plan_id", plan).put("reason", "A mistake.");
    desk.as(desk.token()).call("governance_withdraw", withdrawing);
    JsonNode now = desk.api().get("/v1/plans/" + plan).is(200);
    assertThat(now.path("status").asText()).isEqualTo("vetoed");
    assertThat(now.at("/vetoed_by_principal/on_behalf_of/subject").asText()).isEqualTo(SUBJECT);
  }

  @Test
  void tokensOfTypeJwtOrWithoutATypeAreAccepted(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    desk.listing(desk.token().ofType("JWT")).is(200);
    desk.listing(desk.token().ofType(null)).is(200);
    desk.listing(desk.token().saying("client_id", null).saying("azp", CLIENT)).is(200);
    List<String> both = List.of("https://graph.acme.example", desk.resource());
    desk.listing(desk.token().audience(both)).is(200);
  }

  // What is not taken.

  @Test
  void aTokenForAnotherGatewayIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    Operator second =
        given.operatorOf(
            desk.api(), desk.operator().connector(), Json.object(), Given.allow(Given.REFUND));
    desk.name(desk.clients(CLIENT, desk.operator(), second));
    String other = desk.api().baseUrl() + Gateway.of(desk.api(), second).path();
    desk.takesNot(new AccessToken(issuer, CLIENT, SUBJECT, other), "audience");
    for (String near :
        List.of(
            desk.resource() + "/",
            desk.api().baseUrl().toString(),
            desk.resource().toUpperCase(java.util.Locale.ROOT),
            CLIENT,
            "governance")) {
      desk.takesNot(new AccessToken(issuer, CLIENT, SUBJECT, near), "audience");
    }
  }

  @Test
  void aTokenOfAnotherTenantsIssuerIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    try (SomeIssuer theirs = new SomeIssuer()) {
      Desk other = Desk.of(given, theirs, Given.allow(Given.REFUND));
      desk.takesNot(new AccessToken(theirs, CLIENT, SUBJECT, desk.resource()), "signed");
      desk.takesNot(
          new AccessToken(theirs, CLIENT, SUBJECT, desk.resource()).saying("iss", issuer.url()),
          "signed");
      desk.takesNot(desk.token().saying("iss", theirs.url()), "another issuer");
      other.takesNot(desk.token(), "signed");
    }
  }

  @Test
  void aTokenNotSignedByItsIssuerIsRefused(Given given) throws JOSEException {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    ECKey another = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
    ECKey unknown = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
    desk.takesNot(desk.token().signedBy(another), "signed");
    desk.takesNot(desk.token().signedBy(unknown), "signed");
    desk.listing(new PlainJWT(desk.token().claims()).serialize()).isError(401, "unauthenticated");

    byte[] publicKey = issuer.key().toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
    SignedJWT byPublicKey =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build(), desk.token().claims());
    byPublicKey.sign(new MACSigner(publicKey));
    desk.listing(byPublicKey.serialize()).isError(401, "unauthenticated");

    String good = desk.token().text();
    String[] parts = good.split("\\.");
    desk.listing(parts[0] + "." + parts[1] + ".").isError(401, "unauthenticated");
    desk.listing(
            parts[0]
                + "."
                + desk.token().saying("sub", "x").text().split("\\.")[1]
                + "."
                + parts[2])
        .isError(401, "unauthenticated");
    desk.listing("a.b.c").isError(401, "unauthenticated");
    desk.listing(good).is(200);
  }

  @Test
  void anExpiredOrNotYetValidTokenIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    desk.takesNot(desk.token().expiring(Instant.now().minusSeconds(5)), "expired");
    desk.takesNot(desk.token().saying("exp", null), "no expiry time");
    long later = Instant.now().plusSeconds(600).getEpochSecond();
    desk.takesNot(desk.token().saying("nbf", later), "not valid yet");
    desk.takesNot(desk.token().saying("iat", later), "not valid yet");
  }

  @Test
  void otherKindsOfTokensAreRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    desk.takesNot(desk.token().ofType("JWT").saying("nonce", "n-0S6"), "ID token");
    desk.takesNot(desk.token().ofType("JWT").saying("at_hash", "x"), "ID token");
    desk.takesNot(desk.token().ofType("logout+jwt"), "signed");
    ObjectNode bound = Json.object().put("jkt", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I");
    desk.takesNot(
        desk.token().saying("cnf", Json.read(bound.toString(), java.util.Map.class)), "bound");
    desk.takesNot(desk.token().saying("sub", null), "subject");
    desk.takesNot(desk.token().saying("client_id", null), "client");
    desk.takesNot(desk.token().saying("azp", "another"), "client");
  }

  @Test
  void aClientNotNamedForTheOperatorIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    Answer stranger = desk.listing(new AccessToken(issuer, "another", SUBJECT, desk.resource()));
    stranger.isError(403, "insufficient_scope");
    Operator second =
        given.operatorOf(
            desk.api(), desk.operator().connector(), Json.object(), Given.allow(Given.REFUND));
    Gateway gateway = Gateway.of(desk.api(), second);
    String token =
        new AccessToken(issuer, CLIENT, SUBJECT, desk.api().baseUrl() + gateway.path()).text();
    Gateway agent = gateway.as(desk.api().as(token));
    agent.send(agent.modern("tools/list", Json.object())).isError(403, "insufficient_scope");
    desk.name(desk.clients(CLIENT, desk.operator(), second));
    agent.send(agent.modern("tools/list", Json.object())).is(200);
    desk.name(desk.clients("renamed", second));
    desk.listing(desk.token()).isError(403, "insufficient_scope");
  }

  @Test
  void withoutAProviderEveryTokenIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    desk.listing(desk.token()).is(200);
    String id = desk.api().get("/v1/identity_providers").ids().getFirst();
    desk.api().delete("/v1/identity_providers/" + id).is(200);
    Answer answer = desk.listing(desk.token());
    answer.isError(401, "unauthenticated");
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    desk.api().as(null).get(desk.metadata()).isError(404, "not_found");
    Gateway unknown =
        new Gateway(desk.api().as(desk.token().text()), EveryRoute.unknown("operator_id"), "{}");
    unknown.send(unknown.modern("tools/list", Json.object())).isError(401, "unauthenticated");
  }

  @Test
  void anAgentTokenIsRefusedOnEveryOtherRoute(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    Api agent = desk.api().as(desk.token().text());
    for (Route route : EveryRoute.governed()) {
      if (!route.equals(McpRoutes.SEND_MESSAGE)) {
        int status = EveryRoute.send(agent, route).status();
        // Those of addresses are refused besides once there were many.
        assertThat(status).as("%s", route).isIn(401, 429);
      }
    }
    agent.get("/v1/me").isError(401, "key_invalid");
  }

  // The person behind it.

  @Test
  void theAgentOfASuspendedPersonIsRefused(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    desk.listing(desk.token()).is(200);
    String person = "/v1/people/" + desk.person().path("id").asText();
    desk.listing(desk.token()).is(200);
    desk.api().patch(person, Json.object().put("status", "suspended")).is(200);
    desk.listing(desk.token()).isError(401, "key_suspended");
    desk.listing(new AccessToken(issuer, CLIENT, "another", desk.resource())).is(200);
    desk.api().patch(person, Json.object().put("status", "active")).is(200);
    desk.listing(desk.token()).is(200);
  }

  @Test
  void aPersonsKeyCannotApproveTheirAgentsPlans(Given given) {
    Desk desk = Desk.of(given, issuer, Given.alert(Given.REFUND));
    String early =
        desk.as(desk.token()).call(REFUND, charge("e")).at("/structuredContent/plan_id").asText();
    String person = desk.person().path("id").asText();
    String late =
        desk.as(desk.token()).call(REFUND, charge("l")).at("/structuredContent/plan_id").asText();
    Api own =
        desk.api()
            .as(
                desk.api()
                    .post(
                        "/v1/keys",
                        Json.object()
                            .put("name", "dana")
                            .put("role", "operate")
                            .put("owner", person))
                    .is(201)
                    .path("secret")
                    .asText());
    for (String plan : List.of(early, late)) {
      own.post("/v1/plans/" + plan + "/approve", Json.object()).isNotEligible("self_approval");
      desk.api().postPatiently("/v1/plans/" + plan + "/approve", Json.object()).is(200);
    }
  }

  @Test
  void aSignedInPersonCannotApproveTheirAgentsPlans(Given given) {
    Desk desk = Desk.of(given, issuer, Given.alert(Given.REFUND));
    AccessToken token = new AccessToken(issuer, CLIENT, "sub-dana", desk.resource());
    String plan =
        desk.as(token).call(REFUND, charge("s")).at("/structuredContent/plan_id").asText();
    String dana = desk.signedIn("sub-dana");
    desk.approve(plan, dana).isNotEligible("self_approval");
    JsonNode approval =
        desk.api().as(null).get("/v1/plans/" + plan + "/approval", "Cookie", dana).is(200);
    assertThat(approval.at("/you/reason").asText()).isEqualTo("self_approval");
    String sam = desk.signedIn("sub-sam");
    desk.approve(plan, sam).is(200);
    assertThat(given.upstream().effects()).hasSize(1);
  }

  // Where tokens are to be had.

  @Test
  void anUnknownCallerIsToldWhereToGetTokens(Given given) {
    Desk desk = Desk.of(given, issuer, Given.allow(Given.REFUND));
    String metadata = desk.api().baseUrl() + desk.metadata();
    Answer nobody = desk.listing((String) null);
    nobody.isError(401, "unauthenticated");
    assertThat(nobody.header("WWW-Authenticate"))
        .isEqualTo("Bearer resource_metadata=\"" + metadata + "\"");
    Answer expired = desk.listing(desk.token().expiring(Instant.now().minusSeconds(5)));
    assertThat(expired.header("WWW-Authenticate"))
        .isEqualTo("Bearer error=\"invalid_token\", resource_metadata=\"" + metadata + "\"");
    assertThat(desk.api().as(null).get("/v1/plans").header("WWW-Authenticate")).isEqualTo("Bearer");

    JsonNode said = desk.api().as(null).get(desk.metadata()).is(200);
    assertThat(said.path("resource").asText()).isEqualTo(desk.resource());
    assertThat(said.path("authorization_servers").toString())
        .isEqualTo("[\"" + issuer.url() + "\"]");
    assertThat(said.path("bearer_methods_supported").toString()).isEqualTo("[\"header\"]");
    assertThat(said.path("resource_name").asText()).isNotBlank();
    assertThat(said.has("scopes_supported")).isFalse();
  }
}
