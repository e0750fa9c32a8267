package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stack that is stopped and started on the same data carries on. */
@Acceptance
final class RestartSpec {
  @Test
  void heldPlansCanBeApprovedAndOthersContinueAfterARestart(@TempDir Path folder, Stack shared)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Plan held;
      Plan waiting;
      Given given;
      Running<Answer> holding;
      try (EmbeddedStack stack = Stack.startOn(folder)) {
        var keys = Stack.newTenant(stack, "restarted").keys();
        given =
            new Given(
                shared,
                new Stack.Keys(keys.live(), keys.test()),
                new Api(client, stack.baseUrl(), keys.live()));
        Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
        held = operator.propose(operator.refund("held"));
        Plan holder = operator.propose(operator.refund("a"));
        Upstream.Gate gate = given.upstream().hold("/refunds/a");
        holding = Together.start(holder::tryApprove);
        gate.awaitCall();
        waiting = operator.proposeBehindALock(operator.note("charge:a"));
        assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
        gate.open();
      }
      assertThat(holding.result().status()).isEqualTo(200);
      try (EmbeddedStack again = Stack.startOn(folder);
          given) {
        Api api = new Api(client, again.baseUrl(), given.api().key());
        assertThat(new Plan(api, held.json()).approve().at("/results/0/ok").asBoolean()).isTrue();
        Plan carriedOn = new Plan(api, waiting.json()).await("executed");
        assertThat(carriedOn.receipt(0).path("outcome").asText()).isEqualTo("applied");
        assertThat(given.upstream().effects())
            .extracting(Upstream.Seen::path)
            .containsExactlyInAnyOrder("/refunds/held", "/refunds/a", "/notes");
        assertThat(List.of(api.get("/v1/receipts?outcome=applied").data().size())).contains(3);
      }
    }
  }

  @Test
  void deliveriesAreMadeAfterARestart(@TempDir Path folder, Stack shared) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient();
        Receiver receiver = new Receiver()) {
      Hook failing;
      Hook fine;
      try (EmbeddedStack stack = Stack.startOn(folder)) {
        var keys = Stack.newTenant(stack, "restarted").keys();
        Api api = new Api(client, stack.baseUrl(), keys.live());
        failing = Hook.at(receiver, api, "plan.proposed");
        failing.next(new Receiver.Behaviour.Answer(500), new Receiver.Behaviour.Answer(500));
        failing.test("plan.proposed");
        failing.attempted(1);
        fine = Hook.at(receiver, api, "plan.proposed");
        fine.test("plan.proposed");
      }
      try (EmbeddedStack again = Stack.startOn(folder)) {
        Api api = new Api(client, again.baseUrl(), failing.api().key());
        for (Hook hook : List.of(failing, fine)) {
          Hook now = new Hook(api, receiver, hook.created(), hook.target());
          JsonNode delivery = now.delivery("succeeded", Duration.ofMinutes(2));
          assertThat(delivery.path("attempts").size()).isEqualTo(now.received().size());
          assertThat(delivery.path("attempt").asInt()).isEqualTo(now.received().size());
        }
        assertThat(failing.received()).hasSize(3);
      }
    }
  }
}
