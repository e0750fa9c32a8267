package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Behaviour;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Received;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.StackProcess;
import io.actiongovernance.localstack.fixture.Certificates;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The process is killed while webhooks are delivered and while they wait for their next attempt,
 * and started again on the same data: every delivery ends, its attempts counted right, and what
 * succeeded was received. {@code -Dgovernance.kills.seed=…} repeats the moment of a run.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class DeliveryKillsSpec {
  private static final String RECEIPT = "receipt.written";

  /** What nothing in this test is told of but by a test delivery. */
  private static final String TESTED = "webhook_endpoint.status_changed";

  private static final String INTERRUPTED = "interrupted: its result is not known";

  /** Events that lead to a receipt each: as many as are acknowledged in the time, but no more. */
  private static final int EVENTS = 40;

  private static final Duration INGESTING = Duration.ofSeconds(3);

  /** Four attempts; the second comes long enough after the first for a kill in between. */
  private static final String RETRY = "0,10,1,1";

  /**
   * Within which everything ends after the restart: the sweeper finds within a minute what was on
   * its way, within five where the endpoint was failing.
   */
  private static final Duration REST = Duration.ofMinutes(6);

  @Test
  void everyDeliveryEndsWithItsAttemptsCountedRight(@TempDir Path folder, Stack shared)
      throws Exception {
    long seed = Long.getLong("governance.kills.seed", System.nanoTime());
    System.out.println("DeliveryKillsSpec: -Dgovernance.kills.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path data = folder.resolve("data");
    Map<String, String> settings =
        Map.of(
            "GOVERNANCE_EGRESS_CA",
            Certificates.writeAuthority(folder).toString(),
            "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
            RETRY);
    try (HttpClient client = HttpClient.newHttpClient()) {
      StackProcess stack = StackProcess.start(data, settings);
      Api api = new Api(client, stack.baseUrl(), stack.newTenant(client, "killed"));
      try (Given given = new Given(shared, new Stack.Keys(String.valueOf(api.key()), null), api)) {
        Moment moment = new Moment(given);
        Await.pause(Duration.ofMillis(random.nextInt(1_500)));
        stack.kill();
        stack = StackProcess.start(data, settings);
        moment.verify(new Api(client, stack.baseUrl(), api.key()));
      } finally {
        stack.close();
      }
    }
  }

  /** What is under way when the process is killed. */
  private static final class Moment {
    private final Hook waiting;
    private final Hook waitingInVain;
    private final Hook answering;
    private final Hook answeringOnce;
    private final List<Hook> hearing = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    Moment(Given given) {
      waiting = hook(given, TESTED).next(new Behaviour.Answer(500));
      waitingInVain = hook(given, TESTED).always(new Behaviour.Answer(500));
      Behaviour.Late late = new Behaviour.Late(Duration.ofSeconds(9));
      answering = hook(given, TESTED).next(late);
      answeringOnce = hook(given, TESTED).next(late).always(new Behaviour.Answer(503));
      hearing.add(hook(given, RECEIPT));
      hearing.add(hook(given, RECEIPT).always(new Behaviour.Late(Duration.ofMillis(150))));
      ObjectNode operator = noting(given);
      given.operatorWith(operator, Given.allow(Given.NOTE));
      long until = System.nanoTime() + INGESTING.toNanos();
      while (events.size() < EVENTS && System.nanoTime() < until) {
        ObjectNode payload = Json.object().put("entity", "order:" + events.size());
        events.add(given.event("note.wanted", payload).path("id").asText());
      }
      List.of(waiting, waitingInVain).forEach(hook -> hook.test(TESTED));
      List.of(waiting, waitingInVain).forEach(hook -> hook.attempted(1));
      List.of(answering, answeringOnce).forEach(hook -> hook.test(TESTED));
      List.of(answering, answeringOnce).forEach(hook -> hook.await(1));
    }

    private static Hook hook(Given given, String type) {
      return Hook.at(given.receiver(), given.api(), type);
    }

    /** An operator that notes whatever is wanted. */
    private static ObjectNode noting(Given given) {
      return (ObjectNode)
          Json.read(
              """
              {"triggers":{"event_types":["note.wanted"]},
               "model":{"provider":"scripted","plans":[{"event_type":"note.wanted","actions":[
                 {"connector":"%s","tool":"%s","args":{},"entity_key":"{{payload.entity}}"}]}]}}
              """
                  .formatted(given.connector(), Given.NOTE));
    }

    void verify(Api api) {
      Set<String> receipts = receipts(api);
      int interrupted = 0;
      int attempts = 0;
      for (Hook before : hearing) {
        Hook hook = new Hook(api, before.receiver(), before.created(), before.target());
        List<JsonNode> deliveries = rested(hook, events.size());
        assertThat(deliveries)
            .extracting(each -> each.at("/data/id").asText())
            .containsExactlyInAnyOrderElementsOf(receipts);
        for (JsonNode delivery : deliveries) {
          assertThat(delivery.path("status").asText()).isEqualTo("succeeded");
          requireCounted(hook, delivery);
          interrupted += interruptions(delivery);
          attempts += delivery.path("attempt").asInt();
        }
      }
      require(api, waiting, "succeeded", 2, 0);
      require(api, waitingInVain, "failed", 4, 0);
      require(api, answering, "succeeded", 2, 1);
      require(api, answeringOnce, "failed", 4, 1);
      System.out.printf(
          "DeliveryKillsSpec: %d deliveries of receipts, %d attempts, %d of them interrupted%n",
          hearing.size() * events.size(), attempts, interrupted);
    }

    /** The receipts of all events, once there is one for each. */
    private Set<String> receipts(Api api) {
      return Await.until(
          REST,
          () -> {
            Set<String> seen = new HashSet<>();
            for (String event : events) {
              seen.addAll(api.get("/v1/receipts?event_id=" + event).ids());
            }
            return seen;
          },
          seen -> seen.size() == events.size());
    }

    private static void require(Api api, Hook before, String status, int attempts, int broken) {
      Hook hook = new Hook(api, before.receiver(), before.created(), before.target());
      JsonNode delivery = rested(hook, 1).getFirst();
      assertThat(delivery.path("status").asText()).isEqualTo(status);
      assertThat(delivery.path("attempt").asInt()).isEqualTo(attempts);
      assertThat(interruptions(delivery)).isEqualTo(broken);
      requireCounted(hook, delivery);
      assertThat(hook.received()).hasSize(attempts);
    }

    private static List<JsonNode> rested(Hook hook, int count) {
      return Await.until(
          REST,
          hook::deliveries,
          all ->
              all.size() == count
                  && all.stream()
                      .noneMatch(each -> each.path("status").asText().equals("pending")));
    }

    private static int interruptions(JsonNode delivery) {
      return (int)
          delivery
              .path("attempts")
              .valueStream()
              .filter(each -> each.path("error").asText().equals(INTERRUPTED))
              .count();
    }

    /**
     * Every attempt is recorded once and in order; each made at most one request, under its number;
     * one that tells an answer made it.
     */
    private static void requireCounted(Hook hook, JsonNode delivery) {
      List<Integer> recorded = new ArrayList<>();
      List<Integer> answered = new ArrayList<>();
      for (JsonNode attempt : delivery.path("attempts")) {
        recorded.add(attempt.path("attempt").asInt());
        if (!attempt.path("response_status").isNull()) {
          answered.add(attempt.path("attempt").asInt());
        }
      }
      for (int number = 1; number <= recorded.size(); number++) {
        assertThat(recorded.get(number - 1)).isEqualTo(number);
      }
      assertThat(delivery.path("attempt").asInt()).isEqualTo(recorded.size());
      List<Integer> received =
          hook.received().stream()
              .map(Received::json)
              .filter(body -> body.path("id").equals(delivery.path("id")))
              .map(body -> body.path("attempt").asInt())
              .toList();
      assertThat(received).doesNotHaveDuplicates();
      assertThat(recorded).containsAll(received);
      assertThat(received).containsAll(answered);
    }
  }
}
