package io.actiongovernance.localstack.acceptance.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Following;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Wire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of every request (specification, Errors and Versioning; contract, section 1). */
@Acceptance
final class RequestsSpec {
  private static final String OLDER = "2026-05-01";
  private static final String LATEST = "2026-09-01";
  private static final String EVENT = "{\"source\":\"shop\",\"event_type\":\"a.b\",\"payload\":{}}";

  private static void hasItsHeaders(Answer answer) {
    assertThat(answer.header("X-Request-Id"))
        .as(answer.request())
        .matches("req_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(answer.header("Service-Version")).as(answer.request()).isEqualTo(LATEST);
    assertThat(answer.header("X-RateLimit-Limit")).as(answer.request()).matches("[1-9][0-9]*");
    assertThat(answer.header("X-RateLimit-Remaining")).as(answer.request()).matches("[0-9]+");
    assertThat(answer.header("X-RateLimit-Reset")).as(answer.request()).matches("[1-9][0-9]{9}");
    assertThat(answer.header("Cache-Control")).as(answer.request()).isEqualTo("no-store");
    keepsOthersOut(answer);
    boolean retries = List.of(429, 503).contains(answer.status());
    assertThat(answer.headers().firstValue("Retry-After").isPresent())
        .as(answer.request())
        .isEqualTo(retries);
  }

  /** What a browser is told of any answer. */
  private static void keepsOthersOut(Answer answer) {
    assertThat(answer.header("X-Content-Type-Options")).as(answer.request()).isEqualTo("nosniff");
    for (String policy : List.of("Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy")) {
      assertThat(answer.header(policy)).as(answer.request()).isEqualTo("same-origin");
    }
    assertThat(answer.header("Permissions-Policy"))
        .as(answer.request())
        .contains("camera=()", "publickey-credentials-get=(self)");
  }

  private static void isAnErrorInTheContractsForm(Answer answer) {
    hasItsHeaders(answer);
    assertThat(answer.header("Content-Type")).as(answer.request()).isEqualTo("application/json");
    JsonNode error = answer.json().path("error");
    assertThat(answer.json().properties()).hasSize(1);
    assertThat(error.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("type", "code", "message", "doc_url", "request_id", "param", "details");
    assertThat(error.path("type").asText())
        .isEqualTo(
            switch (answer.status()) {
              case 400 -> "invalid_request_error";
              case 401 -> "authentication_error";
              case 403 -> "permission_error";
              case 404 -> "not_found_error";
              case 409 -> "conflict_error";
              case 422 -> "validation_error";
              case 429 -> "rate_limit_error";
              default -> "api_error";
            });
    assertThat(error.path("message").asText()).isNotBlank();
    assertThat(error.path("doc_url").asText())
        .endsWith("/docs/errors#" + error.path("code").asText());
    assertThat(error.path("request_id").asText()).isEqualTo(answer.header("X-Request-Id"));
  }

  @Test
  void everyResponseOfEveryRouteHasTheHeaders(Given given) {
    for (Route route : EveryRoute.all()) {
      Answer answer = EveryRoute.send(given.api(), route);
      hasItsHeaders(answer);
      assertThat(answer.status()).as(answer.request() + answer.text()).isLessThan(500);
      if (answer.status() >= 400) {
        isAnErrorInTheContractsForm(answer);
      }
    }
  }

  /** Pages and their files, redirects, streams, and what the gateway answers by itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console",
        "/console/nothing",
        "/docs",
        "/docs/errors",
        "/docs/redoc.standalone.js",
        "/docs/nothing",
        "/nowhere",
        "/v1/openapi.json",
        "/v1/sign_in/idp_x",
        "/v1/events/stream?after=x",
      })
  void everyAnswerTellsBrowsersToIsolateIt(String path, Given given) {
    keepsOthersOut(given.api().get(path));
    keepsOthersOut(given.api().as(null).get(path, "Accept", "text/html"));
  }

  @Test
  void everyRouteRefusesARequestWithoutKeyInTheContractsForm(Given given) {
    for (Route route : EveryRoute.governed()) {
      Answer answer = EveryRoute.send(given.api().as(null), route);
      answer.isError(401, "unauthenticated");
      isAnErrorInTheContractsForm(answer);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//",
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/plans/",
        "/v2/plans",
        "/v0/plans",
        "/plans",
        "/v1/plans/pl_1/approve/now",
        "/V1/plans",
        "/v1/plans//approve",
        "/docs/errors/"
      })
  void anUnknownPathOrMajorVersionIsNotFound(String path, Given given) {
    for (Api api : List.of(given.api(), given.api().as(null), given.api().as("nonsense"))) {
      Answer answer = Wire.send(api, "GET", path, new byte[0], "Service-Version", "nonsense");
      answer.isError(404, "not_found");
      isAnErrorInTheContractsForm(answer);
    }
  }

  @Test
  void anUnsupportedMethodIsNotFoundAndNamesTheAllowedOnes(Given given) {
    for (Route route : EveryRoute.resources()) {
      List<String> there =
          EveryRoute.all().stream()
              .filter(other -> other.path().equals(route.path()))
              .map(other -> other.method().name())
              .sorted()
              .toList();
      for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
        if (!there.contains(method)) {
          Answer answer = given.api().as(null).send(method, EveryRoute.path(route), null);
          if (answer.header("Allow").isEmpty()) {
            // A fixed path that has no such method may still be an object of the path beside it.
            assertThat(answer.status()).as(answer.request()).isEqualTo(401);
          } else {
            answer.isError(404, "not_found");
            isAnErrorInTheContractsForm(answer);
            assertThat(answer.header("Allow").split(", ")).containsExactlyElementsOf(there);
          }
        }
      }
    }
  }

  /** Neither hides behind the other, whichever a proxy has looked at before. */
  @Test
  void aHeaderSentTwiceIsReadAsAListOfBoth(Given given) {
    Api api = given.api();
    byte[] nothing = new byte[0];
    String name = "Service-Version";
    Wire.send(api, "GET", "/v1/plans", nothing, name, "nonsense", name, LATEST).isInvalid(name);
    Wire.send(api, "GET", "/v1/plans", nothing, name, LATEST, name, "nonsense").isInvalid(name);
    Wire.send(api, "GET", "/v1/plans", nothing, "Authorization", "Bearer " + api.key()).is(401);
  }

  @Test
  void theFirstCheckThatFailsAnswers(Given given) {
    Api none = given.api().as(null);
    Api reader = given.apiOfRole("read_only");
    Api admin = given.api();
    String path = EveryRoute.path(OperatorRoutes.PUT_GUARDRAILS);
    String[] bad = {"Service-Version", "2020-01-01", "Content-Type", "text/plain"};
    none.send("PUT", path + "/x", "{", bad).isError(404, "not_found");
    none.send("PUT", path, "{", bad).isInvalid("Service-Version");
    none.send("PUT", path, "{", "Content-Type", "text/plain").isError(401, "unauthenticated");
    JsonNode lacking =
        reader
            .send("PUT", path, "{", "Content-Type", "text/plain")
            .isError(403, "insufficient_scope");
    assertThat(lacking.path("message").asText()).contains("operators:write");
    admin.send("PUT", path, "{", "Content-Type", "text/plain").isError(400, "invalid_request");
    admin.send("PUT", path, "{\"tenant_id\":\"t_other\"").isError(400, "invalid_json");
    admin.send("PUT", path, "{\"tenant_id\":\"t_other\"}").isError(403, "tenant_mismatch");
    admin.send("PUT", path, "{}").isError(400, "missing_parameter");
    EveryRoute.send(admin, OperatorRoutes.PUT_GUARDRAILS).isError(404, "not_found");
    Operator operator = given.operator();
    admin
        .put("/v1/operators/" + operator.id() + "/guardrails", body(7))
        .isError(409, "state_conflict");
    admin.put("/v1/operators/" + operator.id() + "/guardrails", body(1)).is(200);
  }

  private static ObjectNode body(int expectedVersion) {
    ObjectNode body = Json.object().put("expected_version", expectedVersion);
    body.putArray("guardrails");
    return body;
  }

  @Test
  void aBadFieldIsReportedBeforeTheObjectIsLookedUp(Given given) {
    for (Route route : EveryRoute.writes()) {
      ObjectNode body = EveryRoute.body(route).put("no_such_field", 1);
      for (String path : List.of(EveryRoute.path(route), EveryRoute.path(route, name -> "x"))) {
        given.api().send(route.method().name(), path, Json.write(body)).isInvalid("no_such_field");
      }
    }
  }

  @Test
  void everyRequestHasAnIdOfItsOwn(Given given) {
    Answer first = given.api().get("/v1/plans", "X-Request-Id", "req_mine");
    Answer second = given.api().get("/v1/plans", "X-Request-Id", "req_mine");
    assertThat(first.header("X-Request-Id")).isNotEqualTo("req_mine");
    assertThat(first.header("X-Request-Id")).isNotEqualTo(second.header("X-Request-Id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON ;charset=UTF-8"
      })
  void theMediaTypeMayHaveParameters(String contentType, Given given) {
    given.api().send("POST", "/v1/events", EVENT, "Content-Type", contentType).is(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/jsonp", "json", "*/*"})
  void anotherMediaTypeIsAnInvalidRequest(String contentType, Given given) {
    for (Route route : EveryRoute.writes()) {
      given
          .api()
          .send(route.method().name(), EveryRoute.path(route), "{}", "Content-Type", contentType)
          .isError(400, "invalid_request");
    }
  }

  @Test
  void aBodyWithoutMediaTypeIsAnInvalidRequest(Given given) {
    for (Route route : EveryRoute.writes()) {
      Wire.send(given.api(), route.method().name(), EveryRoute.path(route), new byte[] {'{', '}'})
          .isError(400, "invalid_request");
    }
  }

  @Test
  void noBodyIsAnEmptyObject(Given given) {
    Operator operator = given.operator();
    String path = "/v1/operators/" + operator.id();
    given.api().send("POST", path + "/pause", null).is(200);
    given.api().send("PUT", path + "/guardrails", null).isError(400, "missing_parameter");
    given.api().send("DELETE", path, null).is(200);
  }

  @Test
  void aBodyOnAReadIsIgnored(Given given) {
    Wire.send(
            given.api(),
            "GET",
            "/v1/plans",
            "nonsense".getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .is(200);
  }

  @Test
  void theServingRevisionIsEchoed(Given given) {
    assertThat(given.api().get("/v1/plans").header("Service-Version")).isEqualTo(LATEST);
    for (String revision : List.of(LATEST, OLDER)) {
      assertThat(
              given.api().get("/v1/plans", "Service-Version", revision).header("Service-Version"))
          .isEqualTo(revision);
    }
  }

  @Test
  void everyAnswerUnderTheOlderRevisionAnnouncesItsEnd(Given given) {
    for (Route route : EveryRoute.all()) {
      for (Api api : List.of(given.api(), given.api().as(null))) {
        tellsOfTheEnd(EveryRoute.send(api, route, "Service-Version", OLDER), true);
        tellsOfTheEnd(EveryRoute.send(api, route, "Service-Version", LATEST), false);
      }
    }
    tellsOfTheEnd(given.api().get("/v1/nothing", "Service-Version", OLDER), true);
    tellsOfTheEnd(given.api().get("/v1/plans?limit=x", "Service-Version", OLDER), true);
    tellsOfTheEnd(given.api().get("/v1/plans"), false);
  }

  @Test
  void aStreamUnderTheOlderRevisionAnnouncesItsEnd(Given given) {
    assumeTrue(Stack.streams(), "needs a gateway that streams");
    try (Following stream = Following.open(given.api(), "", "Service-Version", OLDER)) {
      assertThat(stream.headers().firstValue("Deprecation")).hasValue("true");
    }
  }

  private static void tellsOfTheEnd(Answer answer, boolean deprecated) {
    for (String name : List.of("Deprecation", "Sunset", "Link")) {
      assertThat(answer.headers().firstValue(name).isPresent())
          .as(answer.request() + name)
          .isEqualTo(deprecated);
    }
    if (deprecated) {
      assertThat(answer.header("Deprecation")).isEqualTo("true");
      assertThat(answer.header("Sunset")).isEqualTo("Wed, 01 Dec 2027 00:00:00 GMT");
      assertThat(answer.header("Link")).contains("rel=\"deprecation\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-09-02", "2026-9-1", "latest", "1", "2026-09-01T00:00:00Z"})
  void anUnpublishedRevisionIsRefusedAndThePublishedOnesAreNamed(String revision, Given given) {
    Answer answer = given.api().get("/v1/plans", "Service-Version", revision);
    assertThat(answer.isInvalid("Service-Version").path("message").asText())
        .contains(LATEST, OLDER);
    isAnErrorInTheContractsForm(answer);
  }

  @Test
  void theRevisionsAreListedNewestFirst(Given given) {
    JsonNode list = given.api().get("/v1/revisions").is(200);
    assertThat(list.path("object").asText()).isEqualTo("list");
    assertThat(list.path("next_cursor").isNull()).isTrue();
    assertThat(list.path("data").findValuesAsText("date")).containsExactly(LATEST, OLDER);
  }

  @Test
  void unknownParametersAreRefusedByTheLatestRevisionAndIgnoredByTheOlder(Given given) {
    for (Route route : EveryRoute.resources()) {
      String path = EveryRoute.path(route) + "?no_such_parameter=1";
      EveryRoute.sendTo(path, given.api(), route).isInvalid("no_such_parameter");
      EveryRoute.sendTo(path, given.api(), route, "Service-Version", LATEST)
          .isInvalid("no_such_parameter");
      Answer older = EveryRoute.sendTo(path, given.api(), route, "Service-Version", OLDER);
      Answer without = EveryRoute.send(given.api(), route, "Service-Version", OLDER);
      assertThat(older.status()).as(older.request() + older.text()).isEqualTo(without.status());
    }
  }

  @Test
  void unknownFieldsAreRefusedByTheLatestRevisionAndIgnoredByTheOlder(Given given) {
    for (Route route : EveryRoute.writes()) {
      String body = Json.write(EveryRoute.body(route).put("no_such_field", 1));
      String path = EveryRoute.path(route);
      String method = route.method().name();
      given.api().send(method, path, body).isInvalid("no_such_field");
      Answer older = given.api().send(method, path, body, "Service-Version", OLDER);
      Answer without = EveryRoute.send(given.api(), route, "Service-Version", OLDER);
      assertThat(older.status()).as(older.request() + older.text()).isEqualTo(without.status());
    }
  }

  @Test
  void aPageHas20ItemsByDefaultAnd10InTheOlderRevision(Given given) {
    for (int at = 0; at < 21; at++) {
      given.event("a.b", Json.object());
    }
    assertThat(given.api().get("/v1/events").data()).hasSize(20);
    assertThat(given.api().get("/v1/events", "Service-Version", OLDER).data()).hasSize(10);
    assertThat(given.api().get("/v1/events?limit=100").data()).hasSizeGreaterThan(20);
    assertThat(given.api().get("/v1/events?limit=21", "Service-Version", OLDER).data()).hasSize(21);
  }

  @Test
  void theTenantAndResellerOfTheKeyAreKnownFieldsOfEveryBody(Given given) {
    String tenant = given.event("a.b", Json.object()).path("tenant_id").asText();
    for (Route route : EveryRoute.writes()) {
      String method = route.method().name();
      String path = EveryRoute.path(route);
      ObjectNode own = EveryRoute.body(route).put("tenant_id", tenant).putNull("reseller_id");
      Answer answer = given.api().send(method, path, Json.write(own));
      Answer without = EveryRoute.send(given.api(), route);
      assertThat(answer.status()).as(answer.request() + answer.text()).isEqualTo(without.status());
      for (String field : List.of("tenant_id", "reseller_id")) {
        String other = Json.write(EveryRoute.body(route).put(field, "t_" + "0".repeat(26)));
        JsonNode error = given.api().send(method, path, other).isError(403, "tenant_mismatch");
        assertThat(error.path("param").asText()).isEqualTo(field);
      }
    }
  }

  @Test
  void timestampsAndIdentifiersHaveOneForm(Given given) {
    JsonNode event = given.event("a.b", Json.object());
    assertThat(event.path("created_at").asText())
        .matches("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
    assertThat(event.path("id").asText()).matches("ev_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(event.path("correlation_id").asText()).matches("co_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(event.path("tenant_id").asText()).matches("t_[0-9a-hjkmnp-tv-z]{26}");
  }
}
