package io.actiongovernance.localstack.acceptance.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Real input: the webhook payloads that GitHub sends, as {@code @octokit/webhooks-examples} has
 * them, and an operator that labels issues through {@code cn-github} and may close them only with a
 * human's approval.
 */
@Acceptance
final class GithubEventsSpec {
  private static final String PAYLOADS = "@octokit/webhooks-examples/api.github.com/index.json";
  private static final Duration LONGEST = Duration.ofMinutes(3);

  /** Closes what was locked, labels everything else once. */
  private static final String PLANS =
      """
      [{"event_type":"issues.locked","reasoning":"{{payload.issue.title}} was locked.",
        "actions":[{"connector":"CONNECTOR","tool":"github.issue.close",
          "args":{"owner":"{{payload.repository.owner.login}}","repo":"{{payload.repository.name}}",
                  "number":"{{payload.issue.number}}","state_reason":"not_planned"},
          "entity_key":"issue:{{payload.repository.full_name}}#{{payload.issue.number}}"}]},
       {"event_type":"issues.*","reasoning":"{{payload.issue.title}} needs a look.",
        "actions":[{"connector":"CONNECTOR","tool":"github.issue.add_label",
          "args":{"owner":"{{payload.repository.owner.login}}","repo":"{{payload.repository.name}}",
                  "number":"{{payload.issue.number}}","label":"triage"},
          "entity_key":"issue:{{payload.repository.full_name}}#{{payload.issue.number}}",
          "idempotency_key":"label-{{payload.issue.node_id}}"}]},
       {"event_type":"pull_request.opened","reasoning":"Somebody wants this in.",
        "actions":[{"connector":"CONNECTOR","tool":"github.issue.add_label",
          "args":{"owner":"{{payload.repository.owner.login}}","repo":"{{payload.repository.name}}",
                  "number":"{{payload.pull_request.number}}","label":"review"},
          "entity_key":"issue:{{payload.repository.full_name}}#{{payload.pull_request.number}}",
          "idempotency_key":"label-{{payload.pull_request.node_id}}"}]}]
      """;

  /** A payload and the type of its event: {@code issues.opened}, {@code push.received}. */
  private record Webhook(String eventType, ObjectNode payload) {
    ObjectNode envelope() {
      ObjectNode envelope = Json.object().put("source", "github").put("event_type", eventType);
      envelope.set("payload", payload);
      return envelope;
    }

    /** The path of the issue in GitHub's API. */
    String issue() {
      JsonNode one = payload.has("issue") ? payload.path("issue") : payload.path("pull_request");
      return "/repos/"
          + payload.at("/repository/full_name").asText()
          + "/issues/"
          + one.path("number").asText();
    }
  }

  private static List<Webhook> webhooks() throws IOException {
    List<Webhook> webhooks = new ArrayList<>();
    for (JsonNode kind : Json.read(Files.readString(Npm.file(PAYLOADS)))) {
      for (JsonNode example : kind.path("examples")) {
        String action = example.path("action").asText("received");
        String type = kind.path("name").asText() + "." + action.replace('-', '_');
        webhooks.add(new Webhook(type, (ObjectNode) example));
      }
    }
    return webhooks;
  }

  @Test
  void everyGithubPayloadTypeIsIngestedAndReturnedAsSent(Given given) throws Exception {
    Map<String, Webhook> byType = new LinkedHashMap<>();
    webhooks().forEach(webhook -> byType.put(webhook.eventType(), webhook));
    List<Webhook> webhooks = List.copyOf(byType.values());
    assertThat(webhooks).hasSizeGreaterThan(100);
    try (ExecutorService senders = Executors.newFixedThreadPool(4)) {
      List<Future<JsonNode>> events = new ArrayList<>();
      for (Webhook webhook : webhooks) {
        events.add(
            senders.submit(() -> given.api().post("/v1/events", webhook.envelope()).is(201)));
      }
      for (int at = 0; at < events.size(); at++) {
        assertThat(events.get(at).get().path("payload")).isEqualTo(webhooks.get(at).payload());
      }
    }
    List<JsonNode> listed = new ArrayList<>();
    String query = "/v1/events?order=asc&limit=100";
    JsonNode page = given.api().get(query).is(200);
    page.path("data").forEach(listed::add);
    while (page.path("has_more").asBoolean()) {
      page = given.api().get(query + "&cursor=" + page.path("next_cursor").asText()).is(200);
      page.path("data").forEach(listed::add);
    }
    assertThat(listed)
        .extracting(event -> event.path("payload"))
        .containsExactlyInAnyOrderElementsOf(
            webhooks.stream().map(one -> (JsonNode) one.payload()).toList());
  }

  @Test
  void eachIssueIsLabelledOnceAndNoneIsClosedBeforeAHumanApproves(Given given) throws Exception {
    List<Webhook> watched =
        webhooks().stream()
            .filter(one -> one.eventType().matches("issues\\..*|pull_request\\.opened"))
            .toList();
    List<String> labelled =
        watched.stream()
            .filter(one -> !one.eventType().equals("issues.locked"))
            .map(Webhook::issue)
            .distinct()
            .toList();
    String operator = operator(given, install(given));
    for (Webhook webhook : watched) {
      given.api().post("/v1/events", webhook.envelope()).is(201);
    }
    List<JsonNode> plans =
        Await.until(LONGEST, () -> plans(given, operator), all -> settled(all, watched.size()));
    assertThat(given.upstream().calls("/repos/"))
        .as("a label may be put again, but only under its key")
        .filteredOn(Upstream.Seen::acted)
        .extracting(call -> call.method() + " " + call.path())
        .containsExactlyInAnyOrderElementsOf(
            labelled.stream().map(issue -> "POST " + issue + "/labels").toList());

    List<JsonNode> held =
        plans.stream().filter(plan -> plan.path("status").asText().equals("proposed")).toList();
    assertThat(held)
        .hasSameSizeAs(
            watched.stream().filter(one -> one.eventType().equals("issues.locked")).toList());
    String first = "/v1/plans/" + held.getFirst().path("id").asText();
    JsonNode plan = given.api().get(first).is(200);
    assertThat(plan.at("/actions/0/verdict/decision").asText()).isEqualTo("ALERT");
    given.api().post(first + "/approve").is(200);
    String second = "/v1/plans/" + held.getLast().path("id").asText();
    given.api().post(second + "/veto", Json.object().put("reason", "Still wanted.")).is(200);
    assertThat(given.upstream().calls("/repos/"))
        .filteredOn(call -> call.method().equals("PATCH"))
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.body().path("state").asText()).isEqualTo("closed");
              assertThat(call.body().path("state_reason").asText()).isEqualTo("not_planned");
              assertThat(call.header("Authorization")).isEqualTo("Bearer ghp_of_this_test_alone");
              assertThat(call.header("X-Correlation-Id"))
                  .isEqualTo(plan.path("correlation_id").asText());
            });
    assertThat(given.api().get("/v1/receipts?outcome=applied&limit=100").data())
        .hasSize(labelled.size() + 1);
  }

  private static List<JsonNode> plans(Given given, String operator) {
    return given.api().get("/v1/plans?limit=100&operator_id=" + operator).data();
  }

  private static boolean settled(List<JsonNode> plans, int expected) {
    return plans.size() == expected
        && plans.stream()
            .allMatch(
                plan ->
                    plan.path("status").asText().equals("executed")
                        || plan.path("waiting_on").asText().equals("approval"));
  }

  private static String install(Given given) {
    ObjectNode body =
        Json.object().put("listing_id", "cn-github").put("name", Given.unique("github"));
    body.putObject("config").put("base_url", given.upstream().url());
    body.putObject("credentials").put("type", "bearer").put("token", "ghp_of_this_test_alone");
    return given.api().post("/v1/connectors", body).is(201).path("id").asText();
  }

  private static String operator(Given given, String connector) {
    ObjectNode fields = Json.object();
    fields.putObject("triggers").putArray("event_types").add("issues.*").add("pull_request.opened");
    fields
        .putObject("model")
        .put("provider", "scripted")
        .set("plans", Json.read(PLANS.replace("CONNECTOR", connector)));
    return given
        .operatorOf(
            given.api(),
            connector,
            fields,
            Given.allow("github.issue.add_label"),
            Given.alert("github.issue.close"))
        .id();
  }
}
