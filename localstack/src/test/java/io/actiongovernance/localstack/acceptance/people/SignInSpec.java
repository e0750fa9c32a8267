package io.actiongovernance.localstack.acceptance.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.functions.samples.SoftwareAuthenticator;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.SomeIssuer;
import io.actiongovernance.localstack.acceptance.receipt.ConfigReceiptsSpec;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** People who sign in at their issuer (contract for people, section 1). */
@Acceptance
final class SignInSpec {
  private static final String PROVIDERS = "/v1/identity_providers";
  private static final String OWN_PAGE = "same-origin";

  private final SomeIssuer issuer = new SomeIssuer();

  @AfterEach
  void close() {
    issuer.close();
  }

  /** A tenant whose people sign in at the issuer. */
  private record Tenant(Api admin, String id) {
    String path() {
      return "/v1/sign_in/" + id;
    }
  }

  private Tenant tenant(Given given) {
    return tenant(given, issuer);
  }

  private static Tenant tenant(Given given, SomeIssuer at) {
    Api api = given.anotherTenant();
    ObjectNode body = Json.object().put("issuer", at.url()).put("client_id", "governance");
    body.putArray("role_bindings").addObject().put("group", "admins").put("role", "admin");
    return new Tenant(api, api.post(PROVIDERS, body).is(201).path("id").asText());
  }

  /** A browser that was sent to the issuer. */
  private record Away(Tenant tenant, String location, String cookie) {
    String state() {
      return SomeIssuer.query(location).getOrDefault("state", "");
    }

    /** It comes back with this in the query. */
    Answer back(String query, String... headers) {
      return tenant
          .admin()
          .as(null)
          .get(tenant.path() + "/callback?state=" + state() + query, headers);
    }

    Answer bringing(String code) {
      return back("&code=" + code, "Cookie", cookie);
    }
  }

  private static Away away(Tenant tenant, String query) {
    Answer answer = tenant.admin().as(null).get(tenant.path() + query);
    assertThat(answer.status()).as(answer.text()).isEqualTo(302);
    String cookie = answer.header("Set-Cookie");
    assertThat(cookie).contains("; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=600");
    return new Away(tenant, answer.header("Location"), cookie.split(";", 2)[0]);
  }

  private Answer signIn(Tenant tenant, String query) {
    Away away = away(tenant, query);
    return away.bringing(issuer.code(away.location()));
  }

  private Answer signIn(Tenant tenant) {
    return signIn(tenant, "");
  }

  /** The cookie of who was signed in. */
  private static String session(Answer signedIn) {
    assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(302);
    return signedIn.header("Set-Cookie").split(";", 2)[0];
  }

  private static void isInvalidState(Answer answer) {
    answer.isInvalid("state");
    assertThat(answer.header("Set-Cookie")).isEmpty();
  }

  private static List<JsonNode> people(Tenant tenant) {
    return tenant.admin().get("/v1/people").data();
  }

  @Test
  void aReturningPersonIsSignedInAndOnTheRequestedPage(Given given) {
    Tenant tenant = tenant(given);
    Api nobody = tenant.admin().as(null);
    Answer signedIn = signIn(tenant, "?to=" + Api.encode("/console?plan=pl_1#/plans/pl_1"));
    assertThat(signedIn.header("Location"))
        .isEqualTo(tenant.admin().baseUrl() + "/console?plan=pl_1#/plans/pl_1");
    JsonNode me = nobody.get("/v1/me", "Cookie", session(signedIn)).is(200);
    assertThat(me.at("/principal/type").asText()).isEqualTo("person");
    assertThat(me.at("/session/method").asText()).isEqualTo("issuer");
    assertThat(me.at("/session/verified").asBoolean()).isTrue();
    assertThat(me.path("groups").toString()).isEqualTo("[\"admins\"]");
    assertThat(me.path("scopes").toString()).contains("people:write");
    JsonNode person = people(tenant).getFirst();
    assertThat(person.path("id")).isEqualTo(me.at("/principal/id"));
    assertThat(person.path("subject").asText()).isEqualTo("sub-dana");
    assertThat(person.path("identity_provider_id").asText()).isEqualTo(tenant.id());
    assertThat(person.path("bindings").toString())
        .isEqualTo("[{\"role\":\"admin\",\"workspace_id\":null}]");
    JsonNode receipt = tenant.admin().get("/v1/receipts?kind=config").data().getFirst();
    assertThat(receipt.at("/target/id")).isEqualTo(person.path("id"));
    assertThat(receipt.at("/change/after_sha256").asText())
        .isEqualTo(ConfigReceiptsSpec.hash(withoutLastSeen(person)));
    String other = signIn(tenant).header("Location");
    assertThat(other).isEqualTo(tenant.admin().baseUrl() + "/console?idp=" + tenant.id());
    assertThat(people(tenant)).hasSize(1);
  }

  /** When somebody was seen is no change of them, and receipts say nothing of it. */
  private static JsonNode withoutLastSeen(JsonNode person) {
    return ((ObjectNode) person.deepCopy()).putNull("last_seen_at");
  }

  @Test
  void aSignInRedirectsOnlyToTheConsole(Given given) {
    Tenant tenant = tenant(given);
    Api nobody = tenant.admin().as(null);
    for (String to :
        List.of(
            "https://evil.example/console",
            "//evil.example/console",
            "/\\evil.example",
            "/console\\@evil.example",
            "/console@evil.example",
            "/console.evil.example",
            "/console/../../evil",
            "/console/%2e%2e/evil",
            "/console?a\r\nSet-Cookie: a=b",
            "/console?%zz",
            "/console#a#b",
            "/consoles",
            "/v1/plans",
            "console",
            "javascript:alert(1)",
            "/console#ticket=x",
            "/console?a=b#TICKET=x",
            "/console#%74icket=x",
            "/console#%2574icket%253Dx",
            "/console#ticket%3Dx",
            "/console?ticket=x",
            "")) {
      Answer answer = nobody.get(tenant.path() + "?to=" + Api.encode(to));
      answer.isInvalid("to");
      assertThat(answer.header("Location") + answer.header("Set-Cookie")).isEmpty();
    }
    nobody.get(tenant.path() + "?redirect=x").isInvalid("redirect");
    nobody.get(tenant.path() + "?max_age=-1").isInvalid("max_age");
    nobody.get(tenant.path() + "?workspace_id=a%0Ab").isInvalid("workspace_id");
  }

  @Test
  void aStateIsSingleUseForOneBrowserAndProvider(Given given) {
    Tenant tenant = tenant(given);
    Away mine = away(tenant, "");
    Away anothers = away(tenant, "");
    String code = issuer.code(mine.location());
    isInvalidState(mine.back("&code=" + code));
    isInvalidState(mine.back("&code=" + code, "Cookie", anothers.cookie()));
    isInvalidState(mine.back("&code=" + code, "Cookie", mine.cookie() + "x"));
    for (String twice :
        List.of(
            mine.cookie() + "; " + anothers.cookie(), anothers.cookie() + "; " + mine.cookie())) {
      isInvalidState(mine.back("&code=" + code, "Cookie", twice));
    }
    isInvalidState(mine.back("&code=" + code, "Cookie", "a=x," + mine.cookie()));
    Tenant other = tenant(given);
    isInvalidState(new Away(other, mine.location(), mine.cookie()).bringing(code));
    isInvalidState(
        new Away(tenant, mine.location().replaceFirst("state=.", "state=x"), mine.cookie())
            .bringing(code));
    session(mine.bringing(code));
    isInvalidState(mine.bringing(code));
    isInvalidState(mine.bringing(issuer.code(mine.location())));
  }

  @Test
  void aBrowserFromAnotherSiteIsShownTheTenantOfTheSignIn(Given given) {
    Tenant tenant = tenant(given);
    String cookie = session(signIn(tenant));
    Tenant other = tenant(given);
    Api nobody = other.admin().as(null);
    String path = other.path() + "?to=" + Api.encode("/console?a=b&c=d") + "&max_age=300";
    String id = other.admin().get("/v1/me").is(200).path("tenant_id").asText();
    for (String[] headers :
        new String[][] {
          {"Sec-Fetch-Site", "cross-site"},
          {"Sec-Fetch-Site", "same-site"},
          {"Sec-Fetch-Site", "cross-site", "Cookie", cookie},
          {"Sec-Fetch-Site", "none", "Cookie", cookie}
        }) {
      Answer page = nobody.get(path, headers);
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.header("Set-Cookie") + page.header("Location")).isEmpty();
      assertThat(page.text()).contains(id, "max_age=300", Api.encode("/console?a=b&c=d"));
      assertThat(page.text().contains("ends that session")).isEqualTo(headers.length > 2);
    }
    for (String[] headers :
        new String[][] {
          {"Sec-Fetch-Site", "same-origin", "Cookie", cookie},
          {"Sec-Fetch-Site", "none"},
          {"Cookie", cookie}
        }) {
      assertThat(nobody.get(path, headers).status()).isEqualTo(302);
    }
    assertThat(nobody.get(tenant.path(), "Sec-Fetch-Site", "cross-site", "Cookie", cookie).status())
        .isEqualTo(302);
  }

  @Test
  void aSessionReachesOnlyItsOwnTenant(Given given) {
    Tenant tenant = tenant(given);
    Tenant other = tenant(given);
    String cookie = session(signIn(tenant));
    Api nobody = other.admin().as(null);
    assertThat(nobody.get("/v1/people", "Cookie", cookie).data())
        .isEqualTo(people(tenant))
        .isNotEmpty();
    assertThat(people(other)).isEmpty();
    nobody.get(PROVIDERS + "/" + other.id(), "Cookie", cookie).isError(404, "not_found");
  }

  private void refuses(Tenant tenant) {
    signIn(tenant).isError(401, "unauthenticated");
    assertThat(people(tenant)).isEmpty();
  }

  @Test
  void aForgedExpiredOrForeignTokenIsRefused(Given given) {
    Tenant tenant = tenant(given);
    byte[] publicKey = issuer.publicKey().getBytes(StandardCharsets.UTF_8);
    for (UnaryOperator<String> forged :
        List.<UnaryOperator<String>>of(
            token -> SomeIssuer.forged(SomeIssuer.claims(token)),
            token -> new PlainJWT(SomeIssuer.claims(token)).serialize(),
            token -> keyed(publicKey, SomeIssuer.claims(token)),
            token -> token.replaceFirst("\\.[^.]*$", ".AAAA"),
            _ -> "x")) {
      issuer.forging(forged);
      refuses(tenant);
    }
    issuer.forging(UnaryOperator.identity());
    Date past = Date.from(Instant.now().minusSeconds(90));
    for (Consumer<JWTClaimsSet.Builder> wrong :
        List.<Consumer<JWTClaimsSet.Builder>>of(
            claims -> claims.expirationTime(past),
            claims -> claims.audience("another"),
            claims -> claims.issuer("https://another.example"),
            claims -> claims.claim("nonce", "another"),
            claims -> claims.subject(null))) {
      issuer.claiming(wrong);
      refuses(tenant);
    }
    issuer.claiming(_ -> {});
    session(signIn(tenant));
  }

  @Test
  void anIssuerThatUsesAnothersEndpointsSignsNobodyIn(Given given) {
    Tenant tenant = tenant(given);
    session(signIn(tenant));
    try (SomeIssuer evil = new SomeIssuer()) {
      evil.spoil(
          metadata ->
              metadata
                  .put("authorization_endpoint", issuer.url() + "/authorize")
                  .put("token_endpoint", issuer.url() + "/token")
                  .put("jwks_uri", issuer.url() + "/keys"));
      refuses(tenant(given, evil));
      evil.spoil(metadata -> metadata.put("issuer", issuer.url()));
      given
          .anotherTenant()
          .post(PROVIDERS, Json.object().put("issuer", evil.url()).put("client_id", "governance"))
          .isInvalid("issuer");
    }
    assertThat(people(tenant)).hasSize(1);
  }

  private static String keyed(byte[] secret, JWTClaimsSet claims) {
    try {
      SignedJWT token =
          new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build(), claims);
      token.sign(new MACSigner(secret));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSignInWithoutAMatchingRoleIsRefusedAndCreatesNoPerson(Given given) {
    Tenant tenant = tenant(given);
    issuer.claiming(claims -> claims.claim("groups", List.of("others")));
    signIn(tenant).isError(403, "insufficient_scope");
    issuer.claiming(
        claims -> claims.claim("groups", null).claim("_claim_names", Map.of("groups", "src1")));
    assertThat(signIn(tenant).isError(403, "insufficient_scope").path("message").asText())
        .contains("group overage");
    assertThat(people(tenant)).isEmpty();
  }

  @Test
  void aBrowserGetsARefusalAsAPage(Given given) {
    Tenant tenant = tenant(given);
    Away away = away(tenant, "?workspace_id=" + Api.encode("<b>one</b>"));
    issuer.claiming(claims -> claims.claim("groups", List.of("others")));
    Answer refused =
        away.back(
            "&code=" + issuer.code(away.location()),
            "Cookie",
            away.cookie(),
            "Accept",
            "text/html,application/xhtml+xml,*/*;q=0.8");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.header("Content-Type")).startsWith("text/html");
    assertThat(refused.header("Content-Security-Policy")).startsWith("default-src 'none'");
    assertThat(refused.text())
        .contains("No role binding fits in the workspace &lt;b&gt;one", "insufficient_scope")
        .doesNotContain("<b>");
  }

  @Test
  void anIssuersErrorIsReported(Given given) {
    Tenant tenant = tenant(given);
    Away away = away(tenant, "");
    Answer denied =
        away.back(
            "&error=access_denied&error_description=%3Cb%3E&iss=" + Api.encode(issuer.url()),
            "Cookie",
            away.cookie());
    assertThat(denied.isError(422, "auth_failed").path("message").asText())
        .contains("access_denied")
        .doesNotContain("<b>");
    Away other = away(tenant, "");
    other.back("&code=x&iss=https://another.example", "Cookie", other.cookie()).isInvalid("iss");
    JsonNode none = other.back("", "Cookie", other.cookie()).isError(400, "missing_parameter");
    assertThat(none.path("param").asText()).isEqualTo("code");
    assertThat(other.bringing("made-up").isError(422, "auth_failed").path("message").asText())
        .contains("invalid_grant");
    Away third = away(tenant, "");
    String code = issuer.code(third.location());
    issuer.answering(500);
    third.bringing(code).isError(502, "connector_upstream_error");
  }

  @Test
  void aSuspendedPersonCannotSignIn(Given given) {
    Tenant tenant = tenant(given);
    String cookie = session(signIn(tenant));
    issuer.claiming(claims -> claims.subject("sub-ira"));
    session(signIn(tenant));
    issuer.claiming(_ -> {});
    String person = "/v1/people/" + me(tenant, cookie).at("/principal/id").asText();
    tenant.admin().patch(person, Json.object().put("status", "suspended")).is(200);
    tenant.admin().as(null).get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
    signIn(tenant).isError(403, "insufficient_scope");
  }

  private static JsonNode me(Tenant tenant, String cookie) {
    return tenant.admin().as(null).get("/v1/me", "Cookie", cookie).is(200);
  }

  @Test
  void aPersonMadeByHandIsRecognisedAtSignIn(Given given) {
    Tenant tenant = tenant(given);
    ObjectNode dana = Json.object().put("name", "Dana by hand").put("subject", "sub-dana");
    String id = tenant.admin().post("/v1/people", dana).is(201).path("id").asText();
    ObjectNode ticket = Json.object().put("person_id", id);
    tenant.admin().post("/v1/sign_in/tickets", ticket).isError(409, "state_conflict");
    assertThat(me(tenant, session(signIn(tenant))).at("/principal/id").asText()).isEqualTo(id);
    assertThat(people(tenant)).hasSize(1);
  }

  private Human human(Tenant tenant, String cookie) {
    URI base = tenant.admin().baseUrl();
    JsonNode me = me(tenant, cookie);
    return new Human(
        tenant.admin().as(null),
        me.at("/principal/id").asText(),
        "Dana Reyes",
        SoftwareAuthenticator.at(base.getScheme() + "://" + base.getAuthority(), base.getHost()),
        cookie);
  }

  @Test
  void aFirstPasskeyNeedsAFreshSignInAndThenSignsIn(Given given) {
    Tenant tenant = tenant(given);
    Human any = human(tenant, session(signIn(tenant)));
    any.post("/v1/passkeys/challenges", Json.object()).isError(403, "insufficient_scope");
    assertThat(SomeIssuer.query(away(tenant, "?max_age=300").location()))
        .containsEntry("max_age", "300");
    issuer.claiming(claims -> claims.claim("auth_time", null));
    signIn(tenant, "?max_age=300").isError(401, "unauthenticated");
    long old = Instant.now().minusSeconds(900).getEpochSecond();
    issuer.claiming(claims -> claims.claim("auth_time", old));
    signIn(tenant, "?max_age=300").isError(401, "unauthenticated");
    issuer.claiming(_ -> {});
    Human fresh = human(tenant, session(signIn(tenant, "?max_age=300")));
    JsonNode challenge = fresh.post("/v1/passkeys/challenges", Json.object()).is(201);
    any.post("/v1/passkeys", fresh.enrolment(challenge)).isError(403, "insufficient_scope");
    fresh.post("/v1/passkeys", fresh.enrolment(challenge)).is(201);
    Human again = fresh.signedIn();
    assertThat(again.get("/v1/me").is(200).at("/session/method").asText()).isEqualTo("passkey");
  }

  @Test
  void aDeletedProviderSignsNobodyIn(Given given) {
    Tenant tenant = tenant(given);
    Away away = away(tenant, "");
    String code = issuer.code(away.location());
    tenant.admin().delete(PROVIDERS + "/" + tenant.id()).is(200);
    away.bringing(code).isError(404, "not_found");
    tenant.admin().as(null).get(tenant.path()).isError(404, "not_found");
    tenant.admin().as(null).get("/v1/sign_in/idp_x").isError(404, "not_found");
  }

  @Test
  void deletingAProviderEndsItsClaimsAndItsPeopleAreManagedByHand(Given given) {
    Tenant tenant = tenant(given);
    String cookie = session(signIn(tenant));
    String person = "/v1/people/" + me(tenant, cookie).at("/principal/id").asText();
    ObjectNode groups = Json.object();
    groups.putArray("groups").add("desk");
    tenant.admin().patch(person, groups).isError(409, "state_conflict");
    tenant.admin().delete(PROVIDERS + "/" + tenant.id()).is(200);
    Api nobody = tenant.admin().as(null);
    nobody.get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
    assertThat(rights(tenant.admin().get(person).is(200))).isEqualTo("[] []");
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[] []");
    JsonNode changed = tenant.admin().patch(person, groups).is(200);
    assertThat(changed.path("groups").toString()).isEqualTo("[\"desk\"]");
    assertThat(changed.path("bindings")).isEmpty();
    assertThat(changed.path("identity_provider_id").isNull()).isTrue();
    assertThat(changed.path("subject").asText()).isEqualTo("sub-dana");
    nobody.get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
    tenant.admin().patch(person, Json.object().put("status", "suspended")).is(200);
  }

  /** The roles and the groups of somebody. */
  private static String rights(JsonNode person) {
    return person.path("bindings").findValuesAsText("role") + " " + person.path("groups");
  }

  @Test
  void peopleAreShownWithTheirCurrentRights(Given given) {
    Tenant tenant = tenant(given);
    session(signIn(tenant));
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[admin] [\"admins\"]");
    binds(tenant, "others");
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[] [\"admins\"]");
    binds(tenant, "admins");
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[] [\"admins\"]");
    JsonNode seen = people(tenant).getFirst().path("last_seen_at");
    session(signIn(tenant));
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[admin] [\"admins\"]");
    JsonNode receipt = tenant.admin().get("/v1/receipts?kind=config").data().getFirst();
    ObjectNode attested = people(tenant).getFirst().deepCopy();
    attested.set("last_seen_at", seen);
    assertThat(receipt.at("/change/after_sha256").asText())
        .isEqualTo(ConfigReceiptsSpec.hash(attested));
    String path = PROVIDERS + "/" + tenant.id();
    tenant.admin().patch(path, Json.object().put("groups_claim", "teams")).is(200);
    assertThat(rights(people(tenant).getFirst())).isEqualTo("[] []");
  }

  @Test
  void claimsFromBeforeAProviderChangeDoNotCount(Given given) {
    Tenant tenant = tenant(given);
    String path = PROVIDERS + "/" + tenant.id();
    String cookie = session(signIn(tenant));
    ObjectNode roles = Json.object();
    roles.putArray("role_bindings").addObject().put("group", "admins").put("role", "read_only");
    tenant.admin().patch(path, roles).is(200);
    assertThat(me(tenant, cookie).path("scopes")).as("no role that is still bound").isEmpty();
    tenant.admin().patch(path, Json.object().put("client_id", "another")).is(200);
    Api nobody = tenant.admin().as(null);
    nobody.get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
  }

  /** A plan that two of the administrators have to approve. */
  private static Operator.Plan held(Given given, Api api) {
    ObjectNode alert = Given.alert(Given.REFUND);
    ObjectNode approval = alert.putObject("approval");
    approval.put("not_policy_editor_seconds", 0);
    approval.putArray("all_of").addObject().put("count", 2).putArray("groups").add("admins");
    Operator operator = given.operatorOf(api, given.install(api, null), Json.object(), alert);
    return operator.propose(operator.refund(Given.unique("ch"), "500.00"));
  }

  private static void binds(Tenant tenant, String group) {
    ObjectNode roles = Json.object();
    roles.putArray("role_bindings").addObject().put("group", group).put("role", "admin");
    tenant.admin().patch(PROVIDERS + "/" + tenant.id(), roles).is(200);
  }

  private static int missing(Tenant tenant, Operator.Plan plan) {
    JsonNode approval = tenant.admin().get(plan.path() + "/approval").is(200);
    return approval.at("/requirements/0/missing").asInt(-1);
  }

  private static void votes(Tenant tenant, String cookie, Operator.Plan plan) {
    tenant
        .admin()
        .as(null)
        .send("POST", plan.path() + "/approve", "{}", "Cookie", cookie, "Sec-Fetch-Site", OWN_PAGE)
        .is(202);
  }

  @Test
  void aReboundRoleCountsAfterANewSignInAndRestoresNoVote(Given given) {
    Tenant tenant = tenant(given);
    Operator.Plan plan = held(given, tenant.admin());
    String cookie = session(signIn(tenant));
    votes(tenant, cookie, plan);
    assertThat(missing(tenant, plan)).isEqualTo(1);
    binds(tenant, "others");
    assertThat(missing(tenant, plan)).isEqualTo(2);
    binds(tenant, "admins");
    assertThat(missing(tenant, plan)).isEqualTo(2);
    assertThat(me(tenant, cookie).path("scopes")).isEmpty();
    String anew = session(signIn(tenant));
    assertThat(me(tenant, anew).path("scopes")).isNotEmpty();
    assertThat(missing(tenant, plan)).isEqualTo(2);
    votes(tenant, anew, plan);
    assertThat(missing(tenant, plan)).isEqualTo(1);
  }

  @Test
  void aPersonEndsTheirOwnIssuerSession(Given given) {
    Tenant tenant = tenant(given);
    String cookie = session(signIn(tenant));
    Api nobody = tenant.admin().as(null);
    nobody.send("POST", "/v1/sign_out", "{}", "Cookie", cookie, "Sec-Fetch-Site", OWN_PAGE).is(200);
    nobody.get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
  }
}
