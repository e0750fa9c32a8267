package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.PAY;
import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading tools from manifests, and judging their arguments. */
class ToolTest {
  @Test
  void omittedManifestFieldsHaveTheirDefaults() {
    Tool tool = read(json(PAY));
    assertThat(tool.retrySafe()).isFalse();
    assertThat(tool.retrySafeSeconds()).isEqualTo(82_800);
    assertThat(tool.didNotAct()).isEmpty();
    assertThat(tool.binds().any()).isFalse();
    assertThat(tool.summary()).isNull();
    assertThat(tool.inverse()).isNull();
    assertThat(tool.request().idempotencyHeader()).isEqualTo("Idempotency-Key");
    assertThat(tool.request().body()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name | 'refund' | tools[0].name",
        "name | 'pay.Refund' | tools[0].name",
        "capability | 'pay refund' | tools[0].capability",
        "tier | 4 | tools[0].tier",
        "tier | -1 | tools[0].tier",
        "tier | '2' | tools[0].tier",
        "input_schema | [] | tools[0].input_schema",
        "input_schema | {'type':'objekt'} | tools[0].input_schema",
        "input_schema | {'$ref':'https://schemas.example/a.json'} | tools[0].input_schema",
        "input_schema | {'$ref':'file:///etc/passwd'} | tools[0].input_schema",
        "input_schema | {'$schema':'https://schemas.example/dialect'} | tools[0].input_schema",
        "input_schema | {'properties':{'a':{'pattern':'('}}} | tools[0].input_schema",
        "retry_safe | 'yes' | tools[0].retry_safe",
        "reference | 'id' | tools[0].reference",
        "request | {'path':'/x'} | tools[0].request.method",
        "request | {'method':'HEAD','path':'/x'} | tools[0].request.method",
        "request | {'method':'GET','path':'x'} | tools[0].request.path",
        "request | {'method':'GET','path':'/a/../b'} | tools[0].request.path",
        "request | {'method':'GET','path':'/a/%2e%2E/b'} | tools[0].request.path",
        "request | {'method':'GET','path':'/a?b=c'} | tools[0].request.path",
        "request | {'method':'GET','path':'/%'} | tools[0].request.path",
        "request | {'method':'GET','path':'/a%zz/{{args.order}}'} | tools[0].request.path",
        "request | {'method':'GET','path':'/%{{args.order}}'} | tools[0].request.path",
        "request | {'method':'GET','path':'/%2{{args.order}}'} | tools[0].request.path",
        "request | {'method':'GET','path':'/{{result.id}}'} | tools[0].request.path",
        "request | {'method':'GET','path':'/a','query':{'q':'{{secret}}'}} | tools[0].request.query.q",
        "request | {'method':'POST','path':'/a','body':{'x':['{{env.HOME}}']}} | tools[0].request.body.x[0]",
        "request | {'method':'GET','path':'/a','headers':{'Host':'b'}} | tools[0].request.headers.Host",
        "request | {'method':'GET','path':'/a','headers':{'authorization':'b'}} | tools[0].request.headers.authorization",
        "request | {'method':'GET','path':'/a','headers':{'X':1}} | tools[0].request.headers.X",
        "request | {'method':'GET','path':'/a','idempotency_header':'a b'} | tools[0].request.idempotency_header",
        "request | {'method':'POST','path':'/a','encoding':'xml'} | tools[0].request.encoding",
        "request | {'method':'POST','path':'/a','encoding':'form','body':['a']} | tools[0].request.body",
        "inverse | {'args':{}} | tools[0].inverse.tool",
        "inverse | {'tool':'pay.gone','args':{}} | tools[0].inverse.tool",
        "inverse | {'tool':'pay.refund.create','args':{'a':'{{other.x}}'}} | tools[0].inverse.args.a",
        "success | {'path':'/ok'} | tools[0].success.equals",
        "binds | 'order' | tools[0].binds",
        "binds | {'entity':7} | tools[0].binds.entity",
        "binds | {'entity':[]} | tools[0].binds.entity",
        "binds | {'entity':'order'} | tools[0].binds.entity",
        "binds | {'entity':'order:{{result.id}}'} | tools[0].binds.entity",
        "binds | {'value':'amount'} | tools[0].binds.value",
        "binds | {'currency':'{{args.currency}}'} | tools[0].binds.currency",
        "binds | {'amount':'/amount'} | tools[0].binds.amount",
        "summary | '{{payload.id}}' | tools[0].summary",
        "retry_safe_seconds | -1 | tools[0].retry_safe_seconds",
        "retry_safe_seconds | 2592001 | tools[0].retry_safe_seconds",
        "did_not_act | 409 | tools[0].did_not_act",
        "did_not_act | [200] | tools[0].did_not_act[0]",
        "did_not_act | [409,'410'] | tools[0].did_not_act[1]",
        "colour | 1 | tools[0].colour",
      })
  void aBadFieldIsNamedByItsPath(String field, String value, String param) {
    ObjectNode manifest = json("{'tools':[" + PAY + "]}");
    ((ObjectNode) manifest.get("tools").get(0)).set(field, json("{'v':" + value + "}").get("v"));
    assertThatThrownBy(() -> ToolReader.readAll(new Fields(manifest, "", true), "tools"))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo(param));
  }

  @Test
  void twoToolsCannotShareAName() {
    ObjectNode manifest = json("{'tools':[" + PAY + "," + PAY + "]}");
    assertThatThrownBy(() -> ToolReader.readAll(new Fields(manifest, "", true), "tools"))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("tools[1].name"));
  }

  @Test
  void argumentsAreJudgedByTheSchema() {
    Tool tool = read(json(PAY));
    assertThat(tool.argumentProblem(json("{'charge':'ch_1'}"))).isEmpty();
    assertThat(tool.argumentProblem(json("{'charge':7}")))
        .hasValueSatisfying(it -> assertThat(it).contains("charge"));
    assertThat(tool.argumentProblem(json("{}"))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$ref':'#'}",
        "{'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}},'$ref':'#/$defs/a'}"
      })
  void anEndlesslyRecursiveSchemaIsReportedAsAProblem(String schema) {
    InputSchema endless = new InputSchema(json(schema));
    assertThat(endless.problem(json("{'a':1}"))).isPresent();
  }

  @Test
  void matchingAnExponentialPatternIsGivenUp() {
    InputSchema slow = new InputSchema(json("{'properties':{'a':{'pattern':'^((a+)+)\\\\2b$'}}}"));
    assertThat(slow.problem(json("{'a':'" + "a".repeat(40) + "'}")))
        .hasValueSatisfying(it -> assertThat(it).contains("too long"));
  }

  @Test
  void anInverseTakesItsArgumentsFromCallAndResult() {
    Tool.Inverse inverse =
        new Tool.Inverse(
            "a.b",
            json("{'refund':'{{result.id}}','charge':'{{args.charge}}','note':'{{args.note}}'}"));
    assertThat(inverse.inverseArgs(json("{'charge':'ch_1'}"), json("{'id':7}")))
        .contains((JsonNode) json("{'refund':7,'charge':'ch_1'}"));
    assertThat(inverse.inverseArgs(json("{'charge':'ch_1'}"), json("{}"))).isEmpty();
  }

  private static Tool read(ObjectNode manifest) {
    return Tool.read(new Fields(manifest, "", true));
  }
}
