package io.actiongovernance.functions.upstream;

import static io.actiongovernance.functions.upstream.Upstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Engine;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each manifest against examples of the API that its source system has published: what a call
 * sends, and what is made of the answer (contract, section 5). The examples are in the resources
 * {@code upstream/}, one file for a listing; the shapes of the requests, from descriptions that
 * machines wrote or read, in {@code upstream/published/}, each naming its source.
 */
class ManifestsSpec {
  private static final List<Listing> LISTINGS =
      new ConnectorFixture()
          .listings.all().stream()
              .filter(listing -> listing.engine() == Engine.HTTP && !listing.toolsInConfig())
              .toList();

  private final HttpFixture it = new HttpFixture();

  @AfterEach
  void close() {
    it.close();
  }

  static List<Listing> listings() {
    return LISTINGS;
  }

  static Stream<Arguments> examples() {
    return LISTINGS.stream()
        .flatMap(
            listing -> {
              JsonNode recorded = recorded(listing);
              return elements(recorded.path("examples"))
                  .map(
                      example ->
                          Arguments.of(
                              Named.of(example.path("tool").textValue(), example), recorded));
            });
  }

  @Test
  void everySourceSystemOfTheContractIsListed() {
    assertThat(LISTINGS)
        .extracting(Listing::id)
        .containsExactlyInAnyOrder(
            "cn-github",
            "cn-slack",
            "cn-stripe",
            "cn-zendesk",
            "cn-jira",
            "cn-pagerduty",
            "cn-asana",
            "cn-hubspot");
  }

  @ParameterizedTest
  @MethodSource("listings")
  void everyToolHasAnExample(Listing listing) {
    assertThat(
            elements(recorded(listing).path("examples")).map(one -> one.path("tool").textValue()))
        .containsAll(listing.tools().stream().map(Tool::name).toList());
  }

  @ParameterizedTest
  @MethodSource("listings")
  void theTestRequestCarriesTheCredentials(Listing listing) {
    JsonNode recorded = recorded(listing);
    it.upstream.then(answer(200, "{\"ok\":true}"));
    assertThat(it.probe.probe(install(recorded))).isInstanceOf(Finding.Passed.class);
    Upstream.Seen seen = it.upstream.seen.getLast();
    assertThat(seen.method() + " " + seen.path()).isEqualTo(recorded.path("test").textValue());
    recorded
        .path("headers")
        .properties()
        .forEach(
            header ->
                assertThat(seen.header(header.getKey())).isEqualTo(header.getValue().textValue()));
  }

  @ParameterizedTest
  @MethodSource("listings")
  void theTestRequestFitsThePublishedShape(Listing listing) {
    it.upstream.then(answer(200, "{\"ok\":true}"));
    it.probe.probe(install(recorded(listing)));
    assertThat(PublishedShape.of(listing).problems(it.upstream.seen.getLast())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aCallFitsThePublishedShape(JsonNode example, JsonNode recorded) {
    Connector connector = install(recorded);
    Tool tool = connector.tool(example.path("tool").textValue()).orElseThrow();
    PublishedShape shape = PublishedShape.of(connector.listing());
    for (JsonNode args : List.of(example.path("args"), least(tool, example.path("args")))) {
      it.upstream.then(answer(200, Json.write(example.at("/response/body"))));

      call(connector, tool, args);

      Upstream.Seen seen = it.upstream.seen.getLast();
      assertThat(shape.problems(seen)).as(Json.write(args)).isEmpty();
      if (tool.reference() != null) {
        assertThat(shape.answers(seen, tool.reference())).as(tool.reference()).isTrue();
      }
    }
  }

  /** Only what the tool requires of these arguments; all of them where that is not enough. */
  private static JsonNode least(Tool tool, JsonNode args) {
    ObjectNode least = Json.object();
    elements(tool.inputSchema().json().path("required"))
        .forEach(name -> least.set(name.textValue(), args.path(name.textValue())));
    return tool.argumentProblem(least).isEmpty() ? least : args;
  }

  @Test
  void aRequestThatDoesNotFitThePublishedShapeIsReported() {
    Listing slack = LISTINGS.stream().filter(one -> one.id().equals("cn-slack")).findFirst().get();
    PublishedShape shape = PublishedShape.of(slack);
    String json = "application/json";
    assertThat(shape.problems(seen("POST", "/api/chat.post", json, "{}"))).hasSize(1);
    assertThat(shape.problems(seen("POST", "/api/chat.delete", json, "{'channel':'C1'}")))
        .hasSize(1);
    assertThat(
            shape.problems(
                seen("POST", "/api/chat.delete", json, "{'channel':'C1','ts':'1','text':'x'}")))
        .hasSize(1);
    assertThat(shape.problems(seen("POST", "/api/auth.test", "text/plain", "{}"))).hasSize(1);
    assertThat(shape.problems(seen("GET", "/api/users.lookupByEmail?mail=x", json, ""))).hasSize(2);
    Upstream.Seen deleted = seen("POST", "/api/chat.delete", json, "{'channel':'C1','ts':'1'}");
    assertThat(shape.problems(deleted)).isEmpty();
    assertThat(shape.answers(deleted, "/ts")).isTrue();
    assertThat(shape.answers(deleted, "/id")).isFalse();
  }

  private static Upstream.Seen seen(String method, String path, String type, String body) {
    return new Upstream.Seen(
        method, path, Map.of("Content-type", List.of(type)), body.replace('\'', '"'));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aCallIsSentAndItsAnswerReadAsPublished(JsonNode example, JsonNode recorded) {
    Connector connector = install(recorded);
    Tool tool = connector.tool(example.path("tool").textValue()).orElseThrow();
    assertThat(tool.argumentProblem(example.path("args"))).isEmpty();
    JsonNode response = example.path("response");
    String body = response.has("body") ? Json.write(response.path("body")) : "";
    it.upstream.then(answer(response.path("status").intValue(), body));

    CallResult result = call(connector, tool, example.path("args"));

    Upstream.Seen seen = it.upstream.seen.getLast();
    assertSent(example.path("request"), recorded.path("headers"), seen);
    if (!seen.body().isEmpty()) {
      assertThat(seen.header("Content-type"))
          .isEqualTo(
              switch (tool.request().encoding()) {
                case JSON -> "application/json";
                case FORM -> "application/x-www-form-urlencoded";
              });
    }
    assertThat(result)
        .isEqualTo(
            new CallResult.Applied(
                body.isEmpty() ? Json.read("null") : response.path("body"),
                example.path("reference").textValue()));
    assertThat(inverse(connector, tool, example, response.path("body")))
        .isEqualTo(example.get("inverse"));
  }

  private static void assertSent(JsonNode request, JsonNode headers, Upstream.Seen seen) {
    assertThat(seen.method() + " " + seen.path())
        .isEqualTo(request.path("method").textValue() + " " + request.path("path").textValue());
    Stream.of(headers, request.path("headers"))
        .flatMap(some -> some.properties().stream())
        .forEach(
            header ->
                assertThat(seen.header(header.getKey())).isEqualTo(header.getValue().textValue()));
    assertThat(seen.header("Idempotency-key")).isEqualTo("key-1");
    JsonNode body = request.path("body");
    if (body.isMissingNode()) {
      assertThat(seen.body()).isEmpty();
    } else if (body.isTextual()) {
      assertThat(seen.body()).isEqualTo(body.textValue());
    } else {
      assertThat(Json.read(seen.body())).isEqualTo(body);
    }
  }

  /** The call that would take it back, which fits the schema of its tool; null for none. */
  private static @Nullable JsonNode inverse(
      Connector connector, Tool tool, JsonNode example, JsonNode result) {
    Tool.Inverse inverse = tool.inverse();
    if (inverse == null) {
      return null;
    }
    JsonNode args = inverse.inverseArgs(example.path("args"), result).orElseThrow();
    assertThat(connector.tool(inverse.tool()).orElseThrow().argumentProblem(args)).isEmpty();
    ObjectNode call = Json.object().put("tool", inverse.tool());
    return call.set("args", args);
  }

  private Connector install(JsonNode recorded) {
    String listingId = recorded.path("listing").textValue();
    Listing listing =
        LISTINGS.stream().filter(one -> one.id().equals(listingId)).findFirst().orElseThrow();
    if (listing.availability() == Availability.EARLY_ACCESS) {
      return ahead(listing);
    }
    ObjectNode body = Json.object().put("listing_id", listingId).put("name", "recorded");
    body.putObject("config").put("base_url", it.upstream.url());
    body.set("credentials", recorded.path("credentials"));
    Connector installed = it.it.installed(Json.write(body));
    return installed.status() == ConnectorStatus.PENDING_AUTH
        ? it.it.authorized(installed)
        : installed;
  }

  /** A connector of a listing that cannot be installed yet. */
  private Connector ahead(Listing listing) {
    ConnectorId id = it.it.newId();
    return new Connector(
        id,
        it.it.partition,
        "ahead",
        listing,
        null,
        ConnectorStatus.CONNECTED,
        null,
        Json.object().put("base_url", it.upstream.url()),
        new Credentials.Bearer("access-1").seal(it.it.sealer, it.it.partition, id),
        List.of(),
        List.of(),
        listing.tools(),
        false,
        1,
        it.it.time.instant(),
        it.it.time.instant(),
        null);
  }

  private CallResult call(Connector connector, Tool tool, JsonNode args) {
    return it.caller.call(
        new ToolCall(
            connector,
            tool,
            args,
            "key-1",
            CorrelationId.next(it.it.ids),
            it.it.time.instant().plus(Duration.ofSeconds(25))));
  }

  private static JsonNode recorded(Listing listing) {
    String name = "/upstream/" + listing.id() + ".json";
    try (InputStream in = ManifestsSpec.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
