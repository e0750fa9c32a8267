package io.actiongovernance.localstack.acceptance.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** People who are made, changed and suspended (contract for people, section 1). */
@Acceptance
final class PeopleSpec {
  private static final String PEOPLE = "/v1/people";

  private static ObjectNode dana() {
    return (ObjectNode)
        Json.read(
            """
            {"name":"Dana Reyes","bindings":[{"role":"operate"}],"groups":["support-leads"]}""");
  }

  private static JsonNode made(Api api, ObjectNode body) {
    return api.post(PEOPLE, body).is(201);
  }

  private static String path(JsonNode person) {
    return PEOPLE + "/" + person.path("id").asText();
  }

  private static ObjectNode status(String status) {
    return Json.object().put("status", status);
  }

  private static JsonNode key(Api by, String role, String owner) {
    return by.post(
            "/v1/keys",
            Json.object().put("name", Given.unique("key")).put("role", role).put("owner", owner))
        .is(201);
  }

  /** A browser that has redeemed the address at which somebody enrols. */
  private static String enrolling(Api api, JsonNode person) {
    String url = person.path("enrolment_url").asText();
    assertThat(url).startsWith(api.baseUrl() + "/console#ticket=");
    Answer redeemed =
        api.as(null)
            .post(
                "/v1/sign_in/tickets/redeem",
                Json.object().put("ticket", url.substring(url.indexOf('=') + 1)));
    redeemed.is(200);
    return redeemed.header("Set-Cookie").split(";", 2)[0];
  }

  @Test
  void aNewPersonsEnrolmentAddressIsShownOnce(Given given) {
    JsonNode person = made(given.api(), dana());
    assertThat(person.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "object",
            "name",
            "email",
            "status",
            "mode",
            "bindings",
            "groups",
            "identity_provider_id",
            "subject",
            "passkeys",
            "created_at",
            "last_seen_at",
            "enrolment_url");
    assertThat(person.path("bindings").toString())
        .isEqualTo("[{\"role\":\"operate\",\"workspace_id\":null}]");
    JsonNode read = given.api().get(path(person)).is(200);
    assertThat(read).isEqualTo(((ObjectNode) person.deepCopy()).without("enrolment_url"));
    assertThat(given.api().get(PEOPLE + "?limit=100").ids()).contains(person.path("id").asText());
    given.testApi().get(path(person)).isError(404, "not_found");
  }

  @Test
  void anEnrollingPersonMayDoNothingElse(Given given) {
    JsonNode person = made(given.api(), dana());
    String cookie = enrolling(given.api(), person);
    Api nobody = given.api().as(null);
    JsonNode me = nobody.get("/v1/me", "Cookie", cookie).is(200);
    assertThat(me.at("/principal/id")).isEqualTo(person.path("id"));
    assertThat(me.at("/session/method").asText()).isEqualTo("enrolment");
    assertThat(me.path("scopes")).isEmpty();
    nobody.get("/v1/plans", "Cookie", cookie).isError(403, "insufficient_scope");
    ObjectNode again = Json.object().put("person_id", person.path("id").asText());
    given.api().post("/v1/sign_in/tickets", again).isError(409, "state_conflict");
  }

  @Test
  void aTicketReplacesANewPersonsLostEnrolmentAddress(Given given) {
    JsonNode person = made(given.api(), dana());
    ObjectNode body = Json.object().put("person_id", person.path("id").asText());
    String url = given.api().post("/v1/sign_in/tickets", body).is(201).path("url").asText();
    enrolling(given.api(), Json.object().put("enrolment_url", url));
    given
        .api()
        .post("/v1/sign_in/tickets", body.put("person_id", EveryRoute.unknown("person_id")))
        .isError(404, "not_found");
  }

  @Test
  void aChangeAffectsOnlyItsFields(Given given) {
    JsonNode person = made(given.api(), dana());
    JsonNode changed =
        given
            .api()
            .patch(
                path(person),
                Json.read("{\"name\":\"Dana R.\",\"groups\":[\"finance\",\"finance\"]}"))
            .is(200);
    assertThat(changed.path("name").asText()).isEqualTo("Dana R.");
    assertThat(changed.path("groups").toString()).isEqualTo("[\"finance\"]");
    assertThat(changed.path("bindings")).isEqualTo(person.path("bindings"));
    assertThat(changed.has("keys")).isFalse();
    given.api().patch(path(person), status("dismissed")).isInvalid("status");
    given
        .api()
        .patch(path(person), Json.read("{\"bindings\":[{\"role\":\"king\"}]}"))
        .isInvalid("bindings[0].role");
    given.api().patch(path(person), Json.object().putNull("name")).isInvalid("name");
    given.api().post(PEOPLE, dana().put("subject", "sub-1")).isInvalid("subject");
  }

  @Test
  void aSuspendedPersonIsSignedOutAndTheirKeysAdmitNobody(Given given) {
    JsonNode person = made(given.api(), dana());
    String cookie = enrolling(given.api(), person);
    JsonNode key = key(given.api(), "operate", person.path("id").asText());
    JsonNode other = key(given.api(), "operate", "somebody else");
    Api owned = given.api().as(key.path("secret").asText());
    owned.get("/v1/plans").is(200);
    JsonNode suspended = given.api().patch(path(person), status("suspended")).is(200);
    assertThat(suspended.path("status").asText()).isEqualTo("suspended");
    assertThat(suspended.path("keys"))
        .extracting(each -> each.path("id").asText())
        .containsExactly(key.path("id").asText());
    assertThat(suspended.path("made_keys")).isEmpty();
    owned.get("/v1/plans").isError(401, "key_suspended");
    given.api().as(null).get("/v1/me", "Cookie", cookie).isError(401, "unauthenticated");
    given.api().as(other.path("secret").asText()).get("/v1/plans").is(200);
    assertThat(given.api().get(PEOPLE + "?status=suspended&limit=100").ids())
        .contains(person.path("id").asText());
    given.api().patch(path(person), status("active")).is(200);
    owned.get("/v1/plans").is(200);
    given.api().patch(path(person), status("suspended")).is(200);
    given
        .api()
        .patch(
            "/v1/keys/" + key.path("id").asText(), Json.object().put("owner", "dana's successor"))
        .is(200);
    owned.get("/v1/plans").is(200);
  }

  @Test
  void aSuspensionListsTheKeysThatThePersonOwnsOrMade(Given given) {
    JsonNode person = made(given.api(), dana());
    JsonNode owned = key(given.api(), "admin", person.path("id").asText());
    JsonNode made = key(given.api().as(owned.path("secret").asText()), "ingest", "a pipeline");
    JsonNode suspended = given.api().patch(path(person), status("suspended")).is(200);
    assertThat(suspended.path("keys")).hasSize(1);
    assertThat(suspended.at("/made_keys/0/id")).isEqualTo(made.path("id"));
    given
        .api()
        .patch(
            "/v1/keys/" + made.path("id").asText(),
            Json.object().put("owner", EveryRoute.unknown("person_id")))
        .isInvalid("owner");
  }

  @Test
  void theLastAdministratorStaysOne(Given given) {
    Api api = given.testApi();
    String last = PEOPLE + "/" + Human.of(api, "The last one", "admin").id();
    ObjectNode admin = dana().set("bindings", Json.read("[{\"role\":\"admin\"}]"));
    JsonNode invited = made(api, admin);
    api.get(PEOPLE + "?status=active&limit=100").data().stream()
        .filter(one -> one.path("bindings").toString().contains("admin"))
        .filter(one -> !one.path("passkeys").isEmpty())
        .filter(one -> !path(one).equals(last))
        .forEach(one -> api.patch(path(one), status("suspended")).is(200));
    api.patch(last, status("suspended")).isError(409, "state_conflict");
    api.patch(last, Json.read("{\"bindings\":[]}")).isError(409, "state_conflict");
    api.patch(last, Json.object().put("name", "Still the last one")).is(200);
    api.patch(path(invited), status("suspended")).is(200);
  }

  @Test
  void onlyAdministratorsSeePeople(Given given) {
    Api operate = given.apiOfRole("operate");
    operate.get(PEOPLE).isError(403, "insufficient_scope");
    operate.post(PEOPLE, dana()).isError(403, "insufficient_scope");
    JsonNode person = made(given.api(), dana());
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "ws_people"));
    pinned.get(path(person)).isError(404, "not_found");
    pinned.patch(path(person), status("suspended")).isError(404, "not_found");
    pinned.post(PEOPLE, dana()).isError(403, "insufficient_scope");
    assertThat(pinned.get(PEOPLE).ids()).isEmpty();
  }
}
