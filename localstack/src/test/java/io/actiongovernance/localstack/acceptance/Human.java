package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.day.SoftwareAuthenticator;
import io.actiongovernance.json.Json;
import java.net.URI;

/**
 * A person with a passkey and a browser that is signed in. Its requests are those of the service's
 * own page.
 */
record Human(Api api, String id, String name, SoftwareAuthenticator passkey, String cookie) {
  /** A person who was made by the tenant's admin, has enrolled a passkey and signed in by it. */
  static Human of(Given given, String name, String role, String... groups) {
    return of(given.api(), name, role, groups);
  }

  /** The same, made by this admin. */
  static Human of(Api api, String name, String role, String... groups) {
    ObjectNode body = Json.object().put("name", name);
    body.putArray("bindings").addObject().put("role", role);
    ArrayNode all = body.putArray("groups");
    for (String group : groups) {
      all.add(group);
    }
    JsonNode person = api.post("/v1/people", body).is(201);
    String enrolling = redeemed(api, person.path("enrolment_url").asText());
    URI base = api.baseUrl();
    SoftwareAuthenticator passkey =
        SoftwareAuthenticator.at(base.getScheme() + "://" + base.getAuthority(), base.getHost());
    Human human = new Human(api.as(null), person.path("id").asText(), name, passkey, enrolling);
    JsonNode challenge = human.post("/v1/passkeys/challenges", Json.object()).is(201);
    human.post("/v1/passkeys", human.enrolment(challenge)).is(201);
    return human.signedIn();
  }

  private static String redeemed(Api api, String url) {
    ObjectNode ticket = Json.object().put("ticket", url.substring(url.indexOf('=') + 1));
    Answer answer = api.as(null).post("/v1/sign_in/tickets/redeem", ticket);
    answer.is(200);
    return answer.header("Set-Cookie").split(";", 2)[0];
  }

  /** What enrols its passkey for a challenge. */
  ObjectNode enrolment(JsonNode challenge) {
    return passkey.enrolling(challenge, "phone");
  }

  /** What signs a challenge, with this passkey. */
  static ObjectNode signed(JsonNode challenge, SoftwareAuthenticator by) {
    return by.signing(challenge);
  }

  /** The same, who has signed in by the passkey. */
  Human signedIn() {
    JsonNode challenge = api.post("/v1/sign_in/passkey/challenges", Json.object()).is(201);
    Answer answer = api.post("/v1/sign_in/passkey", signed(challenge, passkey));
    answer.is(200);
    return new Human(api, id, name, passkey, answer.header("Set-Cookie").split(";", 2)[0]);
  }

  Answer get(String path) {
    return api.get(path, "Cookie", cookie);
  }

  Answer delete(String path) {
    return api.delete(path, "Cookie", cookie, "Sec-Fetch-Site", "same-origin");
  }

  Answer post(String path, JsonNode body) {
    return api.post(path, body, "Cookie", cookie, "Sec-Fetch-Site", "same-origin");
  }

  /** Approves a plan by being signed in. */
  Answer approve(Operator.Plan plan) {
    return post(plan.path() + "/approve", Json.object());
  }

  /** Approves a plan by signing the statement. */
  Answer sign(Operator.Plan plan) {
    return post(plan.path() + "/approve", signed(challenge(plan), passkey));
  }

  /** What is to be signed to approve a plan. */
  JsonNode challenge(Operator.Plan plan) {
    return post(plan.path() + "/approval/challenges", Json.object()).is(201);
  }
}
