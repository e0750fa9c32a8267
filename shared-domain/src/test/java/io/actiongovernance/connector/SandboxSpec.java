package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.CallResult.Applied;
import io.actiongovernance.connector.CallResult.Failed;
import io.actiongovernance.connector.CallResult.Unknown;
import io.actiongovernance.id.CorrelationId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The sandbox: it acts once per key, counts what it did, and misbehaves when asked to. */
class SandboxSpec {
  private final ConnectorFixture it = new ConnectorFixture();
  private final Sandbox sandbox =
      new Sandbox(it.store, it.transactions, it.health, it.time, it.time);
  private final Connector box = it.installed("{'listing_id':'cn-sandbox','name':'box'}");

  @Test
  void aKeyActsOnceAndAnswersTheSame() {
    CallResult first = call("sandbox.payment.refund", "{'order':'1042','amount':'5.00'}", "k1");
    CallResult again = call("sandbox.payment.refund", "{'order':'1042','amount':'5.00'}", "k1");
    assertThat(again).isEqualTo(first);
    assertThat(((Applied) first).reference()).startsWith("sbx_");
    call("sandbox.payment.refund", "{'order':'7','amount':'5.00'}", "k2");
    assertThat(count("{}")).isEqualTo(2);
    assertThat(count("{'entity':'1042'}")).isEqualTo(1);
    assertThat(count("{'entity':'none'}")).isZero();
  }

  @Test
  void aFailureOrRefusalHasNoEffect() {
    assertThat(
            call("sandbox.deploy.run", "{'service':'api','version':'1','simulate':'fail'}", "k1"))
        .isInstanceOf(Failed.class);
    assertThat(
            call("sandbox.deploy.run", "{'service':'api','version':'1','simulate':'reject'}", "k1"))
        .isInstanceOf(Failed.class);
    assertThat(count("{}")).isZero();
  }

  @Test
  void aLostReplyHasTheEffectButNobodyKnows() {
    assertThat(
            call("sandbox.payment.refund", "{'order':'1','amount':1,'simulate':'timeout'}", "k1"))
        .isInstanceOf(Unknown.class);
    assertThat(count("{}")).isEqualTo(1);
  }

  @Test
  void anUpdateIsPutBackByItsInverse() {
    call("sandbox.record.update", "{'record':'a','fields':{'x':1}}", "k1");
    Applied second =
        (Applied) call("sandbox.record.update", "{'record':'a','fields':{'x':2}}", "k2");
    Tool tool = box.tool("sandbox.record.update").orElseThrow();
    JsonNode back =
        java.util.Objects.requireNonNull(tool.inverse())
            .inverseArgs(json("{'record':'a','fields':{'x':2}}"), second.result())
            .orElseThrow();
    assertThat(tool.argumentProblem(back)).isEmpty();
    sandbox.call(call(tool.name(), back, "k3"));
    Applied read = (Applied) call("sandbox.record.read", "{'record':'a'}", "k4");
    assertThat(read.result().get("fields")).isEqualTo(json("{'x':1}"));
  }

  @Test
  void failuresOnDemandDegradeTheConnector() {
    for (int at = 0; at < 3; at++) {
      call("sandbox.record.read", "{'record':'a','simulate':'fail'}", "k" + at);
    }
    assertThat(it.again(box).status()).isEqualTo(ConnectorStatus.DEGRADED);
  }

  @Test
  void aDelayBeyondTheDeadlineDoesNotBegin() {
    assertThat(call("sandbox.deploy.run", "{'service':'api','version':'1','delay_ms':10000}", "k1"))
        .isInstanceOf(Applied.class);
    ToolCall hurried =
        new ToolCall(
            box,
            box.tool("sandbox.deploy.run").orElseThrow(),
            json("{'service':'api','version':'1','delay_ms':10000}"),
            "k2",
            CorrelationId.next(it.ids),
            it.time.instant().plus(Duration.ofSeconds(5)));
    assertThat(sandbox.call(hurried)).isInstanceOf(Failed.class);
    assertThat(count("{}")).isEqualTo(1);
  }

  private long count(String args) {
    return ((Applied) call("sandbox.effects.count", args, "count"))
        .result()
        .get("count")
        .longValue();
  }

  private CallResult call(String tool, String args, String key) {
    ToolCall call = call(tool, json(args), key);
    assertThat(call.tool().argumentProblem(call.args())).isEmpty();
    return sandbox.call(call);
  }

  private ToolCall call(String tool, JsonNode args, String key) {
    return new ToolCall(
        box,
        box.tool(tool).orElseThrow(),
        args,
        key,
        CorrelationId.next(it.ids),
        it.time.instant().plus(Duration.ofSeconds(30)));
  }
}
