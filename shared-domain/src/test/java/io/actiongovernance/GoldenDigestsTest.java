package io.actiongovernance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.ModelExchange;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Digests that are stored, or that clients hold: approvals, receipts and idempotency keys of before
 * are good only while these come out the same. The values were computed from the contract (sections
 * 1, 3 and 6) by another program, and none of them ever changes.
 */
class GoldenDigestsTest {
  private static final String BODY = "01jd0000000000000000000000";
  private static final Partition PARTITION = new Partition(new TenantId("t_" + BODY), Mode.LIVE);

  /** What texts hold that is easily written or sorted in another way. */
  private static final String ODD = "\u2028\ud83d\ude00";

  private static final String ARGS =
      "{\"b\":1.50,\"a\":1e2,\"\\u0000\":\"\\u001f\\u2028\\ud83d\\ude00\",\"none\":null,\"list\":[{},[]]}";

  private static final String CONTROL =
      "{\"text\":\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\u0008\\u0009\\u000a"
          + "\\u000b\\u000c\\u000d\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016"
          + "\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\\u007f\","
          + "\"\\u001f\":1,\"\\u0000\":2,\"\\u007f\":3}";

  private static final String TEXT =
      "[\"\\u2028\\u2029\\ufeff\\u200b\\u00a0\",\"\\u00e9\",\"e\\u0301\",\"\\/<>&\\u0027\","
          + "\"\\\"\\\\\",\"\\ud83d\\ude00\",\"\\uFFFF\"]";

  private static final String KEYS =
      "{\"\\ufb33\":1,\"\\ud83d\\ude00\":2,\"\\u20ac\":3,\"a\":4,\"B\":5,\"10\":6,\"9\":7,\"\":8,"
          + "\"aa\":9,\"\\r\":10,\"\\u00f6\":11,\"o\\u0308\":12}";

  private static final String NUMBERS =
      "[42.00,42,4.2e1,420e-1,-0,-0.0,0e400,1e400,-1e-400,9007199254740993,0.1,1E+2,-7.50,"
          + "9".repeat(100)
          + ",0."
          + "0".repeat(98)
          + "1]";

  private static final String NESTED =
      "{\"b\":[],\"a\":{},\"c\":[[],[{}],[[1,[2,{\"z\":null,\"y\":[true,false]}]]]],\"d\":null,"
          + "\"\":{\"\":{\"\":[]}}}";

  private static JsonNode parse(String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      throw new AssertionError(text, e);
    }
  }

  private static String sha256(String text) {
    return CanonicalJson.sha256(parse(text));
  }

  @Test
  void controlCharactersUseTheirShortestEscape() {
    assertThat(CanonicalJson.of(parse(CONTROL)))
        .isEqualTo(
            "{\"\\u0000\":2,\"\\u001f\":1,\"text\":\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005"
                + "\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013"
                + "\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e"
                + "\\u001f\u007f\",\"\u007f\":3}");
    assertThat(sha256(CONTROL))
        .isEqualTo("437ef04f16a37ee863d8d85d3eb5667be5414c0a4429b55368f7ff8f275f2cff");
  }

  @Test
  void allOtherTextIsWrittenAsItIs() {
    assertThat(CanonicalJson.of(parse(TEXT)))
        .isEqualTo(
            "[\"\u2028\u2029\ufeff\u200b\u00a0\",\"\u00e9\",\"e\u0301\",\"/<>&'\",\"\\\"\\\\\","
                + "\"\ud83d\ude00\",\"\uffff\"]");
    assertThat(sha256(TEXT))
        .isEqualTo("6f3285ae2e9abf273000418582c6b8ab1a1e41544348a0acb6b50710acfb0a1d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud800\"",
        "[\"a\\udc00\"]",
        "{\"\\ude00\\ud83d\":1}",
        "{\"a\":[\"\\ud83d \"]}"
      })
  void halfOfASurrogatePairHasNoDigest(String text) {
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Json.InvalidJson.class);
  }

  @Test
  void keysAreInTheOrderOfTheirCodeUnits() {
    assertThat(CanonicalJson.of(parse(KEYS)))
        .isEqualTo(
            "{\"\":8,\"\\r\":10,\"10\":6,\"9\":7,\"B\":5,\"a\":4,\"aa\":9,\"o\u0308\":12,"
                + "\"\u00f6\":11,\"\u20ac\":3,\"\ud83d\ude00\":2,\"\ufb33\":1}");
    assertThat(sha256(KEYS))
        .isEqualTo("72fd436e3814d427d5b909de3b519950e3fd7ee0f3e28f259c5aa250898dfe08");
  }

  @Test
  void numbersAreExactAndPlainWithoutTrailingZeros() {
    assertThat(CanonicalJson.of(parse(NUMBERS)))
        .startsWith("[42,42,42,42,0,0,0,1" + "0".repeat(400) + ",-0.000")
        .contains(",9007199254740993,0.1,100,-7.5,");
    assertThat(sha256(NUMBERS))
        .isEqualTo("a9d683c6bf2f1e1e6ca0b8b6d6554f22f94dd1314388b9b8d118385a8f499aaf");
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.00", "42", "4.2e1", "420E-1"})
  void aNumberHasTheSameDigestInEverySpelling(String text) {
    assertThat(sha256(text))
        .isEqualTo("73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049");
  }

  @Test
  void emptyAndNestedValuesKeepTheirDigest() {
    assertThat(sha256(NESTED))
        .isEqualTo("ee710356a337df654d4b002da1e1198022aacd649df095a4ff7e453f7aeec8cf");
  }

  /** As the digests of secrets, of lines of entities and of what is hashed as text are. */
  @Test
  void textIsHashedInUtf8() {
    assertThat(CanonicalJson.sha256("t_x#live#charge:" + ODD))
        .isEqualTo("1d4206609820ef83b001f813bfaeeb122e9cf3dd17614d7d0661bbc035175997");
  }

  private static Facts facts(@Nullable String value, @Nullable String currency, String entity) {
    return new Facts(
        value == null ? null : new BigDecimal(value),
        currency,
        new EntityKey(entity),
        Set.of(),
        false);
  }

  private static String action(JsonNode args, Facts facts, String key) {
    return ActionDigest.of(
        new TenantId("t_" + BODY),
        new OperatorId("op_" + BODY),
        new ConnectorId("cn_" + BODY),
        "pay.refund",
        "f00d",
        args,
        facts,
        key);
  }

  private static String effect(JsonNode args, Facts facts) {
    return ActionDigest.ofEffect(new ConnectorId("cn_" + BODY), "pay.refund", args, facts);
  }

  /** What approvals are bound to, and what idempotency keys stand for. */
  @Test
  void actionsAndEffectsKeepTheirDigest() {
    JsonNode args = parse(ARGS);
    Facts facts = facts("42.00", "usd", "order:" + ODD);
    assertThat(action(args, facts, "k\u007f"))
        .isEqualTo("3d2b8fc317b40ecdbd99137b0087c64e91cb1ee9ec0a223b3eddbe972e7d81ca");
    assertThat(effect(args, facts))
        .isEqualTo("817c110be39b5f2cdc0dfd450f1bab3b88d4b782e3ba5d38061a35454e1e7d61");
    Facts none = facts(null, null, "e");
    assertThat(action(Json.object(), none, "k"))
        .isEqualTo("e59c27af232b87f792b4c1a33a02f2bc293a5d0133fd29b566c9cda76aa5ec5c");
    assertThat(effect(Json.object(), none))
        .isEqualTo("1d46d9fd440e6a3c6401f70638c76687973bef0a81f5eaecdbb535b7380329ca");
  }

  private static String tool(String tool) {
    Connector connector =
        new ConnectorFixture()
            .installed(ConnectorFixture.http("shop", "https://shop.example/v1", tool, ""));
    return ToolDigest.of(connector, connector.tools().getFirst());
  }

  /**
   * What approvals are bound to besides: of a tool that says all there is to say, and of another.
   */
  @Test
  void toolsKeepTheirDigest() {
    String cancel =
        ",{'name':'pay.refund.cancel','capability':'pay','tier':2,'input_schema':{'type':'object'},"
            + "'request':{'method':'POST','path':'/'}}";
    assertThat(
            tool(
                """
                {'name':'pay.refund.create','capability':'pay.refund','tier':2,'description':'Said.',
                 'input_schema':{'type':'object','title':'T','properties':{
                   'n':{'type':'number','maximum':42.00,'description':'\\u2028'}}},
                 'binds':{'entity':'charge:{{args.c}}','value':'/n','currency':'/cur'},
                 'summary':'Refund {{args.n}}\\u2028','retry_safe':true,'retry_safe_seconds':60,
                 'inverse':{'tool':'pay.refund.cancel','args':{'id':'{{result.id}}','n':42.00}},
                 'did_not_act':[500,409],'reference':'/id',
                 'success':{'path':'/ok','equals':42.00,'error':'/why','rejected':['no_auth']},
                 'request':{'method':'POST','path':'/r/{{args.c}}','query':{'q':'{{args.n}}'},
                   'headers':{'X-A':'1'},'body':{'n':'{{args.n}}','e':{}},
                   'idempotency_header':'X-Once','encoding':'form'}}
                """
                    + cancel))
        .isEqualTo("abe3d22c0694182cbead03a80cfd776d648293728c1f1c83ea6117d29cade668");
    assertThat(
            tool(
                """
                {'name':'pay.read.one','capability':'pay','tier':0,'input_schema':{'type':'object'},
                 'request':{'method':'GET','path':'/'}}
                """))
        .isEqualTo("4f60f59622e42806b0ad54645688124619893ad05efdfb8cbf633e0402c40b27");
  }

  /** As versions of guardrails are told apart. */
  @Test
  void guardrailsKeepTheirDigest() {
    String stored =
        """
        [{"name":"small","decision":"ALLOW","priority":10,"enabled":true,"tool":"pay.refund.*",
          "connector":null,"conditions":{"min_value":0,"max_value":"50.00","currency":"usd",
            "entity_key":"order:*","max_tier":2,"args":[{"path":"/n","op":"lte","value":42.00},
              {"path":"/t","op":"in","value":["\\u2028",null,1e2]}]},
          "limits":[{"per":"entity","window_seconds":86400,"max_actions":1,
            "max_value":"1000.00"}]}]
        """;
    assertThat(CanonicalJson.sha256(Guardrails.of(parse(stored)).json()))
        .isEqualTo("1462726edd0209ee4e4437a317f2871e2642765f07190db73bbad9e8f7e5a75d");
  }

  @Test
  void modelExchangesKeepTheirDigest() {
    assertThat(
            new ModelExchange("openai_compatible", "m-1", parse(ARGS), parse("[42.00,null]"))
                .digest())
        .isEqualTo("6d8a9067b6c08ece191cf14e6bc3f0b1a19170c0a0e5f3d97cd8be4217ec85b7");
    assertThat(new ModelExchange("agent", null, NullNode.instance, Json.object()).digest())
        .isEqualTo("650853d983c7c34b7a20770eacad0f97a8ba436745a14f67ac195a7723b20637");
  }

  @Test
  void receiptsKeepTheirHash() {
    Principal principal = new Principal(Principal.Type.KEY, "key_1", "\u2028", null);
    Decider decider = Decider.by(principal, "dana", Instant.parse("2026-11-20T21:44:07.412Z"));
    Receipt receipt =
        new ReceiptDraft(PARTITION, Receipt.Kind.ACTION, ReceiptOutcome.APPLIED)
            .with("entity_key", "order:" + ODD)
            .with("note", "\u0000\u001f\u007f")
            .value(new BigDecimal("42.00"))
            .verdict(new Verdict(Decision.ALERT, 2, "r"))
            .json("target", parse("{\"\\ud83d\\ude00\":42.00,\"\\ufb33\":{}}"))
            .decidedBy(List.of(decider))
            .guardrailsVersion(7)
            .ok(true)
            .seal(new ReceiptId("rc_" + BODY));
    assertThat(hash(receipt))
        .isEqualTo("4630384d07b91d4c787283119907ac22801e018b9f2245bfd855c9ae9143dd53");
    Receipt bare =
        new ReceiptDraft(PARTITION, Receipt.Kind.CONFIG, ReceiptOutcome.CHANGED)
            .seal(new ReceiptId("rc_" + BODY));
    assertThat(hash(bare))
        .isEqualTo("5cc26ad70be9cc2f5b22a0a193bb7700d73070902440c3b723b19903dfedf3d5");
  }

  private static String hash(Receipt receipt) {
    return receipt.document().path("hash").asText();
  }

  /** As the identifier of a delivery is made of its fact. */
  @ParameterizedTest
  @CsvSource({"1795429858744, 01m83zazdrpbfw9mnp1gm0hgdn"})
  void derivedIdentifiersStayTheSame(long at, String expected) {
    String seed = "whk_" + BODY + "\nfact:" + ODD;
    assertThat(Ids.derived(Instant.ofEpochMilli(at), seed)).isEqualTo(expected);
  }
}
