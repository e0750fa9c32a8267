package io.actiongovernance.localstack.acceptance.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Behaviour.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels, which ring and decide nothing (contract for people, section 5). */
@Acceptance
final class ChannelsSpec {
  private static final String ALL = "/v1/channels";
  private static final Pattern LINK = Pattern.compile("<(https?://[^|>]+)\\|");

  /** How soon a channel rings that is reached at once; the machine may be busy. */
  private static final Duration SOON = Duration.ofSeconds(60);

  /** How soon a digest comes of what came just after a ring. */
  private static final Duration A_MINUTE = Duration.ofSeconds(100);

  private static ObjectNode slack(String url, String... types) {
    ObjectNode body = Json.object().put("type", "slack").put("url", url);
    for (String type : types) {
      body.withArray("types").add(type);
    }
    return body;
  }

  private static ObjectNode slack() {
    return slack("https://hooks.example/services/" + Given.unique("hook"), "halt");
  }

  private static ObjectNode mail(String host, int port) {
    ObjectNode body =
        Json.object()
            .put("type", "email")
            .put("host", host)
            .put("port", port)
            .put("from", "gov@acme.example");
    body.putArray("to").add("dana@acme.example");
    body.putArray("types").add("approval.requested");
    body.putObject("credentials")
        .put("username", Mailbox.USER)
        .put("password", Given.unique("password"));
    return body;
  }

  /** A channel of a test at its receiver. */
  private record Bell(Api api, Receiver receiver, String target, String path) {
    static Bell at(Given given, ObjectNode fields, String... types) {
      String target = "/services/" + Given.unique("bell");
      ObjectNode body = slack(given.receiver().url(target), types).setAll(fields);
      String id = given.api().post(ALL, body).is(201).path("id").asText();
      return new Bell(given.api(), given.receiver(), target, ALL + "/" + id);
    }

    List<JsonNode> rung() {
      return receiver.received(target).stream().map(Receiver.Received::json).toList();
    }

    List<JsonNode> await(int count) {
      return Await.until(SOON, this::rung, come -> come.size() >= count);
    }
  }

  private static Operator.Plan held(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    return operator.propose(operator.refund(Given.unique("ch"), "42.00"));
  }

  @Test
  void aChannelOfSlackHasItsFieldsAndItsUrlIsNeverShown(Given given) {
    ObjectNode wanted = slack().put("description", "The refund desk");
    JsonNode channel = Shape.CHANNEL.of(given.api().post(ALL, wanted).is(201));
    assertThat(channel.path("id").asText()).matches("chn_[0-9a-z]{26}");
    assertThat(channel.path("object").asText()).isEqualTo("channel");
    assertThat(channel.path("type").asText()).isEqualTo("slack");
    assertThat(channel.path("types")).isEqualTo(wanted.path("types"));
    assertThat(channel.path("operators")).isEmpty();
    assertThat(channel.path("description").asText()).isEqualTo("The refund desk");
    assertThat(channel.path("url").asText()).isEqualTo("https://hooks.example/…");
    assertThat(channel.path("status").asText()).isEqualTo("active");
    assertThat(channel.path("to")).isEmpty();
    for (String unset : List.of("workspace_id", "host", "port", "from", "failing_since")) {
      assertThat(channel.path(unset).isNull()).as(unset).isTrue();
    }
    String path = ALL + "/" + channel.path("id").asText();
    assertThat(Shape.CHANNEL.of(given.api().get(path).is(200))).isEqualTo(channel);
    assertThat(given.api().get(ALL).data()).containsExactly(channel);
    assertThat(given.api().patch(path, Json.object()).is(200)).isEqualTo(channel);
  }

  @Test
  void aChannelOfMailHasItsFieldsAndItsCredentialsAreNeverShown(Given given) {
    ObjectNode wanted = mail("SMTP.example.com", 587);
    JsonNode channel = Shape.CHANNEL.of(given.api().post(ALL, wanted).is(201));
    assertThat(channel.path("host").asText()).isEqualTo("smtp.example.com");
    assertThat(channel.path("port").asInt()).isEqualTo(587);
    assertThat(channel.path("from").asText()).isEqualTo("gov@acme.example");
    assertThat(channel.path("to")).isEqualTo(wanted.path("to"));
    assertThat(channel.path("has_credentials").booleanValue()).isTrue();
    assertThat(channel.path("url").isNull()).isTrue();
    assertThat(channel.toString())
        .doesNotContain(wanted.at("/credentials/password").asText(), "username");
    String path = ALL + "/" + channel.path("id").asText();
    ObjectNode moved = Json.object().put("host", "smtp.other.example");
    JsonNode missing = given.api().patch(path, moved).isError(400, "missing_parameter");
    assertThat(missing.path("param").asText()).isEqualTo("credentials");
    JsonNode none = given.api().patch(path, moved.putNull("credentials")).is(200);
    assertThat(none.path("has_credentials").booleanValue()).isFalse();
    assertThat(none.path("host").asText()).isEqualTo("smtp.other.example");
  }

  @Test
  void theListIsNewestFirstWithoutDeletedChannels(Given given) {
    Api api = given.api();
    String one = api.post(ALL, slack()).is(201).path("id").asText();
    String two = api.post(ALL, slack()).is(201).path("id").asText();
    String three = api.post(ALL, slack()).is(201).path("id").asText();
    Lists.hold(api, ALL, List.of(three, two, one));
    JsonNode deleted = api.delete(ALL + "/" + two).is(200);
    assertThat(deleted)
        .isEqualTo(Json.object().put("id", two).put("object", "channel").put("deleted", true));
    api.get(ALL + "/" + two).isError(404, "not_found");
    api.delete(ALL + "/" + two).isError(404, "not_found");
    api.post(ALL + "/" + two + "/test").isError(404, "not_found");
    assertThat(api.get(ALL).ids()).containsExactly(three, one);
    assertThat(api.get("/v1/webhook_endpoints").ids()).as("they are no endpoints").isEmpty();
  }

  @Test
  void theTwentyFirstChannelIsRefused(Given given) {
    Api api = given.api();
    for (int count = 0; count < 20; count++) {
      api.post(ALL, slack()).is(201);
    }
    api.post(ALL, slack()).isError(429, "quota_exceeded");
    given.testApi().post(ALL, slack()).isError(429, "quota_exceeded");
    api.delete(ALL + "/" + api.get(ALL).ids().getFirst()).is(200);
    api.post(ALL, slack()).is(201);
  }

  @Test
  void aRepeatedCreateRequestMakesOneChannel(Given given) {
    String key = Given.unique("key");
    ObjectNode body = slack();
    JsonNode made = given.api().post(ALL, body, "Idempotency-Key", key).is(201);
    assertThat(given.api().post(ALL, body, "Idempotency-Key", key).is(200)).isEqualTo(made);
    assertThat(given.api().get(ALL).ids()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "url, '\"http://hooks.example/\"'",
    "url, '\"https://169.254.169.254/latest\"'",
    "url, '\"https://10.0.0.1/\"'",
    "type, '\"teams\"'",
    "types, '[]'",
    "types[0], '[\"receipt.written\"]'",
    "operators[0], '[\"op_00000000000000000000000000\"]'",
    "host, '\"smtp.example.com\"'",
    "to, '[\"dana@acme.example\"]'",
    "status, '\"suspended\"'",
  })
  void anInvalidSlackChannelIsRefused(String param, String value, Given given) {
    ObjectNode body = slack();
    body.set(param.replaceAll("\\[.*", ""), Json.read(value));
    given.api().post(ALL, body).isInvalid(param);
    assertThat(given.api().get(ALL).ids()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "port, '25'",
    "host, '\"127.0.0.1.example/x\"'",
    "host, '\"192.168.0.1\"'",
    "from, '\"Gov <gov@acme.example>\"'",
    "to[0], '[\"dana@acme.example\\r\\nBcc: eve@evil.example\"]'",
    "url, '\"https://hooks.example/\"'",
  })
  void anInvalidMailChannelIsRefused(String param, String value, Given given) {
    ObjectNode body = mail("smtp.example.com", 465);
    body.set(param.replaceAll("\\[.*", ""), Json.read(value));
    given.api().post(ALL, body).isInvalid(param);
    assertThat(given.api().get(ALL).ids()).isEmpty();
  }

  @Test
  void aHeldPlansSlackMessageHasRequesterDeadlineAndLink(Given given) {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    Operator.Plan plan = held(given);
    JsonNode rung = bell.await(1).getFirst();
    String text = rung.path("text").asText();
    assertThat(text)
        .contains("Approval requested")
        .contains("Refund 42.00 of charge ch-")
        .contains("Asked for by: key-")
        .contains("?plan=" + plan.id());
    String until = plan.json().path("expires_at").asText().replace("T", " ").substring(0, 16);
    assertThat(text).contains("Until: " + until + " UTC");
    assertThat(rung.path("blocks").toString()).contains("(from what the agent said)");
    JsonNode shown =
        Await.until(
            SOON,
            () -> given.api().get(bell.path()).is(200),
            channel -> !channel.path("last_delivery_at").isNull());
    assertThat(shown.path("failing_since").isNull()).isTrue();
    assertThat(bell.rung()).as("once").hasSize(1);
  }

  @Test
  void aPlanOfSeveralActionsRingsWithTheGravestAndTheTotal(Given given) {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    operator.propose(
        operator.note("n"),
        operator.refund("small", "1.00"),
        operator.refund("large", "999.00"),
        operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")));
    assertThat(bell.await(1).getFirst().path("text").asText())
        .contains("Refund 999.00 of charge large")
        .contains("And: 2 more actions")
        .contains("Value: 1000.00")
        .contains("Blocked: 1 action")
        .contains("Tier: 2");
  }

  @Test
  void followingTheLinkDecidesNothing(Given given) throws Exception {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    Operator.Plan plan = held(given);
    Matcher link = LINK.matcher(bell.await(1).getFirst().path("text").asText());
    assertThat(link.find()).isTrue();
    try (HttpClient scanner =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build()) {
      for (String method : List.of("HEAD", "GET", "POST", "HEAD", "GET")) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(link.group(1)))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        scanner.send(request, BodyHandlers.discarding());
      }
    }
    JsonNode now = plan.now().json();
    assertThat(now.path("status").asText()).isEqualTo("proposed");
    assertThat(now.path("waiting_on").asText()).isEqualTo("approval");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aHeldPlanRingsByMail(Given given) throws Exception {
    given.receiver(); // Where certificates are not trusted, nothing can be told.
    try (Mailbox mailbox = new Mailbox()) {
      ObjectNode body = mail(Receiver.HOST, mailbox.port());
      ((ObjectNode) body.path("credentials")).put("password", mailbox.password());
      given.api().post(ALL, body).is(201);
      Operator.Plan plan = held(given);
      Mailbox.Mail mail = mailbox.await(1).getFirst();
      assertThat(mail.from()).isEqualTo("gov@acme.example");
      assertThat(mail.to()).isEqualTo("dana@acme.example");
      assertThat(mail.text())
          .contains("Subject: Approval requested: Refund 42.00 of charge ch-")
          .contains("Until: ")
          .contains("/console?plan=" + plan.id());
    }
  }

  @Test
  void aChannelRingsOnlyForItsTypesAndOperators(Given given) {
    Operator first = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Operator second = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    ObjectNode ofSecond = Json.object();
    ofSecond.putArray("operators").add(second.id());
    Bell all = Bell.at(given, Json.object(), "approval.requested");
    Bell one = Bell.at(given, ofSecond, "approval.requested", "plan.disposed");
    first.propose(first.note(Given.unique("note"))).await("executed");
    Operator.Plan foreign = first.propose(first.refund(Given.unique("ch")));
    Operator.Plan own = second.propose(second.refund(Given.unique("ch")));
    assertThat(all.await(1))
        .hasSize(1)
        .anyMatch(each -> says(each, foreign.id()))
        .allMatch(each -> says(each, "Approval requested"));
    one.await(1);
    own.approve();
    List<JsonNode> rung = Await.until(A_MINUTE, one::rung, come -> come.size() == 2);
    assertThat(says(rung.getFirst(), own.id())).isTrue();
    assertThat(says(rung.getLast(), "Plans disposed: 1 plan of")).isTrue();
    JsonNode last = Await.until(A_MINUTE, all::rung, come -> come.size() == 2).getLast();
    assertThat(says(last, "1 more in the last minute")).isTrue();
    assertThat(says(last, "disposed")).as("it does not ring for what is disposed of").isFalse();
  }

  @Test
  void furtherPlansWithinAMinuteAreSentAsOneDigest(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    Together.all(12, at -> operator.propose(operator.refund("burst-" + at)));
    List<JsonNode> rung = Await.until(A_MINUTE, bell::rung, come -> come.size() >= 2);
    assertThat(rung).hasSize(2);
    assertThat(says(rung.getFirst(), "*Approval requested*")).isTrue();
    assertThat(List.of("11 more in the last minute", "Approval requested: 11 plans of", "/console"))
        .allMatch(text -> says(rung.getLast(), text));
  }

  private static boolean says(JsonNode rung, String text) {
    return rung.path("text").asText().contains(text);
  }

  @Test
  void aHaltAndItsLiftBothRing(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode ofOther = Json.object();
    ofOther.putArray("operators").add(given.operator(Given.alert(Given.NOTE)).id());
    Bell bell = Bell.at(given, Json.object(), "halt");
    Bell other = Bell.at(given, ofOther, "halt");
    ObjectNode halt =
        Json.object()
            .put("scope", "operator")
            .put("id", operator.id())
            .put("reason", "Prices are <wrong> @here");
    String id = given.api().post("/v1/halts", halt).is(201).path("id").asText();
    String text = bell.await(1).getFirst().path("text").asText();
    assertThat(text).contains("*Halted*", "Prices are &lt;wrong&gt; ＠here");
    given
        .api()
        .post("/v1/halts/" + id + "/lift", Json.object().put("reason", "They are right again."))
        .is(200);
    assertThat(bell.await(2)).anyMatch(each -> says(each, "*Halt lifted*"));
    assertThat(other.rung()).isEmpty();
  }

  @Test
  void aFailedNotificationIsRetriedUntilItSucceeds(Given given) {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    given.receiver().next(bell.target(), new Answer(500), new Receiver.Behaviour.Reset());
    held(given);
    bell.await(3);
    JsonNode shown =
        Await.until(
            SOON,
            () -> given.api().get(bell.path()).is(200),
            channel -> channel.path("failing_since").isNull());
    assertThat(Instant.parse(shown.path("last_delivery_at").asText())).isNotNull();
  }

  @Test
  void aGoneHookIsNotCalledAgain(Given given) {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    given.receiver().always(bell.target(), new Answer(410));
    held(given);
    Await.until(
        SOON,
        () -> given.api().get(bell.path()).is(200),
        channel -> !channel.path("failing_since").isNull());
    Await.pause(Duration.ofSeconds(3));
    assertThat(bell.rung()).hasSize(1);
  }

  @Test
  void aTestRingsAtOnceAndReportsItsResult(Given given) {
    Bell bell = Bell.at(given, Json.object(), "halt");
    JsonNode passed = Shape.CHANNEL_TEST.of(given.api().post(bell.path() + "/test").is(200));
    assertThat(passed.path("ok").booleanValue()).isTrue();
    assertThat(passed.path("response_status").asInt()).isEqualTo(204);
    assertThat(passed.path("error").isNull()).isTrue();
    assertThat(bell.rung()).hasSize(1).allMatch(each -> says(each, "A test"));
    given.receiver().always(bell.target(), new Answer(404));
    JsonNode failed = Shape.CHANNEL_TEST.of(given.api().post(bell.path() + "/test").is(200));
    assertThat(failed.path("ok").booleanValue()).isFalse();
    assertThat(failed.path("error").asText()).isEqualTo("it answered 404");
    given.api().patch(bell.path(), Json.object().put("status", "disabled")).is(200);
    given.api().post(bell.path() + "/test").isError(409, "state_conflict");
    assertThat(bell.rung()).as("a test is not tried again").hasSize(2);
  }

  @Test
  void aMailTestReportsTheServersAnswer(Given given) throws Exception {
    given.receiver(); // Where certificates are not trusted, nothing can be told.
    try (Mailbox mailbox = new Mailbox()) {
      JsonNode channel = given.api().post(ALL, mail(Receiver.HOST, mailbox.port())).is(201);
      String path = ALL + "/" + channel.path("id").asText();
      JsonNode refused = given.api().post(path + "/test").is(200);
      assertThat(refused.path("ok").booleanValue()).isFalse();
      assertThat(refused.path("response_status").asInt()).isEqualTo(535);
      ObjectNode right = Json.object();
      right
          .putObject("credentials")
          .put("username", Mailbox.USER)
          .put("password", mailbox.password());
      given.api().patch(path, right).is(200);
      assertThat(given.api().post(path + "/test").is(200).path("response_status").asInt())
          .isEqualTo(250);
      assertThat(mailbox.await(1)).hasSize(1);
    }
  }

  @Test
  void aDisabledChannelDoesNotRing(Given given) {
    Bell bell = Bell.at(given, Json.object(), "approval.requested");
    Bell other = Bell.at(given, Json.object(), "approval.requested");
    given.api().patch(bell.path(), Json.object().put("status", "disabled")).is(200);
    held(given);
    other.await(1);
    assertThat(bell.rung()).isEmpty();
  }
}
