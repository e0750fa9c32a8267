package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for what comes of plans and actions (contract for agents, section 2). */
@Acceptance
@Isolated // three hundred requests at once want the processor for themselves
final class WaitingSpec {
  private static Duration taking(Runnable work) {
    Instant before = Instant.now();
    work.run();
    return Duration.between(before, Instant.now());
  }

  private static Plan held(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    return operator.propose(operator.refund(Given.unique("ch")));
  }

  private static JsonNode approve(Given given, Plan plan) {
    ObjectNode body = Json.object().put("approver", "dana");
    return given.api().postPatiently(plan.path() + "/approve", body).is(200);
  }

  @Test
  void aWaitForAPlanEndsWhenItIsApprovedAndDisposed(Given given) throws Exception {
    Plan plan = held(given);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<JsonNode> waiting =
          threads.submit(() -> given.api().get(plan.path() + "?wait=25").is(200));
      Future<JsonNode> action =
          threads.submit(
              () -> given.api().get("/v1/actions/" + plan.actionId(0) + "?wait=25").is(200));
      approve(given, plan);
      assertThat(waiting.get().path("status").asText()).isEqualTo("executed");
      assertThat(action.get().path("disposition").asText()).isEqualTo("ALERT");
    }
  }

  @Test
  void anOpenPlanIsAnsweredAsItIsWhenTheWaitEnds(Given given) {
    Plan plan = held(given);
    Duration took =
        taking(
            () ->
                assertThat(given.api().get(plan.path() + "?wait=1").is(200).path("status").asText())
                    .isEqualTo("proposed"));
    assertThat(took).isBetween(Duration.ofMillis(700), Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "26", "999", "-1", "1.5", "", "soon", "99999999999999999999", "01"})
  void aWaitIsAWholeNumberOfSecondsFromOneToTwentyFive(String wait, Given given) {
    Plan plan = held(given);
    given.api().get(plan.path() + "?wait=" + wait).isInvalid("wait");
    given.api().get("/v1/actions/" + plan.actionId(0) + "?wait=" + wait).isInvalid("wait");
    String proposals = "/v1/operators/" + plan.json().path("operator_id").asText() + "/plans";
    ObjectNode nothing = Operator.proposal();
    if (!wait.equals("0")) {
      given.proposer().post(proposals + "?wait=" + wait, nothing).isInvalid("wait");
    }
    given.proposer().post(proposals + "?await=1", nothing).isInvalid("await");
  }

  @Test
  void aProposalWithoutAWaitIsAnsweredAtOnce(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    String path = "/v1/operators/" + operator.id() + "/plans";
    ObjectNode body = Operator.proposal(operator.refund(Given.unique("ch")));
    JsonNode plan = operator.proposer().post(path + "?wait=0", body).is(201);
    assertThat(plan.path("disposed_at").isNull()).isTrue();
    gate.open();
    String one = "/v1/plans/" + plan.path("id").asText();
    assertThat(given.api().get(one + "?wait=25").is(200).path("status").asText())
        .isEqualTo("executed");
  }

  @Test
  void aPlanTheKeyCannotSeeIsRefusedAtOnce(Given given) {
    assertThat(
            taking(
                () ->
                    given
                        .api()
                        .get("/v1/plans/pl_" + "0".repeat(26) + "?wait=25")
                        .isError(404, "not_found")))
        .isLessThan(Duration.ofSeconds(20));
  }

  /** Nobody who reads takes what approving needs, and each of them is answered. */
  @Test
  void threeHundredWaitsAreAnsweredWithoutBlockingApprovals(Given given) throws Exception {
    Plan plan = held(given);
    Plan other = held(given);
    List<Future<JsonNode>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int at = 0; at < 300; at++) {
        all.add(threads.submit(() -> given.api().get(plan.path() + "?wait=25").is(200)));
      }
      approve(given, other);
      approve(given, plan);
      int disposed = 0;
      for (Future<JsonNode> one : all) {
        disposed += one.get().path("disposed_at").isNull() ? 0 : 1;
      }
      assertThat(disposed).isPositive();
    }
  }

  @Test
  void anAbandonedWaitDoesNotBlockOthers(Given given) throws Exception {
    Plan plan = held(given);
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int at = 0; at < 5; at++) {
        var request =
            given.api().request(plan.path() + "?wait=25").timeout(Duration.ofMillis(300)).build();
        try {
          client.send(request, BodyHandlers.ofString());
        } catch (HttpTimeoutException e) {
          assertThat(e).isNotNull(); // That is how it hangs up.
        }
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<JsonNode> waiting =
          threads.submit(() -> given.api().get(plan.path() + "?wait=25").is(200));
      approve(given, plan);
      assertThat(waiting.get().path("status").asText()).isEqualTo("executed");
    }
  }
}
