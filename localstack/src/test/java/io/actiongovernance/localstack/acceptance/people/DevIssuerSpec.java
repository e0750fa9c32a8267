package io.actiongovernance.localstack.acceptance.people;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.SomeIssuer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The issuer of the local stack: people to try sign-in with, and every rule kept but one. */
@Acceptance
final class DevIssuerSpec {
  private static final String ISSUER = "/dev-idp";

  @BeforeEach
  void isThere(Given given) throws Exception {
    assumeTrue(
        ask(given, ISSUER + "/.well-known/openid-configuration").statusCode() == 200,
        "No issuer of a local stack is here.");
  }

  /** Its answers are none of the published ones. */
  private static HttpResponse<String> ask(Given given, String path) throws Exception {
    HttpRequest request = given.api().as(null).request(path).build();
    return given.api().client().send(request, BodyHandlers.ofString());
  }

  /** A tenant whose people sign in there, and the path at which they begin. */
  private record Tenant(Api admin, String path) {
    Answer get(String address, String... headers) {
      return admin.as(null).get(admin.path(URI.create(address)) + query(address), headers);
    }

    private static String query(String address) {
      String query = URI.create(address).getRawQuery();
      return query == null ? "" : "?" + query;
    }

    Answer begin() {
      return admin.as(null).get(path);
    }
  }

  private static Tenant tenant(Given given) {
    Api api = given.anotherTenant();
    ObjectNode body =
        Json.object().put("issuer", api.baseUrl() + ISSUER).put("client_id", "governance");
    ArrayNode bindings = body.putArray("role_bindings");
    Map.of("support-leads", "operate", "finance", "operate", "admins", "admin")
        .forEach((group, role) -> bindings.addObject().put("group", group).put("role", role));
    JsonNode made = api.post("/v1/identity_providers", body).is(201);
    return new Tenant(api, "/v1/sign_in/" + made.path("id").asText());
  }

  /** What the callback answers to who says there that they are this. */
  private static Answer signIn(Tenant tenant, String person) {
    Answer begun = tenant.begin();
    String location = begun.header("Location");
    assertThat(tenant.get(location).text()).contains("Dana Reyes", "&amp;person=lee");
    Answer said = tenant.get(location + "&person=" + person);
    assertThat(said.status()).as(said.text()).isEqualTo(302);
    return tenant.get(
        said.header("Location"), "Cookie", begun.header("Set-Cookie").split(";", 2)[0]);
  }

  @Test
  void anybodyCanSignInAsTheChosenPerson(Given given) {
    Tenant tenant = tenant(given);
    for (Map.Entry<String, String> one :
        Map.of("dana", "support,support-leads", "lee", "finance", "ira", "admins").entrySet()) {
      Answer signedIn = signIn(tenant, one.getKey());
      assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(302);
      String cookie = signedIn.header("Set-Cookie").split(";", 2)[0];
      JsonNode me = tenant.admin().as(null).get("/v1/me", "Cookie", cookie).is(200);
      assertThat(String.join(",", texts(me.path("groups")))).isEqualTo(one.getValue());
    }
    assertThat(tenant.admin().get("/v1/people").data()).hasSize(3);
    signIn(tenant, "sam").isError(403, "insufficient_scope");
    signIn(tenant, "kim").isError(403, "insufficient_scope");
    signIn(tenant, "nobody").isError(422, "auth_failed");
    assertThat(tenant.admin().get("/v1/people").data()).hasSize(3);
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asText).toList();
  }

  @Test
  void onlyTheStacksOwnCallbacksAreRedirectedTo(Given given) {
    Tenant tenant = tenant(given);
    String location = tenant.begin().header("Location");
    Map<String, String> asked = SomeIssuer.query(location);
    String own = asked.getOrDefault("redirect_uri", "");
    for (String other :
        List.of(
            "https://evil.example/callback",
            own + "/more",
            own + "?x=1",
            own.replace("localhost", "localhost.evil.example"))) {
      Answer answer =
          tenant.get(location.replace(Api.encode(own), Api.encode(other)) + "&person=dana");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.header("Location")).isEmpty();
    }
    assertThat(tenant.get(location.replace("governance", "another")).status()).isEqualTo(400);
    for (String wrong :
        List.of(
            location.replace("S256", "plain"),
            location.replaceFirst("code_challenge=[^&]*", "code_challenge=x"),
            location.replace("response_type=code", "response_type=token"),
            location.replaceFirst("scope=openid", "scope=other"))) {
      assertThat(tenant.get(wrong + "&person=dana").header("Location"))
          .contains("error=invalid_request");
    }
  }

  private static HttpResponse<String> token(Tenant tenant, String form) throws Exception {
    HttpRequest request =
        tenant
            .admin()
            .as(null)
            .request(ISSUER + "/token")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    return tenant.admin().client().send(request, BodyHandlers.ofString());
  }

  private static String challenge(String verifier) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  /** A code that was asked for with the challenge of this verifier. */
  private static String code(Tenant tenant, String verifier) throws Exception {
    String location =
        tenant
            .begin()
            .header("Location")
            .replaceFirst("code_challenge=[^&]*", "code_challenge=" + challenge(verifier));
    return SomeIssuer.query(tenant.get(location + "&person=dana").header("Location"))
        .getOrDefault("code", "");
  }

  @Test
  void aCodeIsSingleUseAndBoundToItsRequest(Given given) throws Exception {
    Tenant tenant = tenant(given);
    String verifier = "v".repeat(43);
    String redirect =
        SomeIssuer.query(tenant.begin().header("Location")).getOrDefault("redirect_uri", "");
    String good =
        "grant_type=authorization_code&client_id=governance&code_verifier=%s&redirect_uri=%s&code="
            .formatted(verifier, Api.encode(redirect));
    for (String bad :
        List.of(
            good.replace(verifier, "w".repeat(43)),
            good.replace("code_verifier", "verifier"),
            good.replace("idp_", "idp_0"))) {
      HttpResponse<String> refused = token(tenant, bad + code(tenant, verifier));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("invalid_grant");
    }
    String code = code(tenant, verifier);
    assertThat(token(tenant, good.replace("client_id=governance", "client_id=x") + code).body())
        .contains("invalid_client");
    assertThat(token(tenant, good + code).body()).contains("id_token");
    assertThat(token(tenant, good + code).body()).contains("invalid_grant");
  }

  @Test
  void onlyItsExactAddressPassesTheEgressGuard(Given given) {
    Api api = given.anotherTenant();
    ObjectNode body = Json.object().put("client_id", "governance");
    String url = api.baseUrl() + ISSUER;
    for (String other : List.of(url + "/", url + "/x", api.baseUrl().toString(), url + "2")) {
      int status = api.post("/v1/identity_providers", body.put("issuer", other)).status();
      assertThat(status).as(other).isIn(400, 502);
    }
    api.post("/v1/identity_providers", body.put("issuer", url)).is(201);
  }
}
