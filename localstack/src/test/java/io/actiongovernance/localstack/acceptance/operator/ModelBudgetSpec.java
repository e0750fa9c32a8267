package io.actiongovernance.localstack.acceptance.operator;

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
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of models that a whole stack makes in an hour. */
@Acceptance
final class ModelBudgetSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);

  @Test
  void eventsBeyondTheCallsOfAnHourWaitAndOneReceiptSaysSo(@TempDir Path folder, Stack shared)
      throws Exception {
    Map<String, String> settings =
        Map.of("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8", "GOVERNANCE_MODEL_CALLS_PER_HOUR", "2");
    EmbeddedStack.Options options =
        new EmbeddedStack.Options(folder, 0, settings, Service.governance(), line -> {});
    try (EmbeddedStack stack = EmbeddedStack.start(options);
        HttpClient client = HttpClient.newHttpClient()) {
      var keys = Stack.newTenant(stack, "frugal").keys();
      Api api = new Api(client, stack.baseUrl(), keys.live());
      try (Given given = new Given(shared, new Stack.Keys(keys.live(), keys.test()), api)) {
        String type = "order.m" + Given.unique("x").replace("-", "");
        ObjectNode body = Json.object().put("entity_template", "charge:{{payload.id}}");
        body.putObject("triggers").putArray("event_types").add(type);
        body.set("model", ModelsSpec.model(given));
        Operator operator = given.operatorWith(body, Given.alert(Given.REFUND));
        for (int at = 0; at < 8; at++) {
          ModelsSpec.answers(given, "propose_plan", refund(operator, "ch_" + at));
          given.event(type, Json.object().put("id", "ch_" + at));
        }
        String receipts = "/v1/receipts?kind=proposal&operator_id=" + operator.id();
        JsonNode receipt =
            Await.until(LONGEST, () -> given.api().get(receipts).data(), found -> !found.isEmpty())
                .getFirst();
        assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
        assertThat(receipt.path("reason").asText()).contains("2 for an operator");
        // An hour of the clock may end meanwhile, and the next one has two of its own.
        int made =
            Await.until(
                    LONGEST,
                    () -> given.api().get("/v1/plans?operator_id=" + operator.id()).ids(),
                    found -> found.size() >= 2)
                .size();
        assertThat(made).isLessThanOrEqualTo(4);
        assertThat(given.upstream().calls("/v1/chat/completions").size()).isLessThanOrEqualTo(4);
        assertThat(given.api().get(receipts).data()).hasSizeLessThanOrEqualTo(2);
      }
    }
  }

  private static ObjectNode refund(Operator operator, String charge) {
    ObjectNode arguments = Json.object().put("reasoning", "Lost.");
    arguments
        .putArray("actions")
        .addObject()
        .put("connector", operator.connector())
        .put("tool", Given.REFUND)
        .putObject("args")
        .put("charge", charge);
    return arguments;
  }
}
