package io.actiongovernance.localstack.acceptance.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sign-in at an issuer that nobody here wrote (contract for people, section 1). */
@Acceptance
final class OidcProviderSpec {
  private static final String PROVIDERS = "/v1/identity_providers";

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static OidcProvider issuer;

  @BeforeAll
  static void start() throws IOException {
    issuer = OidcProvider.start();
  }

  @AfterAll
  @SuppressWarnings("NullAway") // it is not there where its start was skipped
  static void stop() {
    if (issuer != null) {
      issuer.close();
    }
  }

  /** A tenant whose people sign in there; those of Dana's desk operate. */
  private record Tenant(Api admin, String signIn) {}

  private static Tenant tenant(Given given) {
    Api admin = given.anotherTenant();
    ObjectNode body =
        Json.object().put("issuer", issuer.url()).put("client_id", "to-be-registered");
    body.putArray("scopes").add("openid").add("profile").add("email").add("groups");
    body.putArray("role_bindings").addObject().put("group", "dana-desk").put("role", "operate");
    JsonNode provider = admin.post(PROVIDERS, body).is(201);
    JsonNode client = issuer.register(provider.path("redirect_uri").asText());
    String id = provider.path("id").asText();
    ObjectNode registered = Json.object();
    registered.set("client_id", client.path("client_id"));
    registered.set("client_secret", client.path("client_secret"));
    admin.patch(PROVIDERS + "/" + id, registered).is(200);
    return new Tenant(admin, "/v1/sign_in/" + id);
  }

  /** A browser that was sent to the issuer. */
  private record Away(Tenant tenant, String location, String cookie) {
    /** It comes back from there with what the issuer gave it. */
    Answer back(URI at) {
      return tenant
          .admin()
          .as(null)
          .get(at.getRawPath() + "?" + at.getRawQuery(), "Cookie", cookie);
    }

    /** With another parameter than the service had sent it with. */
    Away with(String name, String value) {
      assertThat(location).contains("&" + name + "=");
      return new Away(
          tenant, location.replaceFirst("&" + name + "=[^&]*", "&" + name + "=" + value), cookie);
    }
  }

  private static Away away(Tenant tenant) {
    Answer answer = tenant.admin().as(null).get(tenant.signIn());
    assertThat(answer.status()).as(answer.text()).isEqualTo(302);
    return new Away(
        tenant, answer.header("Location"), answer.header("Set-Cookie").split(";", 2)[0]);
  }

  @Test
  void aPersonIsSignedInWithTheirIssuersGroups(Given given) {
    Tenant tenant = tenant(given);
    Away away = away(tenant);
    URI at = issuer.signIn(away.location(), "dana");
    Answer signedIn = away.back(at);
    assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(302);
    String session = signedIn.header("Set-Cookie").split(";", 2)[0];
    JsonNode me = tenant.admin().as(null).get("/v1/me", "Cookie", session).is(200);
    assertThat(me.at("/principal/name").asText()).isEqualTo("dana of Acme");
    assertThat(me.at("/session/verified").asBoolean()).isTrue();
    assertThat(me.path("groups").toString()).isEqualTo("[\"dana-desk\"]");
    assertThat(me.path("scopes").toString()).contains("plans:approve").doesNotContain("people:");
    away.back(at).isInvalid("state");
    assertThat(tenant.admin().get("/v1/people").data()).hasSize(1);
  }

  @Test
  void anAnswerToAnotherSignInIsRefused(Given given) {
    Tenant tenant = tenant(given);
    Away another = away(tenant).with("nonce", "another");
    another.back(issuer.signIn(another.location(), "dana")).isError(401, "unauthenticated");
    Away challenged = away(tenant).with("code_challenge", "A".repeat(43));
    challenged.back(issuer.signIn(challenged.location(), "dana")).isError(422, "auth_failed");
    Away away = away(tenant);
    URI at = issuer.signIn(away.location(), "dana");
    URI unnamed = URI.create(at.toString().replaceFirst("&iss=[^&]*", ""));
    away.back(unnamed).isInvalid("iss");
    new Away(tenant, away.location(), away(tenant).cookie()).back(at).isInvalid("state");
    assertThat(tenant.admin().get("/v1/people").data()).isEmpty();
    assertThat(away.back(at).status()).as("nothing of it was used up").isEqualTo(302);
  }

  @Test
  void aSignInWithoutAMatchingRoleCreatesNoPerson(Given given) {
    Tenant tenant = tenant(given);
    Away away = away(tenant);
    away.back(issuer.signIn(away.location(), "sam")).isError(403, "insufficient_scope");
    assertThat(tenant.admin().get("/v1/people").data()).isEmpty();
  }
}
