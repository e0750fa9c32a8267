package io.actiongovernance.localstack.acceptance.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events (specification, Events; contract, section 7; all but the stream). */
@Acceptance
final class EventsSpec {
  private static ObjectNode envelope(String type) {
    ObjectNode body = Json.object().put("source", "shop").put("event_type", type);
    body.putObject("payload");
    return body;
  }

  private static String ingest(Api api, ObjectNode envelope) {
    return api.post("/v1/events", envelope).is(201).path("id").asText();
  }

  private static List<String> ingest(Api api, int count) {
    List<String> ids = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      ids.add(ingest(api, envelope("order.created")));
    }
    return ids;
  }

  /** Reads all pages of a list, and gives its last cursor. */
  private static String pages(Api api, String query, Consumer<JsonNode> event) {
    String filters = query.replaceAll("&?cursor=[^&]*", "");
    String now = query;
    while (true) {
      JsonNode page = api.get("/v1/events?" + now).is(200);
      page.path("data").forEach(event);
      String next = page.path("next_cursor").asText();
      assertThat(next).startsWith("cur_");
      now = filters + "&cursor=" + next;
      if (!page.path("has_more").asBoolean()) {
        return next;
      }
    }
  }

  private static List<String> all(Api api, String query) {
    List<String> ids = new ArrayList<>();
    pages(api, query, event -> ids.add(event.path("id").asText()));
    return ids;
  }

  @Test
  void anEventHasTheFieldsOfItsEnvelopeAndReadsTheSameEverywhere(Given given) {
    ObjectNode sent =
        envelope("order.created")
            .put("source", "Shöp 1")
            .put("correlation_id", "co_" + "0".repeat(26))
            .put("workspace_id", "north")
            .put("agent_id", "agent-7")
            .put("session_id", "session-9");
    JsonNode event = given.api().post("/v1/events", sent).is(201);
    assertThat(event.properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "id",
            "object",
            "event_id",
            "reseller_id",
            "tenant_id",
            "workspace_id",
            "source",
            "event_type",
            "correlation_id",
            "payload",
            "agent_id",
            "session_id",
            "kind",
            "cursor",
            "plan_ids",
            "created_at");
    assertThat(event.path("object").asText()).isEqualTo("event");
    assertThat(event.path("event_id")).isEqualTo(event.path("id"));
    sent.properties()
        .forEach(
            field ->
                assertThat(event.get(field.getKey()))
                    .as(field.getKey())
                    .isEqualTo(field.getValue()));
    JsonNode read = given.api().get("/v1/events/" + event.path("id").asText()).is(200);
    assertThat(EveryRoute.withoutCursors(read)).isEqualTo(EveryRoute.withoutCursors(event));
    JsonNode listed = given.api().get("/v1/events").data().getFirst();
    assertThat(EveryRoute.withoutCursors(listed)).isEqualTo(EveryRoute.withoutCursors(event));
  }

  @Test
  void aPayloadIsReturnedAsSent(Given given) {
    String payload =
        "{\"n\":123456789012345678901234567890.123456789012345678901234567890,\"z\":0.10,"
            + "\"e\":1e400,\"m\":-2.5E-400,\"big\":"
            + "9".repeat(100)
            + ",\"\":null,\"nul\":\"\\u0000\","
            + "\"\u202e\":\"\ud83d\udca3\",\"a\":{\"a\":[[],{},\"\",false]},\"__proto__\":1}";
    String body = "{\"source\":\"s\",\"event_type\":\"a.b\",\"payload\":" + payload + "}";
    JsonNode sent = Json.read(payload);
    JsonNode created = given.api().send("POST", "/v1/events", body).is(201);
    JsonNode read = given.api().get("/v1/events/" + created.path("id").asText()).is(200);
    for (JsonNode event : List.of(created, read, given.api().get("/v1/events").data().getFirst())) {
      assertThat(event.path("payload").toString()).isEqualTo(sent.toString());
    }
  }

  @Test
  void aLargePayloadIsKeptWhole(Given given) {
    ObjectNode envelope = envelope("a.b");
    String text = "é".repeat(100) + "x".repeat(250_000);
    ((ObjectNode) envelope.path("payload")).put("text", text);
    String id = ingest(given.api(), envelope);
    assertThat(given.api().get("/v1/events/" + id).is(200).at("/payload/text").asText())
        .isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "created",
        "Order.created",
        "order.",
        ".created",
        "order..created",
        "order.Created",
        "order.créé",
        "1order.created",
        "order.*",
        "order created",
        "order.-x",
        ""
      })
  void anEventTypeIsADottedNounAndVerb(String type, Given given) {
    given.api().post("/v1/events", envelope(type)).isInvalid("event_type");
  }

  @Test
  void eachFieldHasItsLimits(Given given) {
    Api api = given.api();
    api.post("/v1/events", envelope("a.b").put("source", "s".repeat(100))).is(201);
    api.post("/v1/events", envelope("a.b").put("source", "s".repeat(101))).isInvalid("source");
    api.post("/v1/events", envelope("a.b").put("source", "")).isInvalid("source");
    api.post("/v1/events", envelope("a_1.b2.c3")).is(201);
    api.post("/v1/events", envelope("a.b").put("payload", "{}")).isInvalid("payload");
    JsonNode own = api.post("/v1/events", envelope("a.b").put("correlation_id", "co_1")).is(201);
    assertThat(own.path("correlation_id").asText()).isEqualTo("co_1");
    api.post("/v1/events", envelope("a.b").put("correlation_id", "co_"))
        .isInvalid("correlation_id");
    api.post("/v1/events", envelope("a.b").put("correlation_id", "ev_" + "0".repeat(26)))
        .isInvalid("correlation_id");
    api.post("/v1/events", envelope("a.b").put("workspace_id", "w".repeat(101)))
        .isInvalid("workspace_id");
    api.post("/v1/events", envelope("a.b").put("agent_id", 7)).isInvalid("agent_id");
    api.post("/v1/events", envelope("a.b").put("event_id", "ev_x")).isInvalid("event_id");
    assertThat(api.get("/v1/events").data()).hasSize(3);
  }

  @Test
  void theListIsNewestFirstOrOldestFirst(Given given) {
    List<String> ids = ingest(given.api(), 5);
    assertThat(all(given.api(), "order=asc&limit=2")).isEqualTo(ids);
    Collections.reverse(ids);
    assertThat(all(given.api(), "order=desc&limit=2")).isEqualTo(ids);
    assertThat(all(given.api(), "limit=5")).isEqualTo(ids);
    given.api().get("/v1/events?order=up").isInvalid("order");
  }

  @Test
  void theListIsFiltered(Given given) {
    Api api = given.api();
    String created = ingest(api, envelope("order.created"));
    String issued = ingest(api, envelope("order.refund.issued").put("source", "till"));
    String north = ingest(api, envelope("ticket.created").put("workspace_id", "north"));
    Map<String, List<String>> wanted =
        Map.of(
            "event_type=order.created", List.of(created),
            "event_type=order.*", List.of(created),
            "event_type=order.*.*", List.of(issued),
            "event_type=*.created", List.of(created, north),
            "source=till", List.of(issued),
            "source=nobody", List.of(),
            "workspace_id=north", List.of(north),
            "event_type=*.created&source=shop&workspace_id=north", List.of(north));
    wanted.forEach(
        (query, ids) -> assertThat(all(api, "order=asc&" + query)).as(query).isEqualTo(ids));
    api.get("/v1/events?event_type=order.**").isInvalid("event_type");
    api.get("/v1/events?source=").isInvalid("source");
  }

  @Test
  void sinceIsInclusiveAndUntilExclusive(Given given) {
    Api api = given.api();
    JsonNode first = given.event("a.b", Json.object());
    JsonNode second =
        Await.until(
            Duration.ofSeconds(5),
            () -> given.event("a.b", Json.object()),
            event -> !event.path("created_at").equals(first.path("created_at")));
    String from = first.path("created_at").asText();
    String to = second.path("created_at").asText();
    assertThat(all(api, "since=" + to)).containsExactly(second.path("id").asText());
    assertThat(all(api, "since=" + from)).contains(first.path("id").asText());
    assertThat(all(api, "since=" + from + "&until=" + to))
        .contains(first.path("id").asText())
        .doesNotContain(second.path("id").asText());
    assertThat(all(api, "until=" + from)).isEmpty();
  }

  @Test
  void anEventNamesItsPlansAndIsFoundByTheEntityTheyTouched(Given given) {
    String entity = "order:" + Given.unique("o");
    Operator operator = given.operator(Given.alert(Given.NOTE));
    JsonNode event = given.event("order.created", Json.object());
    assertThat(event.path("workspace_id").isNull()).isTrue();
    assertThat(event.path("plan_ids")).isEmpty();
    given.event("order.created", Json.object());
    ObjectNode proposal =
        Operator.proposal(operator.note(entity)).put("event_id", event.path("id").asText());
    String plan =
        given
            .api()
            .post("/v1/operators/" + operator.id() + "/plans", proposal)
            .is(201)
            .path("id")
            .asText();
    String path = "/v1/events/" + event.path("id").asText();
    JsonNode linked =
        Await.until(
            Duration.ofSeconds(10),
            () -> given.api().get(path).is(200),
            seen -> !seen.path("plan_ids").isEmpty());
    assertThat(linked.path("plan_ids").toString()).isEqualTo("[\"" + plan + "\"]");
    for (String order : List.of("asc", "desc")) {
      assertThat(all(given.api(), "order=" + order + "&entity=" + Api.encode(entity)))
          .containsExactly(event.path("id").asText());
    }
  }

  @Test
  void theLastCursorNamesTheHeadAsItStoodAtTheFirstPage(Given given) {
    Api api = given.api();
    ingest(api, 3);
    JsonNode first = api.get("/v1/events?limit=2").is(200);
    assertThat(first.path("has_more").asBoolean()).isTrue();
    List<String> later = ingest(api, 3);
    JsonNode last =
        api.get("/v1/events?limit=2&cursor=" + first.path("next_cursor").asText()).is(200);
    assertThat(last.path("has_more").asBoolean()).isFalse();
    assertThat(last.path("data")).hasSize(1);
    String head = last.path("next_cursor").asText();
    assertThat(all(api, "order=asc&limit=2&cursor=" + head)).isEqualTo(later);
    assertThat(all(api, "order=asc&cursor=" + pages(api, "order=asc", event -> {}))).isEmpty();
  }

  @Test
  void anEmptyLogHasACursorToStartFrom(Given given) {
    Api api = given.anotherTenant();
    String head = pages(api, "", event -> {});
    List<String> ids = ingest(api, 2);
    assertThat(all(api, "order=asc&cursor=" + head)).isEqualTo(ids);
  }

  @Test
  void theCursorInsideAnEventIsItsPlaceInTheLog(Given given) {
    Api api = given.api();
    JsonNode event = given.event("a.b", Json.object());
    List<String> later = ingest(api, 2);
    assertThat(all(api, "order=asc&cursor=" + event.path("cursor").asText())).isEqualTo(later);
    api.get("/v1/events?source=shop&cursor=" + event.path("cursor").asText())
        .isError(400, "invalid_cursor");
  }

  @Test
  void aFollowingReaderMissesNothingThatSixteenWritersWrite(Given given) throws Exception {
    Api api = given.api();
    int writers = 16;
    int each = 12;
    List<String> followed = new ArrayList<>();
    String cursor = pages(api, "order=asc", event -> {});
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<List<String>>> written = new ArrayList<>();
      for (int at = 0; at < writers; at++) {
        written.add(threads.submit(() -> ingest(api, each)));
      }
      while (!written.stream().allMatch(Future::isDone)) {
        cursor = follow(api, cursor, followed);
      }
      List<String> acknowledged = new ArrayList<>();
      for (Future<List<String>> one : written) {
        acknowledged.addAll(one.get());
        assertThat(followedInOrder(all(api, "order=asc&limit=100"), one.get())).isTrue();
      }
      follow(api, cursor, followed);
      assertThat(followed).doesNotHaveDuplicates().hasSameElementsAs(acknowledged);
      assertThat(followed).isEqualTo(all(api, "order=asc&limit=100"));
    }
  }

  private static String follow(Api api, String cursor, List<String> followed) {
    return pages(
        api,
        "order=asc&limit=7&cursor=" + cursor,
        event -> followed.add(event.path("id").asText()));
  }

  /** Whether what one writer wrote one after the other stands in the log so. */
  private static boolean followedInOrder(List<String> log, List<String> written) {
    List<String> own = new ArrayList<>(log);
    own.retainAll(written);
    return own.equals(written);
  }
}
