package io.actiongovernance.localstack.acceptance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Canonical;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces: taken, kept, and sent on (contract for agents, section 7). */
@Acceptance
public final class TracesSpec {
  public static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String NAME = "traceparent";

  /** What a source system was told, without the span, which is the service's own. */
  private static String told(Given given) {
    return given.upstream().calls().getLast().header(NAME);
  }

  private static Plan propose(Operator operator, ObjectNode body, String... headers) {
    return new Plan(
        operator.api(),
        operator
            .proposer()
            .post("/v1/operators/" + operator.id() + "/plans", body, headers)
            .is(201));
  }

  private static void isChild(String told, String flags) {
    assertThat(told).matches("00-" + TRACE + "-[0-9a-f]{16}-" + flags);
    assertThat(told).isNotEqualTo(PARENT);
  }

  @Test
  void anEventsTraceIsOnItsReceiptsAndSentOnToTheSourceSystem(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode envelope =
        (ObjectNode)
            Json.read("{\"source\":\"shop\",\"event_type\":\"order.paid\",\"payload\":{}}");
    String event =
        given.api().post("/v1/events", envelope, NAME, PARENT).is(201).path("event_id").asText();
    ObjectNode proposal = Operator.proposal(operator.refund("a")).put("event_id", event);
    Plan plan = propose(operator, proposal);
    given
        .api()
        .post(
            plan.path() + "/approve",
            Json.object(),
            NAME,
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
        .is(200);
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("trace_id").asText()).isEqualTo(TRACE);
    isChild(told(given), "01");
    Shape.RECEIPT.of(receipt, "trace_id");
    ObjectNode hashed = receipt.deepCopy();
    hashed.remove("hash");
    assertThat(Canonical.sha256(hashed)).isEqualTo(receipt.path("hash").asText());
    given.api().post("/v1/actions/" + plan.actionId(0) + "/undo", Json.object()).is(200);
    isChild(told(given), "01");
    JsonNode undone = given.api().get("/v1/receipts?kind=undo").data().getFirst();
    assertThat(undone.path("trace_id").asText()).isEqualTo(TRACE);
  }

  @Test
  void aProposalKeepsItsAgentsTrace(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan =
        propose(
            operator, Operator.proposal(operator.refund("a")), NAME, PARENT.replace("-01", "-00"));
    assertThat(plan.receipt(0).path("trace_id").asText()).isEqualTo(TRACE);
    isChild(told(given), "00");
  }

  @Test
  void aTraceHeaderDoesNotMakeAnotherRequest(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode proposal = Operator.proposal(operator.refund("a"));
    String key = Given.unique("key");
    String path = "/v1/operators/" + operator.id() + "/plans";
    JsonNode first =
        operator.proposer().post(path, proposal, NAME, PARENT, "Idempotency-Key", key).is(201);
    JsonNode second =
        operator.proposer().post(path, proposal, NAME, "nonsense", "Idempotency-Key", key).is(200);
    assertThat(second).isEqualTo(first);
  }

  @Test
  void aMalformedTraceIsIgnoredAndNeverAnError(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    for (String malformed :
        List.of(
            "nonsense",
            "ff-" + TRACE + "-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-" + TRACE + "-0000000000000000-01",
            "x".repeat(5_000))) {
      Plan plan = propose(operator, Operator.proposal(operator.refund("a")), NAME, malformed);
      assertThat(plan.receipt(0).has("trace_id")).isFalse();
      Shape.RECEIPT.of(plan.receipt(0));
      assertThat(told(given)).isEmpty();
    }
  }

  @Test
  void aGatewayCallCarriesItsTraceInItsMetaOrHeader(Given given) {
    Gateway gateway =
        Gateway.of(given.apiOfRole("agent"), given.operator(Given.allow(Given.REFUND)));
    String header = PARENT.replace(TRACE, "0af7651916cd43dd8448eb211c80319c");
    ObjectNode both =
        gateway.modern("tools/call", Gateway.called("pay_refund_create", charge("a")));
    ((ObjectNode) both.at("/params/_meta")).put(NAME, PARENT);
    gateway.send(both, NAME, header).is(200);
    isChild(told(given), "01");
    ObjectNode bad = gateway.modern("tools/call", Gateway.called("pay_refund_create", charge("b")));
    ((ObjectNode) bad.at("/params/_meta")).put(NAME, 7);
    gateway.send(bad, NAME, header).is(200);
    assertThat(told(given)).startsWith("00-0af7651916cd43dd8448eb211c80319c-");
    gateway.send(gateway.modern("tools/call", Gateway.called("pay_refund_create", charge("c"))));
    assertThat(told(given)).isEmpty();
  }

  private static ObjectNode charge(String charge) {
    return Json.object().put("charge", charge);
  }

  @Test
  void webhooksCarryTheTrace(Given given) {
    Hook hook =
        Hook.at(
            given.receiver(), given.api(), "plan.proposed", "action.disposed", "receipt.written");
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = propose(operator, Operator.proposal(operator.refund("a")), NAME, PARENT);
    String called = told(given);
    List<Receiver.Received> received = hook.await(3);
    assertThat(received).allSatisfy(one -> isChild(one.header(NAME), "01"));
    assertThat(received)
        .filteredOn(one -> !one.json().path("type").asText().equals("plan.proposed"))
        .hasSize(2)
        .allMatch(one -> one.header(NAME).equals(called));
    assertThat(received)
        .filteredOn(one -> one.json().path("type").asText().equals("plan.proposed"))
        .singleElement()
        .satisfies(one -> assertThat(one.header(NAME)).isNotEqualTo(called));
    assertThat(plan.receipt(0).path("trace_id").asText()).isEqualTo(TRACE);
  }

  @Test
  void aDismissedProposalsReceiptHasTheTrace(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode bad = Operator.proposal(operator.action(Given.REFUND, "x:1", Json.object()));
    operator
        .proposer()
        .post("/v1/operators/" + operator.id() + "/plans", bad, NAME, PARENT)
        .isInvalid("actions[0].args");
    JsonNode receipt = given.api().get("/v1/receipts?kind=proposal").data().getFirst();
    assertThat(receipt.path("trace_id").asText()).isEqualTo(TRACE);
    Plan vetoed = propose(operator, Operator.proposal(operator.refund("a")), NAME, PARENT);
    given.api().post(vetoed.path() + "/veto", Json.object().put("reason", "no")).is(200);
    assertThat(vetoed.api().get("/v1/receipts?outcome=vetoed").data().getFirst().path("trace_id"))
        .isEqualTo(receipt.path("trace_id"));
  }
}
