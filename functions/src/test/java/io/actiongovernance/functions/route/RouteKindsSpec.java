package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.RateClass;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.session.Tickets;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every kind of body, credentials, refusal and answer that a table of routes can say. */
final class RouteKindsSpec {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final byte[] FILE =
      "body { color: black }".repeat(100).getBytes(StandardCharsets.UTF_8);

  /** Answers with what it was given. */
  static final class Echo implements RouteHandler<Echo.Said> {
    record Said(
        @Field(doc = "Any text.") String said, @Field(doc = "More.") @Nullable String more) {}

    @Override
    public Reply handle(Call call, Said input) {
      return Reply.ok(input);
    }
  }

  /** Sends the client elsewhere, with two cookies. */
  static final class GoElsewhere implements RouteHandler<NoInput> {
    @Override
    public Reply handle(Call call, NoInput none) {
      return new Reply.With(
          Reply.Redirect.seeOther(URI.create("https://elsewhere.example/")),
          Map.of("Set-Cookie", List.of("a=1; HttpOnly", "b=2; HttpOnly")));
    }
  }

  static final class SayNothing implements RouteHandler<NoInput> {
    @Override
    public Reply handle(Call call, NoInput none) {
      return new Reply.Empty(202);
    }
  }

  static final class GiveFile implements RouteHandler<NoInput> {
    @Override
    public Reply handle(Call call, NoInput none) {
      return new Reply.Asset("text/css", gzip());
    }
  }

  static final class WhoAmI implements RouteHandler<NoInput> {
    @Override
    public Reply handle(Call call, NoInput none) {
      return Reply.ok(Map.of("tenant_id", call.caller().partition().tenant().value()));
    }
  }

  /** Takes one method of JSON-RPC, and refuses all others. */
  static final class Rpc implements RouteHandler<Rpc.Message> {
    record Message(
        @Field(doc = "Always `2.0`.") String jsonrpc,
        @Field(doc = "Of the message.") @Nullable JsonNode id,
        @Field(doc = "The method.") String method,
        @Field(doc = "Its parameters.") @Nullable ObjectNode params) {}

    @Override
    public Reply handle(Call call, Message input) {
      return switch (input.method()) {
        case "add" -> Reply.ok(Map.of("jsonrpc", "2.0", "result", 3));
        case "fail" -> throw new IllegalStateException("On purpose.");
        default -> throw Problem.invalid("method", "There is no such method.");
      };
    }
  }

  private static final List<Route> ROUTES =
      List.of(
          Route.post("echo-form", "/v1/form")
              .taking(Route.Body.FORM)
              .needs(Rights.NONE)
              .handledBy(() -> Echo.class, _ -> new Echo()),
          Route.get("go-elsewhere", "/v1/elsewhere")
              .needs(Rights.NONE)
              .handledBy(() -> GoElsewhere.class, _ -> new GoElsewhere()),
          Route.post("say-nothing", "/v1/nothing")
              .taking(Route.Body.NONE)
              .needs(Rights.NONE)
              .handledBy(() -> SayNothing.class, _ -> new SayNothing()),
          Route.get("give-file", "/v1/file.css")
              .keptBy(Route.Cache.EVERYBODY)
              .needs(Rights.NONE)
              .handledBy(() -> GiveFile.class, _ -> new GiveFile()),
          Route.get("who-am-i", "/v1/me")
              .session(RateClass.MANAGEMENT)
              .needs(Rights.NONE)
              .handledBy(() -> WhoAmI.class, _ -> new WhoAmI()),
          Route.post("rpc", "/v1/rpc")
              .taking(Route.Body.JSON_RPC)
              .refusingAs(Route.Errors.JSON_RPC)
              .withoutIdempotencyKey()
              .needs(Rights.NONE)
              .handledBy(() -> Rpc.class, _ -> new Rpc()));

  private final TestApi api = new TestApi();
  private TestApi.TestTenant tenant;
  private Pipeline pipeline;

  @BeforeEach
  void makeTenant() {
    tenant = api.tenant();
    pipeline = new Pipeline(api.wiring(), ROUTES, false);
  }

  /** The cookie of a session of the tenant's key. */
  private String signedIn() {
    Wiring wiring = api.wiring();
    RequestId request = RequestId.next(wiring.ids());
    Authentication.Known key =
        (Authentication.Known) wiring.apiKeys().authenticate(request, tenant.live());
    Tickets.Issued ticket =
        Outcomes.done(
            wiring
                .tickets()
                .create(key.caller(), SessionId.next(wiring.ids()), null, wiring.ids().next()));
    String value =
        Outcomes.done(wiring.tickets().redeem(request, ticket.text(), wiring.ids().next()))
            .cookie();
    return Objects.requireNonNull(
            SessionCookie.of(wiring.settings()).set(value, Duration.ofHours(1)).get("Set-Cookie"))
        .getFirst()
        .split(";", 2)[0];
  }

  private HttpResponse send(String method, String path, String body, String... headers) {
    Map<String, String> all = new HashMap<>();
    for (int at = 0; at < headers.length; at += 2) {
      all.put(headers[at], headers[at + 1]);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return pipeline.answer(
        new HttpRequest(method, path, path, all, Map.of(), bytes, "192.0.2.1"), LogIds.of(null));
  }

  private static byte[] gzip() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(FILE);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  @Test
  void aFormIsReadAsItsInput() {
    HttpResponse answer =
        send("POST", "/v1/form", "said=two+words&more=%C3%A4", "Content-Type", FORM);
    assertThat(answer.text()).isEqualTo("{\"said\":\"two words\",\"more\":\"ä\"}");
  }

  @Test
  void aMalformedFormIsRefusedWithTheContractsErrors() {
    assertThat(send("POST", "/v1/form", "more=1", "Content-Type", FORM).text())
        .contains("missing_parameter", "\"param\":\"said\"");
    assertThat(send("POST", "/v1/form", "said=1&said=2", "Content-Type", FORM).text())
        .contains("invalid_parameter", "\"param\":\"said\"");
    assertThat(send("POST", "/v1/form", "said=1&other=2", "Content-Type", FORM).text())
        .contains("invalid_parameter", "\"param\":\"other\"");
    assertThat(send("POST", "/v1/form", "said=%zz", "Content-Type", FORM).text())
        .contains("invalid_request");
    assertThat(send("POST", "/v1/form", "{}", "Content-Type", "application/json").status())
        .isEqualTo(400);
  }

  @Test
  void aRedirectGoesElsewhereWithEachCookieInALineOfItsOwn() {
    HttpResponse answer = send("GET", "/v1/elsewhere", "");
    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.headers()).containsEntry("Location", "https://elsewhere.example/");
    assertThat(answer.repeated())
        .containsEntry("Set-Cookie", List.of("a=1; HttpOnly", "b=2; HttpOnly"));
    assertThat(answer.text()).isEmpty();
  }

  @Test
  void anEmptyAnswerHasNoBodyAndNoType() {
    HttpResponse answer = send("POST", "/v1/nothing", "whatever this is");
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.text()).isEmpty();
    assertThat(answer.headers()).doesNotContainKey("Content-Type");
  }

  @Test
  void aFileIsCompressedOnRequestAndCachedForGood() throws IOException {
    HttpResponse plain = send("GET", "/v1/file.css", "");
    assertThat(((Content.Bytes) plain.content()).bytes()).isEqualTo(FILE);
    assertThat(plain.headers())
        .containsEntry("Cache-Control", "public, max-age=31536000, immutable")
        .containsEntry("Vary", "Accept-Encoding")
        .doesNotContainKey("Content-Encoding");
    HttpResponse small = send("GET", "/v1/file.css", "", "Accept-Encoding", "br, gzip;q=0.8");
    assertThat(small.headers()).containsEntry("Content-Encoding", "gzip");
    byte[] sent = ((Content.Bytes) small.content()).bytes();
    assertThat(sent.length).isLessThan(FILE.length);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(sent)).readAllBytes()).isEqualTo(FILE);
    assertThat(send("GET", "/v1/file.css", "", "Accept-Encoding", "gzip;q=0").headers())
        .doesNotContainKey("Content-Encoding");
  }

  @Test
  void aPeopleRouteTakesASessionButNoKey() {
    HttpResponse answer = send("GET", "/v1/me", "", "Cookie", signedIn());
    assertThat(answer.text()).contains(tenant.id());
    assertThat(send("GET", "/v1/me", "", "Authorization", "Bearer " + tenant.live()).text())
        .contains("unauthenticated");
  }

  @Test
  void aMessageIsAnsweredAndRefusedInTheWordsOfJsonRpc() {
    HttpResponse answer = rpc("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"add\",\"_meta\":{}}");
    assertThat(Json.read(answer.text()).path("result").intValue()).isEqualTo(3);
    HttpResponse refused = rpc("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"multiply\"}");
    assertThat(refused.status()).isEqualTo(200);
    JsonNode error = Json.read(refused.text());
    assertThat(error.path("id").textValue()).isEqualTo("a");
    assertThat(error.at("/error/code").intValue()).isEqualTo(-32602);
    assertThat(error.at("/error/data/code").textValue()).isEqualTo("invalid_parameter");
  }

  @Test
  void aMalformedMessageIsRefusedWithTheContractsErrors() {
    for (String body :
        List.of(
            "[]",
            "{}",
            "{\"jsonrpc\":\"1.0\",\"method\":\"add\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"add\"}")) {
      HttpResponse answer = rpc(body);
      assertThat(answer.status()).as(body).isEqualTo(400);
      assertThat(answer.text()).contains("invalid_request");
    }
    assertThat(rpc("{").text()).contains("invalid_json");
  }

  private HttpResponse rpc(String body) {
    return send("POST", "/v1/rpc", body, "Content-Type", "application/json");
  }
}
