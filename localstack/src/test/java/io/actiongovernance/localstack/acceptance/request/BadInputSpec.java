package io.actiongovernance.localstack.acceptance.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.channel.ChannelRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.identity.IdentityRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.people.PeopleRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.receipt.ReceiptRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.samples.SampleRequests;
import io.actiongovernance.functions.webhook.WebhookRoutes;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Wire;
import io.actiongovernance.localstack.acceptance.people.SessionsSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad input, on every route that there is: it is answered with the contract's error, never with a
 * 500, and leaves no trace (contract, section 1).
 */
@Acceptance
final class BadInputSpec {
  private static final int MOST_BYTES = 262_144;

  /** Bodies that are wrong whatever the route, a character for each byte, and their error codes. */
  private static Map<String, String> badBodies() {
    Map<String, String> bodies = new LinkedHashMap<>();
    for (String text :
        List.of(
            "{",
            "}",
            "{]",
            "nonsense",
            "{\"a\":1,}",
            "{\"a\":1} {",
            "{'a':1}",
            "{\"a\":01}",
            "{\"a\":NaN}",
            "{\"a\":1,\"a\":1}",
            "{\"a\":{\"b\":1,\"b\":2}}",
            "{\"a\":\"\u0001\"}",
            "{\"a\":\"\\ud800\"}",
            "[".repeat(100_000),
            "{\"a\":" + "[".repeat(100_000),
            "{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}",
            "//\n{}",
            "{\"a\":\"",
            "tru")) {
      bodies.put(text, "invalid_json");
    }
    bodies.put("{\"a\":\"\u00ff\"}", "invalid_json");
    bodies.put("{\"\u00c0\u0080\":1}", "invalid_json");
    bodies.put("\0", "invalid_json");
    for (String text : List.of("[]", "[{}]", "1", "\"text\"", "null", "true")) {
      bodies.put(text, "invalid_request");
    }
    bodies.put("{\"a\":\"" + "x".repeat(300_000) + "\"}", "invalid_request");
    bodies.put("{}" + " ".repeat(MOST_BYTES - 1), "invalid_request");
    for (String number :
        List.of(
            "1e401",
            "-1e401",
            "1e-401",
            "1".repeat(101),
            "0." + "1".repeat(101),
            "1e99999999999")) {
      bodies.put("{\"a\":" + number + "}", "invalid_parameter");
      bodies.put("{\"a\":[{\"b\":" + number + "}]}", "invalid_parameter");
    }
    return bodies;
  }

  @Test
  void anUnreadableBodyIsRefusedAndLeavesNoTrace(Given given) {
    String before = EveryRoute.everything(given.api());
    badBodies()
        .forEach(
            (body, code) ->
                refuses(given.api(), EventRoutes.INGEST_EVENT, body.getBytes(ISO_8859_1), code));
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
  }

  @Test
  void everyRouteRefusesAnUnreadableBodyAndLeavesNoTrace(Given given) {
    String before = EveryRoute.everything(given.api());
    for (Route route : EveryRoute.writes()) {
      refuses(given.api(), route, "{".getBytes(UTF_8), "invalid_json");
      refuses(given.api(), route, "{\"a\":1,\"a\":1}".getBytes(UTF_8), "invalid_json");
      refuses(given.api(), route, "{\"\u00ff\":1}".getBytes(ISO_8859_1), "invalid_json");
      refuses(given.api(), route, "[".repeat(100_000).getBytes(UTF_8), "invalid_json");
      refuses(given.api(), route, " ".repeat(300_000).getBytes(UTF_8), "invalid_request");
      refuses(given.api(), route, "[]".getBytes(UTF_8), "invalid_request");
      refuses(given.api(), route, "{\"a\":1e401}".getBytes(UTF_8), "invalid_parameter");
    }
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
  }

  private static void refuses(Api api, Route route, byte[] body, String code) {
    Wire.sendJson(api, route.method().name(), EveryRoute.path(route), body).isError(400, code);
  }

  @Test
  void aFieldOfEachWrongTypeIsRefusedByEveryRouteAndLeavesNoTrace(Given given) {
    String before = EveryRoute.everything(given.api());
    List<JsonNode> values =
        List.of(
            Json.read("true"),
            Json.read("7"),
            Json.read("1e400"),
            Json.read("-0.5"),
            Json.read("\"\""),
            Json.read("\"\\u0000\""),
            Json.read("\"" + "x".repeat(100_000) + "\""),
            Json.read("[]"),
            Json.read("[[]]"),
            Json.read("[null]"),
            Json.read("{}"),
            Json.read("{\"\":null}"));
    for (Route route : EveryRoute.writes()) {
      ObjectNode good = EveryRoute.body(route);
      for (String field : names(good)) {
        boolean nullable = good.get(field).isNull();
        for (JsonNode value : values) {
          if (nullable && value.isIntegralNumber() && value.intValue() == 7) {
            continue;
          }
          if (value.getNodeType() == good.get(field).getNodeType() && !value.isTextual()) {
            continue;
          }
          ObjectNode bad = good.deepCopy();
          bad.set(field, value);
          Answer answer =
              given.api().send(route.method().name(), EveryRoute.path(route), Json.write(bad));
          boolean aText = value.isTextual() && good.get(field).isTextual();
          boolean ofAnObject =
              EveryRoute.ofOneObject().contains(route) || route.equals(HaltRoutes.CREATE_HALT);
          if (answer.status() == 404 && aText && ofAnObject) {
            continue; // A free text, of an object that is not there.
          }
          if (answer.status() == 403 && aText && SampleRequests.isOfPeople(route)) {
            continue; // A free text, of somebody who is no key.
          }
          JsonNode error = answer.isError(400, "invalid_parameter");
          assertThat(error.path("param").asText()).as(answer.request()).startsWith(field);
        }
        ObjectNode without = good.deepCopy();
        without.remove(field);
        ObjectNode nothing = good.deepCopy();
        nothing.putNull(field);
        for (ObjectNode body : nullable ? List.of(without) : List.of(without, nothing)) {
          given
              .api()
              .send(route.method().name(), EveryRoute.path(route), Json.write(body))
              .isError(400, "missing_parameter");
        }
      }
    }
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
  }

  private static List<String> names(ObjectNode body) {
    List<String> names = new ArrayList<>();
    body.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void anIdOfAnotherTypeOrOfNoTypeReadsAsNotFoundOnEveryRoute(Given given) {
    String nothing = "0".repeat(26);
    List<String> ids =
        new ArrayList<>(List.of("x", "%00", "%E2%80%AE", "..", "a%2Fb", "x".repeat(2_000)));
    for (String prefix : List.of("act_", "cn_", "ev_", "pl_", "t_")) {
      ids.add(prefix + nothing);
    }
    for (Route route : EveryRoute.ofOneObject()) {
      for (String id : ids) {
        String path = EveryRoute.path(route, name -> id);
        byte[] body = Json.write(EveryRoute.body(route)).getBytes(UTF_8);
        byte[] sent = route.takesIdempotencyKey() ? body : new byte[0];
        Answer answer = Wire.sendJson(given.api(), route.method().name(), path, sent);
        assertThat(answer.json().at("/error/code").asText())
            .as(answer.request() + answer.text())
            .isIn("not_found", "invalid_request");
        assertThat(answer.status()).isIn(404, 400);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%zz", "%", "%4", "a%g0b"})
  void malformedPercentEncodingIsAnErrorOfTheContractOnEveryRoute(String text, Given given) {
    for (Route route : EveryRoute.all()) {
      String method = route.method().name();
      for (String target :
          List.of(
              EveryRoute.path(route) + "?limit=" + text,
              EveryRoute.path(route) + "?" + text + "=1",
              EveryRoute.path(route, name -> text))) {
        if (target.contains(text)) {
          Answer answer = Wire.send(given.api(), method, target, new byte[0]);
          assertThat(answer.status()).as(answer.request() + answer.text()).isIn(400, 404);
          assertThat(answer.json().at("/error/request_id").asText()).startsWith("req_");
        }
      }
    }
  }

  @Test
  void aRepeatedParameterIsInvalidOnEveryList(Given given) {
    for (Route route : EveryRoute.lists()) {
      for (String name : List.of("limit", "cursor")) {
        String query = "?" + name + "=1&" + name + "=1";
        given.api().get(route.path() + query).isInvalid(name);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "101", "-1", "1.0", "1e1", "x", "", "%20", "99999999999999999999", "%D9%A1"})
  void aLimitIsFrom1To100OnEveryList(String limit, Given given) {
    for (Route route : EveryRoute.lists()) {
      given.api().get(route.path() + "?limit=" + limit).isInvalid("limit");
      given.api().get(route.path() + "?limit=1").is(200);
      given.api().get(route.path() + "?limit=100").is(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20",
        "2026-11-20T21:44:07",
        "2026-13-20T21:44:07Z",
        "2026-02-30T00:00:00Z",
        "now",
        "1795256645",
        "",
        "2026-11-20T24:00:01Z",
        "2026-11-20T21:44:07%2B99:00",
        "99999-01-01T00:00:00Z"
      })
  void aTimestampIsRfc3339OnEveryListThatTakesOne(String time, Given given) {
    for (String path : List.of("/v1/events", "/v1/plans", "/v1/actions", "/v1/receipts")) {
      given.api().get(path + "?since=" + time).isInvalid("since");
      given.api().get(path + "?until=" + time).isInvalid("until");
    }
  }

  @Test
  void everyOffsetOfRfc3339IsAccepted(Given given) {
    for (String path : List.of("/v1/events", "/v1/plans", "/v1/actions", "/v1/receipts")) {
      for (String time :
          List.of(
              "2026-11-20T21:44:07Z",
              "2026-11-20T21:44:07.123456789Z",
              "2026-11-20t21:44:07z",
              "2026-11-20T21:44:07%2B05:30",
              "2026-11-20T21:44:07-11:00")) {
        given.api().get(path + "?since=" + time).is(200);
      }
    }
  }

  @Test
  void aCursorIsBoundToItsQueryAndCannotBeForged(Given given) {
    Map<Route, String> cursors = cursors(given);
    cursors.forEach(
        (route, cursor) -> {
          String encoded = Api.encode(cursor);
          given.api().get(route.path() + "?limit=1&cursor=" + encoded).is(200);
          given.api().get(route.path() + "?limit=2&cursor=" + encoded).is(200);
          for (String forged : forged(cursor)) {
            given
                .api()
                .get(route.path() + "?limit=1&cursor=" + Api.encode(forged))
                .isError(400, "invalid_cursor");
          }
          for (Route other : EveryRoute.lists()) {
            if (!other.equals(route)) {
              given
                  .api()
                  .get(other.path() + "?limit=1&cursor=" + encoded)
                  .isError(400, "invalid_cursor");
            }
          }
          given
              .testApi()
              .get(route.path() + "?limit=1&cursor=" + encoded)
              .isError(400, "invalid_cursor");
          given
              .anotherTenant()
              .get(route.path() + "?limit=1&cursor=" + encoded)
              .isError(400, "invalid_cursor");
        });
    String events = Api.encode(String.valueOf(cursors.get(EventRoutes.LIST_EVENTS)));
    for (String filter :
        List.of("source=shop", "event_type=order.*", "entity=a", "workspace_id=a")) {
      given.api().get("/v1/events?" + filter + "&cursor=" + events).isError(400, "invalid_cursor");
    }
    String keys = Api.encode(String.valueOf(cursors.get(KeyRoutes.LIST_KEYS)));
    given.api().get("/v1/keys?status=active&cursor=" + keys).isError(400, "invalid_cursor");
    String plans = Api.encode(String.valueOf(cursors.get(PlanRoutes.LIST_PLANS)));
    for (String filter : List.of("status=proposed", "entity=a", "since=2026-01-01T00:00:00Z")) {
      given.api().get("/v1/plans?" + filter + "&cursor=" + plans).isError(400, "invalid_cursor");
    }
  }

  private static List<String> forged(String cursor) {
    int middle = cursor.length() / 2;
    char other = cursor.charAt(middle) == 'A' ? 'B' : 'A';
    return List.of(
        "",
        "x",
        "cur_",
        "cur_AAAA",
        cursor.substring(0, cursor.length() - 1),
        cursor + "A",
        cursor.substring(0, middle) + other + cursor.substring(middle + 1),
        cursor.substring(4),
        "CUR_" + cursor.substring(4),
        "cur_" + "A".repeat(5_000),
        "cur_\u0000",
        "ev_" + "0".repeat(26));
  }

  /** A cursor of each list, each of which has two items or more. */
  private static Map<Route, String> cursors(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    given.install(given.api(), null);
    Operator other = given.operator();
    for (int at = 0; at < 2; at++) {
      operator.propose(operator.note(Given.unique("note")));
      given.event("order.created", Json.object());
    }
    for (Operator halted : List.of(operator, other)) {
      ObjectNode halt = Json.object().put("scope", "operator").put("id", halted.id());
      given.api().post("/v1/halts", halt.put("reason", "Stop.")).is(201);
    }
    for (int at = 0; at < 2; at++) {
      EveryRoute.send(given.api(), ReceiptRoutes.CREATE_EXPORT).is(201);
      ObjectNode endpoint =
          EveryRoute.body(WebhookRoutes.CREATE_WEBHOOK_ENDPOINT)
              .put("url", "https://hooks.example/" + Given.unique("hook"));
      given.api().post("/v1/webhook_endpoints", endpoint).is(201);
      EveryRoute.send(given.api(), ChannelRoutes.CREATE_CHANNEL).is(201);
    }
    for (int at = 0; at < 2; at++) {
      SessionsSpec.begun(given.api());
      EveryRoute.send(given.api(), PeopleRoutes.CREATE_PERSON).is(201);
    }
    Map<Route, String> cursors = new LinkedHashMap<>();
    for (Route route : EveryRoute.lists()) {
      if (route.equals(IdentityRoutes.LIST_IDENTITY_PROVIDERS)) {
        continue; // There is one at the most.
      }
      JsonNode page = given.api().get(route.path() + "?limit=1").is(200);
      assertThat(page.path("has_more").asBoolean()).as(route.name()).isTrue();
      assertThat(page.path("data")).as(route.name()).hasSize(1);
      String cursor = page.path("next_cursor").asText();
      assertThat(cursor).matches("cur_[A-Za-z0-9_-]+");
      cursors.put(route, cursor);
    }
    return cursors;
  }

  @Test
  void namesHaveNoControlAndNoDirectionChangingCharacters(Given given) {
    String before = EveryRoute.everything(given.api());
    for (int point :
        new int[] {
          7, 0x1b, 0x7f, 0x85, 0x2028, 0x202a, 0x202e, 0x2066, 0x2069, 0x200e, 0x200f, 0x61c
        }) {
      String name = "name" + Character.toString(point) + "name";
      ObjectNode body = EveryRoute.body(EventRoutes.INGEST_EVENT).put("source", name);
      given.api().post("/v1/events", body).isInvalid("source");
    }
    for (int point : new int[] {0, 0x202e}) {
      String name = "name" + Character.toString(point) + "name";
      List<Map.Entry<Route, String>> fields =
          List.of(
              Map.entry(KeyRoutes.CREATE_KEY, "name"),
              Map.entry(KeyRoutes.CREATE_KEY, "workspace_id"),
              Map.entry(OperatorRoutes.CREATE_OPERATOR, "name"),
              Map.entry(OperatorRoutes.CREATE_OPERATOR, "display_name"),
              Map.entry(OperatorRoutes.CREATE_OPERATOR, "workspace_id"),
              Map.entry(OperatorRoutes.CREATE_OPERATOR, "entity_template"),
              Map.entry(ConnectorRoutes.INSTALL_CONNECTOR, "name"),
              Map.entry(ConnectorRoutes.INSTALL_CONNECTOR, "workspace_id"),
              Map.entry(EventRoutes.INGEST_EVENT, "source"),
              Map.entry(EventRoutes.INGEST_EVENT, "event_type"),
              Map.entry(EventRoutes.INGEST_EVENT, "workspace_id"),
              Map.entry(EventRoutes.INGEST_EVENT, "agent_id"),
              Map.entry(EventRoutes.INGEST_EVENT, "session_id"),
              Map.entry(PlanRoutes.APPROVE_PLAN, "approver"),
              Map.entry(PlanRoutes.VETO_PLAN, "vetoed_by"),
              Map.entry(ActionRoutes.UNDO_ACTION, "undone_by"));
      for (Map.Entry<Route, String> field : fields) {
        ObjectNode body = EveryRoute.body(field.getKey()).put(field.getValue(), name);
        given.api().post(EveryRoute.path(field.getKey()), body).isInvalid(field.getValue());
      }
    }
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
  }

  @Test
  void aListInABodyIsBoundedToo(Given given) {
    ObjectNode body = EveryRoute.body(OperatorRoutes.CREATE_OPERATOR);
    ArrayNode guardrails = body.putArray("guardrails");
    for (int at = 0; at < 1_001; at++) {
      guardrails.addObject().put("name", "g" + at).put("decision", "ALLOW").put("tool", "a.b");
    }
    given.api().post("/v1/operators", body).isInvalid("guardrails");
    guardrails.remove(1_000);
    given.api().post("/v1/operators", body).is(201);
  }
}
