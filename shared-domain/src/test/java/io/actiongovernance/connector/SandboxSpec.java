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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sandbox: it acts once per key, counts what it did, and misbehaves when asked to. */
class SandboxSpec {
  private final ConnectorFixture it = new ConnectorFixture();
  private final Sandbox sandbox =
      new Sandbox(it.store, it.transactions, it.health, it.time, it.time);
  private final Connector box = it.installed("{'listing_id':'cn-sandbox','name':'box'}");

  /** Everybody tries it first: what is shown of a call says what it does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sandbox.payment.refund | {'order':'1042','amount':'5.00'} | Refund 5.00 of order 1042",
        "sandbox.payment.refund | {'order':'10\\u202e42','amount':'5.00'} | Refund 5.00 of order \"10[U+202E]42\"",
        "sandbox.payment.cancel_refund | {'refund':'sbx_1','order':'1042'} | Cancel refund sbx_1 of order 1042",
        "sandbox.record.read | {'record':'a'} | Read record a",
        "sandbox.record.update | {'record':'a','fields':{}} | Replace the fields of record a by {}",
        "sandbox.deploy.run | {'service':'api','version':'2'} | Deploy version 2 of service api",
        "sandbox.effects.count | {'entity':'1042'} | Count effects; of one thing alone: 1042",
        "sandbox.effects.count | {} | Count effects; of one thing alone: (none)",
      })
  void theSummaryOfACallSaysWhatItDoes(String name, String args, String summary) {
    assertThat(Summary.of(box.tool(name).orElseThrow(), json(args))).isEqualTo(summary);
  }

  /** So they run without a guardrail, and nothing else does. */
  @Test
  void exactlyTheReadsOfTheSandboxUseGet() {
    for (Tool tool : box.tools()) {
      assertThat(tool.request().method() == Tool.Method.GET)
          .as(tool.name())
          .isEqualTo(!tool.hasSideEffects());
      assertThat(box.isRead(tool)).as(tool.name()).isEqualTo(!tool.hasSideEffects());
      assertThat(tool.summary()).as(tool.name()).isNotNull();
    }
  }

  @Test
  void anIdempotencyKeyActsOnceAndGetsTheSameAnswer() {
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
  void aLostReplyIsUnknownAlthoughTheEffectHappened() {
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
  void aCallDelayedBeyondItsDeadlineDoesNotBegin() {
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
