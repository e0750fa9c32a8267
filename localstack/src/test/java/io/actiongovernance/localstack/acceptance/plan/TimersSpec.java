package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is recorded when its time has come, without anybody reading it (contract, section 2). A list
 * of receipts is looked at, since reading that records nothing.
 */
@Acceptance
final class TimersSpec {
  private static final ObjectNode BRIEF = Json.object().put("plan_ttl_seconds", 5);
  private static final Duration LATE = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** When the receipt of the plan's expiry was written, once it is. */
  private static Instant recorded(Api api, Plan plan) {
    List<JsonNode> receipts =
        Await.until(
            Duration.ofSeconds(60),
            () -> api.get("/v1/receipts?outcome=expired&plan_id=" + plan.id()).data(),
            found -> !found.isEmpty());
    return Instant.parse(receipts.getFirst().path("written_at").asText());
  }

  private static Instant expiresAt(Plan plan) {
    return Instant.parse(plan.json().path("expires_at").asText());
  }

  @Test
  void anExpiryIsRecordedInTimeWithoutAReader(Given given) {
    Operator operator = given.operatorWith(BRIEF, Given.alert(Given.REFUND));
    Hook hook = Hook.at(given.receiver(), given.api(), "plan.disposed");
    Plan plan = operator.propose(operator.refund("a"));
    Instant told = Instant.parse(hook.attempted(1).at("/attempts/0/at").asText());
    // Within 2 s on a machine of its own; this one is shared with all other tests.
    assertThat(told).isBetween(expiresAt(plan), expiresAt(plan).plus(LATE).plusSeconds(8));
    assertThat(recorded(given.api(), plan)).isBetween(expiresAt(plan), expiresAt(plan).plus(LATE));
    assertThat(plan.now().json().path("disposed_at")).isEqualTo(plan.json().path("expires_at"));
  }

  @Test
  void aTimerWaitsAgainForAPlanExtendedByAHalt(Given given) {
    Operator operator = given.operatorWith(BRIEF, Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    ObjectNode body =
        Json.object().put("scope", "operator").put("id", operator.id()).put("reason", "Stop.");
    String halt = given.api().post("/v1/halts", body).is(201).path("id").asText();
    // Longer than the plan had left.
    Await.until(
        Duration.ofSeconds(30),
        Instant::now,
        now -> now.isAfter(expiresAt(plan).plus(Duration.ofSeconds(1))));
    given.api().post("/v1/halts/" + halt + "/lift", Json.object().put("reason", "On.")).is(200);
    Instant extended = expiresAt(plan.now());
    assertThat(extended).isAfter(expiresAt(plan).plus(Duration.ofSeconds(1)));
    assertThat(recorded(given.api(), plan)).isBetween(extended, extended.plus(LATE));
  }

  @Test
  void expiriesDuringDowntimeAreRecordedAtTheStart(@TempDir Path folder, Stack shared)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Plan due;
      Plan later;
      Given given;
      try (EmbeddedStack stack = Stack.startOn(folder)) {
        var keys = Stack.newTenant(stack, "restarted").keys();
        given =
            new Given(
                shared,
                new Stack.Keys(keys.live(), keys.test()),
                new Api(client, stack.baseUrl(), keys.live()));
        Operator brief = given.operatorWith(BRIEF, Given.alert(Given.REFUND));
        due = brief.propose(brief.refund("a"));
        Operator longer =
            given.operatorWith(
                Json.object().put("plan_ttl_seconds", 15), Given.alert(Given.REFUND));
        later = longer.propose(longer.refund("b"));
      }
      Await.until(Duration.ofSeconds(30), Instant::now, now -> now.isAfter(expiresAt(due)));
      try (EmbeddedStack again = Stack.startOn(folder);
          given) {
        Instant up = Instant.now();
        Api api = new Api(client, again.baseUrl(), given.api().key());
        assertThat(recorded(api, due)).isBefore(up.plus(LATE));
        Instant inTime = up.isAfter(expiresAt(later)) ? up : expiresAt(later);
        assertThat(recorded(api, later)).isBefore(inTime.plus(LATE));
      }
    }
  }

  @Test
  void timersExpirePlansWithoutTheSweeperAndStopWithThem(@TempDir Path folder, Stack shared)
      throws Exception {
    Path executions = folder.resolve("executions").resolve("governance-plan-expiry");
    try (HttpClient client = HttpClient.newHttpClient();
        EmbeddedStack stack = Stack.startOn(folder, withoutSweeper())) {
      var keys = Stack.newTenant(stack, "unswept").keys();
      try (Given given =
          new Given(
              shared,
              new Stack.Keys(keys.live(), keys.test()),
              new Api(client, stack.baseUrl(), keys.live()))) {
        Operator patient =
            given.operatorWith(
                Json.object().put("plan_ttl_seconds", 600), Given.alert(Given.REFUND));
        Plan approved = patient.propose(patient.refund("a"));
        Plan vetoed = patient.propose(patient.refund("b"));
        Await.until(LONGEST, () -> names(executions), names -> names.size() == 2);
        approved.approve();
        vetoed.tryVeto("No.").is(200);
        Await.until(LONGEST, () -> names(executions), List::isEmpty);

        Operator brief = given.operatorWith(BRIEF, Given.alert(Given.REFUND));
        Plan plan = brief.propose(brief.refund("c"));
        Await.until(LONGEST, () -> names(executions), List.of(plan.id() + ".json")::equals);
        assertThat(recorded(given.api(), plan))
            .isBetween(expiresAt(plan), expiresAt(plan).plus(LATE));
        Await.until(LONGEST, () -> names(executions), List::isEmpty);
      }
    }
  }

  private static Service withoutSweeper() {
    Service whole = Service.governance();
    return new Service(
        whole.resources(),
        whole.api(),
        whole.timeout(),
        whole.streams(),
        whole.stream(),
        whole.triggers().stream().filter(one -> !one.function().equals("sweep")).toList());
  }

  /** The executions that are not over. */
  private static List<String> names(Path executions) {
    try (Stream<Path> files = Files.list(executions)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
