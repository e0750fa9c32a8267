package io.actiongovernance.functions.connector;

import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Pacer;
import io.actiongovernance.connector.Sandbox;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connectors on DynamoDB: their conditions and transactions hold there too. */
class DynamoConnectorsTest {
  private static final String SANDBOX = "{'listing_id':'cn-sandbox','name':'%s'}";

  private final ConnectorFixture it = new ConnectorFixture(EmbeddedDynamo.store());

  @Test
  void namesAndQuotaAreEnforced() {
    Connector first = it.installed(SANDBOX.formatted("box-0"));
    for (int count = 1; count < Connectors.QUOTA; count++) {
      it.installed(SANDBOX.formatted("box-" + count));
    }
    assertThat(refusal(it.install(SANDBOX.formatted("one-more"))))
        .isEqualTo(
            new Refusal.QuotaExceeded(
                "The tenant already has 25 connectors, the maximum. Uninstall one first."));
    assertThat(it.installations.uninstall(it.caller(null), first.id(), it.ids.next()))
        .isInstanceOf(Done.class);
    assertThat(refusal(it.install(SANDBOX.formatted("box-1"))))
        .isEqualTo(new Refusal.Conflict("Another connector already has the name box-1."));
    Connector last = it.installed(SANDBOX.formatted("one-more"));
    Outcome<Connector> renamed =
        it.installations.patch(
            it.caller(null), last.id(), ConnectorFixture.change("{'name':'box-0'}"), it.ids.next());
    assertThat(renamed).isInstanceOf(Done.class);
    assertThat(it.connectors.usable(it.partition, null)).hasSize(25);
  }

  @Test
  void failuresDegradeAConnectorAndSuccessesRestoreIt() {
    Connector box = it.installed(SANDBOX.formatted("box"));
    for (int at = 0; at < 3; at++) {
      it.health.failed(box, "down");
    }
    assertThat(it.again(box).status()).isEqualTo(ConnectorStatus.DEGRADED);
    it.health.answered(it.again(box));
    it.health.answered(it.again(box));
    assertThat(it.again(box).status()).isEqualTo(ConnectorStatus.CONNECTED);
  }

  @Test
  void thePaceIsEnforced() {
    Connector connector =
        it.installed(
            "{'listing_id':'cn-http','name':'acme','config':{'base_url':'https://a.example','requests_per_minute':60,'tools':[%s]}}"
                .formatted(ConnectorFixture.PAY));
    Pacer pacer = new Pacer(it.store, it.time);
    assertThat(pacer.take(connector)).isEmpty();
    assertThat(pacer.take(connector)).contains(it.time.instant().plusSeconds(1));
    it.time.pass(Duration.ofSeconds(1));
    assertThat(pacer.take(connector)).isEmpty();
  }

  @Test
  void theSandboxActsOncePerKey() {
    Connector box = it.installed(SANDBOX.formatted("box"));
    Sandbox sandbox = new Sandbox(it.store, it.transactions, it.health, it.time, it.time);
    List<CallResult> results =
        List.of("k1", "k1", "k2").stream()
            .map(
                key ->
                    sandbox.call(
                        call(box, "sandbox.payment.refund", "{'order':'1','amount':1}", key)))
            .toList();
    assertThat(results.get(1)).isEqualTo(results.get(0));
    assertThat(sandbox.call(call(box, "sandbox.effects.count", "{'entity':'1'}", "count")))
        .hasToString("Applied[result={\"count\":2}, reference=null, answer=null]");
  }

  private ToolCall call(Connector box, String tool, String args, String key) {
    return new ToolCall(
        box,
        box.tool(tool).orElseThrow(),
        ConnectorFixture.json(args),
        key,
        CorrelationId.next(it.ids),
        it.time.instant().plusSeconds(20));
  }
}
