package io.actiongovernance.localstack.acceptance.event;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Following;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of envelopes (specification, Envelope stream; contract, section 7). */
@Acceptance
final class StreamSpec {
  private static final String STREAM = "/v1/events/stream";

  private static ObjectNode envelope(String type) {
    ObjectNode body = Json.object().put("source", "shop").put("event_type", type);
    body.putObject("payload");
    return body;
  }

  private static String ingest(Api api, ObjectNode envelope) {
    return api.post("/v1/events", envelope).is(201).path("id").asText();
  }

  private static String ingest(Api api) {
    return ingest(api, envelope("order.created"));
  }

  private static List<String> ingest(Api api, int count) {
    List<String> ids = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      ids.add(ingest(api));
    }
    return ids;
  }

  @BeforeEach
  void streams() {
    assumeTrue(Stack.streams(), "needs a gateway that streams");
  }

  @Test
  void aStreamBeginsWithItsHeadersAndRetryTime(Given given) {
    try (Following stream = Following.open(given.api(), "")) {
      assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
      assertThat(stream.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(stream.headers().firstValue("Service-Version")).hasValue("2026-09-01");
      assertThat(stream.headers().firstValue("X-Request-Id").orElse("")).startsWith("req_");
      for (String name : List.of("Limit", "Remaining", "Reset")) {
        assertThat(stream.headers().firstValue("X-RateLimit-" + name)).isPresent();
      }
      assertThat(stream.lines().getFirst()).isEqualTo("retry: 3000");
    }
  }

  @Test
  void aFrameHasTheEventsIdAndItsEnvelopeOnOneLine(Given given) {
    ObjectNode sent =
        envelope("order.created")
            .put("workspace_id", "north")
            .put("agent_id", "agent-7")
            .put("session_id", "session-9");
    ((ObjectNode) sent.path("payload")).put("text", "one\ntwo\r\nthree\u2028é").put("n", 1e30);
    try (Following stream = Following.open(given.api(), "")) {
      JsonNode event = given.api().post("/v1/events", sent).is(201);
      JsonNode envelope = stream.await(1).getFirst();
      assertThat(envelope.properties())
          .extracting(Map.Entry::getKey)
          .containsExactlyInAnyOrder(
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
              "cursor");
      envelope
          .properties()
          .forEach(
              field -> {
                if (!field.getKey().equals("cursor")) {
                  assertThat(field.getValue()).isEqualTo(event.get(field.getKey()));
                }
              });
      List<String> lines = stream.lines();
      assertThat(lines.subList(0, 4))
          .containsExactly(
              "retry: 3000", "", "id: " + event.path("id").asText(), "event: envelope");
      assertThat(lines.get(4)).startsWith("data: {");
      Await.until(Duration.ofSeconds(5), stream::lines, all -> all.size() >= 6);
      assertThat(stream.lines().get(5)).isEmpty();
    }
  }

  @Test
  void aStreamWithoutACursorBeginsNow(Given given) {
    ingest(given.api(), 3);
    try (Following stream = Following.open(given.api(), "")) {
      List<String> later = ingest(given.api(), 5);
      stream.await(5);
      assertThat(stream.ids()).isEqualTo(later);
    }
  }

  @Test
  void everyStreamSeesEverythingAndMutatesNothing(Given given) {
    try (Following one = Following.open(given.api(), "");
        Following other = Following.open(given.api(), "")) {
      List<String> ids = ingest(given.api(), 4);
      one.await(4);
      other.await(4);
      assertThat(one.ids()).isEqualTo(ids).isEqualTo(other.ids());
    }
  }

  @Test
  void filtersAreCombinedWithAnd(Given given) {
    Api api = given.api();
    Map<String, List<Integer>> wanted =
        Map.of(
            "?event_type=order.created", List.of(0),
            "?event_type=order.*", List.of(0),
            "?event_type=order.*.*", List.of(1),
            "?event_type=*.created", List.of(0, 2),
            "?source=till", List.of(1),
            "?workspace_id=north", List.of(2),
            "?event_type=*.created&source=shop&workspace_id=north", List.of(2),
            "?source=nobody", List.of(),
            "", List.of(0, 1, 2, 3));
    Map<String, Following> streams = new java.util.HashMap<>();
    wanted.keySet().forEach(query -> streams.put(query, Following.open(api, query)));
    List<String> ids =
        List.of(
            ingest(api, envelope("order.created")),
            ingest(api, envelope("order.refund.issued").put("source", "till")),
            ingest(api, envelope("ticket.created").put("workspace_id", "north")),
            ingest(api, envelope("last.one")));
    Objects.requireNonNull(streams.get("")).await(ids.getLast());
    wanted.forEach(
        (query, places) -> {
          try (Following stream = Objects.requireNonNull(streams.get(query))) {
            stream.await(places.size());
            assertThat(stream.ids()).as(query).isEqualTo(places.stream().map(ids::get).toList());
          }
        });
  }

  @Test
  void invalidParametersAreRefusedBeforeTheStreamBegins(Given given) {
    Api api = given.api();
    api.get(STREAM + "?event_type=order.**").isInvalid("event_type");
    api.get(STREAM + "?source=").isInvalid("source");
    api.get(STREAM + "?workspace_id=" + "w".repeat(101)).isInvalid("workspace_id");
    api.get(STREAM + "?entity=").isInvalid("entity");
    api.get(STREAM + "?limit=5").isInvalid("limit");
    api.get(STREAM + "?since=2026-01-01T00:00:00Z").isInvalid("since");
    api.get(STREAM + "?order=asc").isInvalid("order");
    Answer answer = api.get(STREAM + "?colour=red");
    answer.isInvalid("colour");
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    api.post(STREAM).isError(404, "not_found");
  }

  @Test
  void aStreamResumesStrictlyAfterACursorOrEvent(Given given) {
    Api api = given.api();
    List<String> ids = ingest(api, 4);
    String first = "?cursor=" + ids.getFirst();
    String cursor;
    try (Following stream = Following.open(api, first)) {
      cursor = stream.await(3).getFirst().path("cursor").asText();
      assertThat(stream.ids()).isEqualTo(ids.subList(1, 4));
    }
    List<String> rest = ids.subList(2, 4);
    try (Following stream = Following.open(api, "?cursor=" + cursor)) {
      stream.await(2);
      assertThat(stream.ids()).isEqualTo(rest);
    }
    try (Following stream = Following.open(api, "", "Last-Event-ID", cursor)) {
      stream.await(2);
      assertThat(stream.ids()).isEqualTo(rest);
    }
    // A browser that reconnects sends what it was opened with, too.
    try (Following stream = Following.open(api, first, "Last-Event-ID", ids.get(1))) {
      stream.await(2);
      assertThat(stream.ids()).isEqualTo(rest);
    }
    String posted = api.get("/v1/events/" + ids.get(1)).is(200).path("cursor").asText();
    try (Following stream = Following.open(api, "?cursor=" + posted)) {
      stream.await(2);
      assertThat(stream.ids()).isEqualTo(rest);
    }
  }

  @Test
  void cursorsAreBoundToTheFilterAndSharedWithTheList(Given given) {
    Api api = given.api();
    ingest(api, 3);
    try (Following stream = Following.open(api, "?source=shop")) {
      ingest(api);
      String cursor = stream.await(1).getFirst().path("cursor").asText();
      String later = ingest(api);
      assertThat(api.get("/v1/events?source=shop&order=asc&cursor=" + cursor).ids())
          .containsExactly(later);
      for (String other : List.of("?", "?source=till&", "?source=shop&event_type=order.*&")) {
        api.get(STREAM + other + "cursor=" + cursor).isError(400, "invalid_cursor");
      }
      api.get(STREAM + "?source=shop&cursor=" + cursor + "x").isError(400, "invalid_cursor");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cur_",
        "cur_nonsense",
        "ev_",
        "ev_1",
        "nonsense",
        "pl_00000000000000000000000000",
        "ev_00000000000000000000000000"
      })
  void aCursorThatNamesNothingIsInvalid(String cursor, Given given) {
    given.api().get(STREAM + "?cursor=" + cursor).isError(400, "invalid_cursor");
    if (!cursor.isEmpty()) {
      given.api().get(STREAM, "Last-Event-ID", cursor).isError(400, "invalid_cursor");
    }
  }

  @Test
  void cursorsOfAnotherTenantOrModeAreInvalid(Given given) {
    String live = ingest(given.api());
    String cursor = given.api().get("/v1/events/" + live).is(200).path("cursor").asText();
    for (Api other : List.of(given.anotherTenant(), given.testApi())) {
      other.get(STREAM + "?cursor=" + live).isError(400, "invalid_cursor");
      other.get(STREAM, "Last-Event-ID", live).isError(400, "invalid_cursor");
      other.get(STREAM + "?cursor=" + cursor).isError(400, "invalid_cursor");
    }
  }

  @Test
  void aStreamShowsOnlyEventsOfItsTenantAndMode(Given given) {
    Api stranger = given.anotherTenant();
    try (Following live = Following.open(given.api(), "");
        Following test = Following.open(given.testApi(), "");
        Following others = Following.open(stranger, "")) {
      String one = ingest(given.api());
      String two = ingest(given.testApi());
      String three = ingest(stranger);
      live.await(one);
      test.await(two);
      others.await(three);
      assertThat(live.ids()).containsExactly(one);
      assertThat(test.ids()).containsExactly(two);
      assertThat(others.ids()).containsExactly(three);
    }
  }

  @Test
  void aPinnedKeySeesItsWorkspaceOnly(Given given) {
    Api pinned = given.apiWith(Json.object().put("role", "read_only").put("workspace_id", "north"));
    String hidden = ingest(given.api());
    pinned.get(STREAM + "?cursor=" + hidden).isError(400, "invalid_cursor");
    try (Following stream = Following.open(pinned, "")) {
      ingest(given.api());
      String seen = ingest(given.api(), envelope("a.b").put("workspace_id", "north"));
      stream.await(seen);
      assertThat(stream.ids()).containsExactly(seen);
    }
  }

  @Test
  void backfillThenTailHasNoGapAndNoOverlap(Given given) {
    Api api = given.api();
    List<String> ids = new ArrayList<>(ingest(api, 5));
    List<String> got = new ArrayList<>();
    String query = "/v1/events?limit=2&event_type=order.*";
    JsonNode page = api.get(query).is(200);
    while (true) {
      page.path("data").forEach(event -> got.add(event.path("id").asText()));
      if (!page.path("has_more").asBoolean()) {
        break;
      }
      ids.addAll(ingest(api, 1));
      page = api.get(query + "&cursor=" + page.path("next_cursor").asText()).is(200);
    }
    ids.addAll(ingest(api, 2));
    String from = "?event_type=order.*&cursor=" + page.path("next_cursor").asText();
    try (Following stream = Following.open(api, from)) {
      ids.addAll(ingest(api, 2));
      stream.await(ids.getLast());
      got.addAll(stream.ids());
    }
    assertThat(got).doesNotHaveDuplicates().hasSameElementsAs(ids);
  }

  @Test
  void anEnvelopeIsDeliveredWhenAPlanFirstTouchesTheEntity(Given given) {
    Api api = given.api();
    String entity = "order:" + Given.unique("o");
    String query = "?entity=" + Api.encode(entity);
    Operator operator = given.operator(Given.alert(Given.NOTE));
    String first = ingest(api);
    String second = ingest(api);
    try (Following stream = Following.open(api, query)) {
      propose(operator, second, entity);
      stream.await(1);
      propose(operator, second, entity); // touches it again, which is nothing new
      propose(operator, first, "order:" + Given.unique("other"));
      propose(operator, first, entity);
      stream.await(2);
      assertThat(stream.ids()).containsExactly(second, first);
      String cursor = stream.envelopes().getFirst().path("cursor").asText();
      for (String from : List.of("&cursor=" + cursor, "&cursor=" + second)) {
        try (Following resumed = Following.open(api, query + from)) {
          resumed.await(1);
          assertThat(resumed.ids()).containsExactly(first);
        }
      }
    }
  }

  private static void propose(Operator operator, String event, String entity) {
    ObjectNode action = operator.note(entity);
    operator
        .api()
        .post(
            "/v1/operators/" + operator.id() + "/plans",
            Operator.proposal(action).put("event_id", event))
        .is(201);
  }

  @Test
  void aTenantHasTwentyStreamsOfBothModesTogether(Given given) {
    Api api = given.api();
    List<Following> streams = new ArrayList<>();
    try {
      for (int at = 0; at < 20; at++) {
        streams.add(Following.open(at % 2 == 0 ? api : given.testApi(), ""));
      }
      Answer refused = api.get(STREAM);
      refused.isError(429, "quota_exceeded");
      assertThat(refused.header("Retry-After")).isEqualTo("60");
      given.anotherTenant().get(STREAM);
      streams.removeLast().close();
      Await.until(Duration.ofSeconds(10), () -> api.get(STREAM).status(), status -> status == 200);
    } finally {
      streams.forEach(Following::close);
    }
  }

  @Test
  void openingAStreamCountsAsARead(Stack stack) {
    Api api = stack.api(stack.anotherTenant(null, null, null, Map.of("events.read", 1)).live());
    assertThat(api.get(STREAM).header("X-RateLimit-Limit")).isEqualTo("1");
    assertThat(api.get(STREAM).status()).isEqualTo(200);
    api.get("/v1/events").isError(429, "rate_limited");
    Answer refused = api.get(STREAM);
    refused.isError(429, "rate_limited");
    assertThat(refused.header("Content-Type")).isEqualTo("application/json");
    assertThat(refused.header("Retry-After")).isNotEmpty();
  }

  @Test
  void aRevokedKeyClosesItsStreamsWithinFifteenSeconds(Given given) {
    JsonNode key =
        given
            .api()
            .post("/v1/keys", Json.object().put("name", Given.unique("key")).put("role", "admin"))
            .is(201);
    try (Following stream = Following.open(given.api().as(key.path("secret").asText()), "");
        Following others = Following.open(given.api(), "")) {
      given.api().delete("/v1/keys/" + key.path("id").asText()).is(200);
      stream.awaitEnd(Duration.ofSeconds(15));
      others.await(ingest(given.api()));
      assertThat(others.hasEnded()).isFalse();
    }
  }

  @Test
  void aStreamIsKeptAliveEveryFifteenSeconds(Given given) {
    long began = System.nanoTime();
    try (Following stream = Following.open(given.api(), "?source=nobody")) {
      Await.until(Duration.ofSeconds(40), stream::lines, lines -> lines.contains(": keep-alive"));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(14));
      assertThat(stream.lines()).startsWith("retry: 3000", "", ": keep-alive");
    }
  }

  @Test
  void aReaderThatDoesNotReadIsClosedAndResumes(Given given) throws Exception {
    Api api = given.api();
    ObjectNode large = envelope("a.b");
    ((ObjectNode) large.path("payload")).put("text", "x".repeat(200_000));
    List<String> ids = new ArrayList<>();
    String first = ingest(api);
    String received;
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(64 * 1024);
      socket.connect(
          new java.net.InetSocketAddress(api.baseUrl().getHost(), api.baseUrl().getPort()));
      String request =
          "GET "
              + STREAM
              + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
              + api.key()
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      for (int at = 0; at < 20; at++) {
        ids.add(ingest(api, large));
      }
      // Its slot is free again once it is closed, long before its time is up.
      Await.pause(Duration.ofSeconds(8));
      received = readToItsEnd(socket);
    }
    assertThat(received).doesNotContain(ids.getLast());
    int last = received.lastIndexOf("\nid: ");
    String resumeAfter =
        last < 0 ? first : received.substring(last + 5, Math.min(received.length(), last + 34));
    try (Following stream =
        Following.open(api, "", "Last-Event-ID", ids.contains(resumeAfter) ? resumeAfter : first)) {
      stream.await(ids.getLast());
    }
  }

  /** All that comes until the server has closed the connection, in whatever way. */
  private static String readToItsEnd(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    StringBuilder received = new StringBuilder();
    byte[] buffer = new byte[8192];
    InputStream in = socket.getInputStream();
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        received.append(new String(buffer, 0, read, ISO_8859_1));
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("It is still open.", e);
    } catch (IOException e) {
      // A reset: closed as well.
      return received.toString();
    }
    return received.toString();
  }
}
