package io.actiongovernance.localstack.acceptance.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Following;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes among the events (contract for agents, section 3). */
@Acceptance
final class OutcomesSpec {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String ALL = "include=plans,actions";

  private static List<JsonNode> data(JsonNode page) {
    return StreamSupport.stream(page.path("data").spliterator(), false).toList();
  }

  private static List<JsonNode> list(Api api, String query) {
    return data(api.get("/v1/events?limit=100&order=asc&" + query).is(200));
  }

  /** The outcomes of a plan, once it is told as disposed. */
  private static List<JsonNode> outcomes(Given given, Plan plan) {
    return Await.until(
        LONGEST,
        () -> of(plan, list(given.api(), ALL)),
        told -> told.stream().anyMatch(one -> type(one).equals("plan.disposed")));
  }

  private static List<JsonNode> of(Plan plan, List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("kind").asText().equals("outcome"))
        .filter(event -> event.at("/payload/plan_id").asText().equals(plan.id()))
        .toList();
  }

  private static String type(JsonNode event) {
    return event.path("event_type").asText();
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(OutcomesSpec::type).toList();
  }

  private static List<String> ids(List<JsonNode> events) {
    return events.stream().map(event -> event.path("id").asText()).toList();
  }

  @Test
  void aPlansOutcomesAreProposedThenItsActionsThenDisposed(Given given) {
    Operator desk = given.operator(Given.alert(Given.REFUND));
    Plan plan = desk.propose(desk.refund("a"), desk.refund("b"));
    plan.approve();
    plan.await("executed");
    List<JsonNode> told = outcomes(given, plan);
    assertThat(types(told))
        .containsExactly("plan.proposed", "action.disposed", "action.disposed", "plan.disposed");
    String name = given.api().get("/v1/operators/" + desk.id()).is(200).path("name").asText();
    assertThat(told)
        .allSatisfy(
            event -> {
              assertThat(event.path("source").asText()).isEqualTo("operator:" + name);
              assertThat(event.path("plan_ids").toString()).isEqualTo("[\"" + plan.id() + "\"]");
              assertThat(event.path("correlation_id"))
                  .isEqualTo(plan.json().path("correlation_id"));
              assertThat(event.path("event_id").asText()).startsWith("ev_");
            });
    JsonNode proposed = told.getFirst().path("payload");
    assertThat(proposed.path("status").asText()).isEqualTo("proposed");
    assertThat(proposed.path("waiting_on").asText()).isEqualTo("approval");
    assertThat(told.getLast().at("/payload/status").asText()).isEqualTo("executed");
    JsonNode action = told.get(1).path("payload");
    assertThat(plan.actionIds()).contains(action.path("action_id").asText());
    assertThat(action.path("disposition").asText()).isEqualTo("ALERT");
    assertThat(action.path("ok").asBoolean()).isTrue();
    assertThat(action.path("receipt_id").asText()).startsWith("rc_");
    assertThat(action.path("tool").asText()).isEqualTo(Given.REFUND);
    assertThat(action.path("entity_key").asText()).startsWith("charge:");
  }

  @Test
  void anOutcomeHasNoArgumentsReasoningOrErrors(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    ObjectNode note =
        desk.action(Given.NOTE, "order:1", Json.object().put("text", "s3cret-argument"));
    Plan plan = desk.propose(note);
    for (JsonNode event : outcomes(given, plan)) {
      assertThat(event.toString()).doesNotContain("s3cret-argument", "Because.");
      assertThat(event.path("payload").toString().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(2_048);
      assertThat(event.path("payload").properties().stream().map(Map.Entry::getKey))
          .isSubsetOf(
              Set.of(
                  "plan_id",
                  "action_id",
                  "event_id",
                  "operator_id",
                  "status",
                  "waiting_on",
                  "disposition",
                  "ok",
                  "receipt_id",
                  "connector",
                  "tool",
                  "entity_key",
                  "summary"));
    }
  }

  @Test
  void aPlanThatNeverRanHasNoActionOutcomes(Given given) {
    Operator desk = given.operator(Given.alert(Given.REFUND));
    Plan plan = desk.propose(desk.refund("a"));
    plan.tryVeto("no").is(200);
    List<JsonNode> told = outcomes(given, plan);
    assertThat(types(told)).containsExactly("plan.proposed", "plan.disposed");
    assertThat(told.getLast().at("/payload/status").asText()).isEqualTo("vetoed");
  }

  @Test
  void withoutIncludeOnlyEventsAreListed(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    JsonNode event = given.event("order.created", Json.object());
    outcomes(given, desk.propose(desk.note("order:1")));
    assertThat(ids(list(given.api(), "include=plans"))).hasSizeGreaterThan(1);
    assertThat(ids(list(given.api(), ""))).containsExactly(event.path("id").asText());
    assertThat(list(given.api(), "").getFirst().path("kind").asText()).isEqualTo("event");
  }

  @Test
  void plansAndActionsCanBeIncludedSeparately(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    Plan plan = desk.propose(desk.note("order:1"));
    outcomes(given, plan);
    assertThat(types(of(plan, list(given.api(), "include=plans"))))
        .containsExactly("plan.proposed", "plan.disposed");
    assertThat(types(of(plan, list(given.api(), "include=actions"))))
        .containsExactly("action.disposed");
  }

  @Test
  void includingOutcomesNeedsTheirScope(Given given) {
    Api plans = given.apiOfScopes("events:read", "plans:read");
    Api actions = given.apiOfScopes("events:read", "actions:read");
    for (String path : List.of("/v1/events", "/v1/events/stream")) {
      plans.get(path + "?include=actions").isError(403, "insufficient_scope");
      plans.get(path + "?" + ALL).isError(403, "insufficient_scope");
      actions.get(path + "?include=plans").isError(403, "insufficient_scope");
    }
    plans.get("/v1/events?include=plans").is(200);
    actions.get("/v1/events?include=actions").is(200);
  }

  @Test
  void anOutcomeIsReadByIdUnderTheSameScopes(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    List<JsonNode> told = outcomes(given, desk.propose(desk.note("order:1")));
    Api plans = given.apiOfScopes("events:read", "plans:read");
    for (JsonNode event : told) {
      String path = "/v1/events/" + event.path("id").asText();
      JsonNode found = given.api().get(path).is(200);
      assertThat(EveryRoute.withoutCursors(found)).isEqualTo(EveryRoute.withoutCursors(event));
      if (type(event).equals("action.disposed")) {
        plans.get(path).isError(404, "not_found");
      } else {
        plans.get(path).is(200);
      }
      given.apiOfScopes("events:read").get(path).isError(404, "not_found");
      given.anotherTenant().get(path).isError(404, "not_found");
      given.testApi().get(path).isError(404, "not_found");
    }
  }

  @Test
  void aPinnedKeySeesOnlyOutcomesOfItsWorkspace(Given given) {
    Operator north =
        given.operatorWith(Json.object().put("workspace_id", "north"), Given.allow(Given.NOTE));
    Operator whole = given.operator(Given.allow(Given.NOTE));
    Plan pinned = north.propose(north.note("order:1"));
    Plan open = whole.propose(whole.note("order:2"));
    List<JsonNode> theirs = outcomes(given, open);
    assertThat(outcomes(given, pinned))
        .allMatch(event -> event.path("workspace_id").asText().equals("north"));
    ObjectNode key = Json.object().put("name", Given.unique("pin")).put("workspace_id", "north");
    key.putArray("scopes").add("events:read").add("plans:read").add("actions:read");
    Api api = given.apiWith(key);
    List<JsonNode> seen = list(api, ALL);
    assertThat(of(pinned, seen)).hasSize(3);
    assertThat(of(open, seen)).isEmpty();
    api.get("/v1/events/" + theirs.getFirst().path("id").asText()).isError(404, "not_found");
  }

  @Test
  void anEntityFindsItsOwnOutcomes(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    Plan plan = desk.propose(desk.note("order:1"), desk.note("order:2"));
    outcomes(given, plan);
    assertThat(types(of(plan, list(given.api(), ALL + "&entity=order:1"))))
        .containsExactly("plan.proposed", "action.disposed", "plan.disposed");
    assertThat(list(given.api(), ALL + "&entity=order:3")).isEmpty();
  }

  @Test
  void severalTypesAreSeparatedByCommas(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    String created = given.event("order.created", Json.object()).path("id").asText();
    given.event("order.deleted", Json.object());
    Plan plan = desk.propose(desk.note("order:1"));
    outcomes(given, plan);
    List<JsonNode> some = list(given.api(), ALL + "&event_type=order.created,*.disposed");
    assertThat(types(some))
        .containsExactlyInAnyOrder("order.created", "action.disposed", "plan.disposed");
    assertThat(ids(list(given.api(), "event_type=order.created,a.b,a.c,a.d,a.e")))
        .containsExactly(created);
    given.api().get("/v1/events?event_type=a.a,a.b,a.c,a.d,a.e,a.f").isInvalid("event_type");
    given.api().get("/v1/events?event_type=a.a,").isInvalid("event_type");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plan", "plans,", "plans,receipts", "PLANS"})
  void anUnknownIncludeIsInvalid(String include, Given given) {
    given.api().get("/v1/events?include=" + include).isInvalid("include");
    given.api().get("/v1/events/stream?include=" + include).isInvalid("include");
  }

  @Test
  void aCursorIsBoundToItsInclude(Given given) {
    given.event("order.created", Json.object());
    String without = given.api().get("/v1/events").is(200).path("next_cursor").asText();
    String with = given.api().get("/v1/events?" + ALL).is(200).path("next_cursor").asText();
    given.api().get("/v1/events?cursor=" + with).isError(400, "invalid_cursor");
    given.api().get("/v1/events?" + ALL + "&cursor=" + without).isError(400, "invalid_cursor");
    given.api().get("/v1/events?include=actions,plans&cursor=" + with).is(200);
  }

  @Test
  void backfillThenStreamTellsAllOnceInOneOrder(Given given) {
    Operator desk = given.operator(Given.allow(Given.NOTE));
    given.event("order.created", Json.object());
    outcomes(given, desk.propose(desk.note("order:1")));
    List<String> all = new ArrayList<>();
    String cursor = "";
    boolean more = true;
    while (more) {
      JsonNode page = given.api().get("/v1/events?limit=2&order=asc&" + ALL + cursor).is(200);
      all.addAll(ids(data(page)));
      cursor = "&cursor=" + page.path("next_cursor").asText();
      more = page.path("has_more").asBoolean();
    }
    assertThat(all).hasSize(4);
    try (Following stream = Following.open(given.api(), "?" + ALL + cursor);
        Following resumed = Following.open(given.api(), "?" + ALL, "Last-Event-ID", all.get(1))) {
      given.event("order.created", Json.object());
      Plan second = desk.propose(desk.note("order:2"));
      outcomes(given, second);
      all.addAll(Await.until(LONGEST, stream::ids, ids -> ids.size() >= 4));
      assertThat(all).isEqualTo(ids(list(given.api(), ALL)));
      List<String> rest = Await.until(LONGEST, resumed::ids, ids -> ids.size() >= 6);
      assertThat(rest).isEqualTo(all.subList(2, 8));
      JsonNode outcome = stream.envelopes().getLast();
      assertThat(outcome.path("kind").asText()).isEqualTo("outcome");
      List<JsonNode> backwards = data(given.api().get("/v1/events?limit=100&" + ALL).is(200));
      assertThat(ids(backwards).reversed()).isEqualTo(all);
      // Where it stands among what was posted, for those who follow that alone.
      try (Following posted = Following.open(given.api(), "", "Last-Event-ID", all.getFirst())) {
        assertThat(posted.await(1).getFirst().path("kind").asText()).isEqualTo("event");
      }
    }
  }

  @Test
  void outcomesTriggerNoOperatorButPostedEventsDo(Given given) {
    ObjectNode fields =
        (ObjectNode)
            Json.read(
                """
                {"triggers":{"event_types":["*.*"]},
                 "model":{"provider":"scripted","plans":[{"event_type":"*.*","actions":[
                   {"connector":"%s","tool":"%s","args":{},"entity_key":"order:1"}]}]}}
                """
                    .formatted(given.connector(), Given.NOTE));
    given.operatorWith(fields, Given.allow(Given.NOTE));
    ObjectNode posted =
        Json.object().put("source", "operator:desk").put("event_type", "plan.disposed");
    posted.putObject("payload").put("plan_id", "pl_none");
    JsonNode event = given.api().post("/v1/events", posted).is(201);
    assertThat(event.path("kind").asText()).isEqualTo("event");
    List<JsonNode> all =
        Await.until(
            LONGEST,
            () -> list(given.api(), ALL),
            told ->
                told.stream()
                    .anyMatch(
                        one ->
                            one.path("kind").asText().equals("outcome")
                                && type(one).equals("plan.disposed")));
    assertThat(all).hasSize(4);
    // What is posted later is proposed for, and by then an outcome would have been as well.
    JsonNode later = given.event("order.created", Json.object());
    Await.until(
        LONGEST,
        () -> given.api().get("/v1/events/" + later.path("id").asText()).is(200),
        seen -> !seen.path("plan_ids").isEmpty());
    assertThat(given.api().get("/v1/plans?limit=100").data()).hasSize(2);
  }
}
