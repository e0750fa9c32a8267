package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.Operator.Plan;
import java.time.Duration;
import java.util.List;

/**
 * The governed loop from end to end, wherever it is deployed: an event is proposed for, approved,
 * carried out, receipted and taken back. It passes through every part that is not HTTP, too: the
 * tables' streams, the bus, the queues and the functions behind them.
 */
final class CoreFlow {
  /** Functions may have to be started on the way, each in a container. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private CoreFlow() {}

  static void run(Given given) {
    Api api = given.api();
    String type = "order.t" + Given.unique("x").replace("-", "");
    ObjectNode fields = Json.object();
    fields.putObject("triggers").putArray("event_types").add(type);
    fields
        .putObject("model")
        .put("provider", "scripted")
        .set(
            "plans",
            Json.read(
                """
                [{"event_type":"order.*","reasoning":"Order {{payload.id}} arrived broken.",
                  "actions":[
                    {"connector":"$CONNECTOR","tool":"pay.refund.create",
                     "entity_key":"charge:{{payload.id}}","args":{"charge":"{{payload.id}}"}},
                    {"connector":"$CONNECTOR","tool":"data.record.delete",
                     "entity_key":"record:{{payload.id}}","args":{"record":"{{payload.id}}"}}]}]
                """
                    .replace("$CONNECTOR", given.connector())));
    Operator operator = given.operatorWith(fields, Given.alert(Given.REFUND));

    String event = given.event(type, Json.object().put("id", "c1")).path("id").asText();
    String queue = "/v1/plans?status=proposed&waiting_on=approval&operator_id=" + operator.id();
    List<String> waiting = Await.until(LONGEST, () -> api.get(queue).ids(), ids -> !ids.isEmpty());
    assertThat(waiting).hasSize(1);
    Plan plan = new Plan(api, api.get("/v1/plans/" + waiting.getFirst()).is(200));
    assertThat(plan.json().path("event_id").asText()).isEqualTo(event);

    JsonNode results = plan.approve().path("results");
    assertThat(results.at("/0/disposition").asText()).isEqualTo("ALERT");
    assertThat(results.at("/0/ok").asBoolean()).isTrue();
    assertThat(results.at("/1/disposition").asText()).isEqualTo("BLOCK");
    assertThat(results.at("/1/ok").asBoolean()).isFalse();
    assertThat(given.upstream().effects())
        .extracting(Upstream.Seen::path)
        .containsExactly("/refunds/c1");
    plan.await("executed", LONGEST);
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("refused");

    String action = "/v1/actions/" + plan.actionId(0);
    assertThat(api.post(action + "/undo").is(200).path("undone").asBoolean()).isTrue();
    assertThat(given.upstream().effects()).hasSize(2);
    assertThat(api.get("/v1/receipts?outcome=applied&limit=100").data()).hasSizeGreaterThan(1);
  }
}
