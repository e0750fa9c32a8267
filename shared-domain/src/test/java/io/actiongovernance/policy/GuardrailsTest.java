package io.actiongovernance.policy;

import static io.actiongovernance.policy.Given.candidate;
import static io.actiongovernance.policy.Given.guardrails;
import static io.actiongovernance.policy.Given.refund;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of evaluation (contract, section 3), one by one. */
class GuardrailsTest {
  private static Verdict verdict(Candidate candidate, String... guardrails) {
    return guardrails(guardrails).evaluate(candidate).verdict();
  }

  private static Verdict said(Decision decision, int tier, @Nullable String rule) {
    return new Verdict(decision, tier, rule);
  }

  private static String rule(String name, String decision, String more) {
    return "'name':'%s','decision':'%s','tool':'pay.refund'%s".formatted(name, decision, more);
  }

  /**
   * The decision on a refund by one guardrail with these conditions; BLOCK by default if it does
   * not match.
   */
  private static boolean matches(String decision, String conditions, Candidate candidate) {
    Evaluation evaluation =
        guardrails(rule("only", decision, ",'conditions':{" + conditions + "}"))
            .evaluate(candidate);
    return "only".equals(evaluation.verdict().rule());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "ALLOW; 'max_value':50; -9000; false",
        "ALLOW; 'max_value':50; -0.01; false",
        "ALLOW; 'max_value':50; 0; true",
        "ALLOW; 'max_value':50; -0.00; true",
        "ALLOW; 'max_value':-5; -7; false",
        "ALLOW; 'min_value':-10,'max_value':50; -9.99; true",
        "ALLOW; 'min_value':-10,'max_value':50; -10.01; false",
        "ALLOW; 'min_value':-10; -9.99; true",
        "ALLOW; 'currency':null; -9000; true",
        "ALERT; 'max_value':50; -9000; true",
        "BLOCK; 'max_value':50; -9000; true",
        "BLOCK; 'max_value':-5; -7; true",
      })
  void anAllowWithOnlyAMaximumMatchesNoNegativeValue(
      String decision, String conditions, String value, boolean matches) {
    assertThat(matches(decision, conditions, refund("{}", value))).isEqualTo(matches);
  }

  @Test
  void theImpliedMinimumIsNotWritten() {
    Guardrails guardrails = guardrails(rule("small", "ALLOW", ",'conditions':{'max_value':50}"));
    assertThat(guardrails.json().at("/0/conditions/min_value").isNull()).isTrue();
    assertThat(Guardrails.of(guardrails.json()).evaluate(refund("{}", "-1")).verdict())
        .isEqualTo(said(Decision.BLOCK, 2, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aSideEffectThatNoGuardrailMatchesIsBlockedWithRuleNull(int tier) {
    Candidate action = candidate("pay.refund", tier, "{}", null, "order:1");
    assertThat(Guardrails.none().evaluate(action))
        .isEqualTo(new Evaluation(said(Decision.BLOCK, tier, null), null));
    assertThat(verdict(action, "'name':'a','decision':'ALLOW','tool':'pay.other'"))
        .isEqualTo(said(Decision.BLOCK, tier, null));
  }

  @Test
  void aReadThatNoGuardrailMatchesIsAllowedByTheBuiltInRule() {
    assertThat(Guardrails.none().evaluate(candidate("pay.list", 0, "{}", null, "order:1")))
        .isEqualTo(new Evaluation(said(Decision.ALLOW, 0, "builtin.read_only"), null));
  }

  @Test
  void guardrailsThatCannotBeReadRefuseEvenReads() {
    assertThat(Guardrails.unreadable().evaluate(candidate("pay.list", 0, "{}", null, "order:1")))
        .isEqualTo(new Evaluation(said(Decision.BLOCK, 0, null), null));
  }

  @Test
  void aReadThatAGuardrailBlocksIsBlocked() {
    assertThat(
            verdict(
                candidate("pay.list", 0, "{}", null, "order:1"),
                "'name':'no-reads','decision':'BLOCK','tool':'pay.*'"))
        .isEqualTo(said(Decision.BLOCK, 0, "no-reads"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALLOW", "ALERT", "BLOCK"})
  void theGuardrailThatMatchesDecidesAndIsNamed(String decision) {
    Guardrails guardrails = guardrails(rule("one", decision, ""));
    assertThat(guardrails.evaluate(refund()))
        .isEqualTo(
            new Evaluation(
                said(Decision.valueOf(decision), 2, "one"), guardrails.list().getFirst()));
  }

  @Test
  void aMatchingBlockWinsAtAnyPriority() {
    assertThat(
            verdict(
                refund(),
                rule("allow", "ALLOW", ",'priority':1"),
                rule("alert", "ALERT", ",'priority':2"),
                "'name':'block','decision':'BLOCK','priority':900,'tool':'pay.*'"))
        .isEqualTo(said(Decision.BLOCK, 2, "block"));
  }

  @Test
  void theLowestPriorityDecidesThenTheName() {
    assertThat(
            verdict(
                refund(),
                rule("a", "ALERT", ",'priority':20"),
                rule("z", "ALLOW", ",'priority':10")))
        .isEqualTo(said(Decision.ALLOW, 2, "z"));
    assertThat(verdict(refund(), rule("b", "ALLOW", ""), rule("a", "ALERT", "")))
        .isEqualTo(said(Decision.ALERT, 2, "a"));
    assertThat(
            verdict(
                refund(),
                "'name':'glob','decision':'ALERT','tool':'*.refund','priority':5",
                rule("exact", "ALLOW", ",'priority':6")))
        .isEqualTo(said(Decision.ALERT, 2, "glob"));
    assertThat(verdict(refund(), rule("block-b", "BLOCK", ""), rule("block-a", "BLOCK", "")))
        .isEqualTo(said(Decision.BLOCK, 2, "block-a"));
  }

  @Test
  void anOmittedPriorityIs100() {
    assertThat(verdict(refund(), rule("a", "ALERT", ""), rule("b", "ALLOW", ",'priority':99")))
        .isEqualTo(said(Decision.ALLOW, 2, "b"));
    assertThat(verdict(refund(), rule("a", "ALERT", ""), rule("b", "ALLOW", ",'priority':101")))
        .isEqualTo(said(Decision.ALERT, 2, "a"));
  }

  @Test
  void aDisabledGuardrailMatchesNothing() {
    assertThat(
            verdict(
                refund(), rule("block", "BLOCK", ",'enabled':false"), rule("allow", "ALLOW", "")))
        .isEqualTo(said(Decision.ALLOW, 2, "allow"));
    assertThat(verdict(refund(), rule("allow", "ALLOW", ",'enabled':false")))
        .isEqualTo(said(Decision.BLOCK, 2, null));
  }

  @Test
  void aConnectorIsMatchedByItsId() {
    String mine = rule("a", "ALLOW", ",'connector':'" + Given.CONNECTOR.value() + "'");
    String other = rule("a", "ALLOW", ",'connector':'" + Given.OTHER_CONNECTOR.value() + "'");
    assertThat(verdict(refund(), mine)).isEqualTo(said(Decision.ALLOW, 2, "a"));
    assertThat(verdict(refund(), other)).isEqualTo(said(Decision.BLOCK, 2, null));
  }

  @ParameterizedTest
  @CsvSource({"9.99, false", "10, true", "10.00, true", "49.999, true", "50, true", "50.01, false"})
  void theBoundsOfAValueAreInclusive(String value, boolean expected) {
    assertThat(matches("ALLOW", "'min_value':10,'max_value':'50.00'", refund("{}", value)))
        .isEqualTo(expected);
  }

  @Test
  void valuesAreComparedExactly() {
    assertThat(matches("ALLOW", "'max_value':0.3", refund("{}", "0.30000000000000000000001")))
        .isFalse();
    assertThat(matches("ALLOW", "'max_value':9007199254740992", refund("{}", "9007199254740993")))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'min_value':0",
        "'max_value':50",
        "'currency':'usd'",
        "'args':[{'path':'/amount','op':'lt','value':5}]",
        "'args':[{'path':'/amount','op':'ne','value':5}]",
        "'args':[{'path':'/amount','op':'not_in','value':[5]}]"
      })
  void aConditionOnAMissingFactFailsForAllowAndHoldsOtherwise(String conditions) {
    assertThat(matches("ALLOW", conditions, refund())).isFalse();
    assertThat(matches("ALERT", conditions, refund())).isTrue();
    assertThat(matches("BLOCK", conditions, refund())).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'currency':'usd'; {'currency':7}",
        "'currency':'usd'; {'currency':null}",
        "'args':[{'path':'/a','op':'lt','value':5}]; {'a':'few'}",
        "'args':[{'path':'/a','op':'prefix','value':'x'}]; {'a':{}}",
        "'args':[{'path':'/a','op':'eq','value':'1'}]; {'a':1}"
      })
  void aConditionOnAWrongTypeFailsForAllowAndHoldsOtherwise(String conditions, String args) {
    assertThat(matches("ALLOW", conditions, refund(args, null))).isFalse();
    assertThat(matches("ALERT", conditions, refund(args, null))).isTrue();
    assertThat(matches("BLOCK", conditions, refund(args, null))).isTrue();
  }

  @Test
  void aConditionThatFailsOutweighsOneThatCannotBeEvaluated() {
    String conditions = "'max_value':50,'args':[{'path':'/a','op':'eq','value':1}]";
    assertThat(matches("BLOCK", conditions, refund("{'a':2}", null))).isFalse();
    assertThat(matches("BLOCK", conditions, refund("{'a':1}", null))).isTrue();
  }

  @Test
  void theCurrencyIsThatOfTheArguments() {
    assertThat(matches("ALLOW", "'currency':'usd'", refund("{'currency':'usd'}", "1"))).isTrue();
    assertThat(matches("ALLOW", "'currency':'usd'", refund("{'currency':'eur'}", "1"))).isFalse();
    assertThat(matches("BLOCK", "'currency':'usd'", refund("{'currency':'eur'}", "1"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "order:*, true",
    "order:1042, true",
    "order:1042*, true",
    "*, true",
    "order:10, false",
    "order:10425*, false",
    "ticket:*, false"
  })
  void anEntityKeyConditionIsExactOrAPrefix(String pattern, boolean expected) {
    assertThat(matches("ALLOW", "'entity_key':'" + pattern + "'", refund())).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "3, true"})
  void theMaximumTierIsInclusive(int maxTier, boolean expected) {
    assertThat(matches("ALLOW", "'max_tier':" + maxTier, refund())).isEqualTo(expected);
    assertThat(matches("BLOCK", "'max_tier':" + maxTier, refund())).isEqualTo(expected);
  }

  @Test
  void allConditionsMustHold() {
    String conditions =
        "'min_value':0,'max_value':50,'currency':'usd','entity_key':'order:*','max_tier':2,"
            + "'args':[{'path':'/currency','op':'eq','value':'usd'},{'path':'/n','op':'gt','value':1}]";
    assertThat(matches("ALLOW", conditions, refund("{'currency':'usd','n':2}", "42"))).isTrue();
    assertThat(matches("ALLOW", conditions, refund("{'currency':'usd','n':1}", "42"))).isFalse();
  }

  @Test
  void theGuardrailThatDecidedTheOriginalDecidesItsInverse() {
    Guardrails guardrails =
        guardrails(
            rule("refunds", "ALLOW", ",'conditions':{'max_value':50}"),
            "'name':'cancels','decision':'ALERT','priority':1,'tool':'pay.cancel'");
    Candidate inverse = candidate("pay.cancel", 2, "{}", null, "order:1");
    assertThat(guardrails.evaluateInverse(inverse, "refunds"))
        .isEqualTo(
            new Evaluation(said(Decision.ALLOW, 2, "refunds"), guardrails.list().getFirst()));
    assertThat(guardrails.evaluateInverse(inverse, "gone").verdict())
        .isEqualTo(said(Decision.ALERT, 2, "cancels"));
  }

  @Test
  void theInversesOwnApprovalIsRequiredEvenIfTheOriginalWasAllowed() {
    String cancels =
        "'name':'cancels','decision':'ALERT','priority':200,'tool':'pay.cancel','approval':{}";
    Candidate inverse = candidate("pay.cancel", 2, "{}", null, "order:1");
    assertThat(
            guardrails(rule("refunds", "ALLOW", ""), cancels)
                .evaluateInverse(inverse, "refunds")
                .verdict())
        .isEqualTo(said(Decision.ALERT, 2, "cancels"));
    // Where both ask for one, the order decides, as everywhere.
    assertThat(
            guardrails(rule("refunds", "ALERT", ",'approval':{}"), cancels)
                .evaluateInverse(inverse, "refunds")
                .verdict())
        .isEqualTo(said(Decision.ALERT, 2, "refunds"));
  }

  @Test
  void aBlockThatMatchesTheInverseStillWins() {
    Guardrails guardrails =
        guardrails(
            rule("refunds", "ALLOW", ""),
            "'name':'no-cancels','decision':'BLOCK','tool':'pay.cancel'");
    assertThat(
            guardrails
                .evaluateInverse(candidate("pay.cancel", 2, "{}", null, "order:1"), "refunds")
                .verdict())
        .isEqualTo(said(Decision.BLOCK, 2, "no-cancels"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'decision':'BLOCK'", "'decision':'ALLOW','enabled':false"})
  void anOriginalGuardrailThatBlocksOrIsDisabledByNowAllowsNoInverse(String now) {
    Guardrails guardrails = guardrails("'name':'refunds','tool':'pay.refund'," + now);
    assertThat(
            guardrails
                .evaluateInverse(candidate("pay.cancel", 2, "{}", null, "order:1"), "refunds")
                .verdict()
                .decision())
        .isEqualTo(Decision.BLOCK);
  }

  @Test
  void theStricterVerdictBinds() {
    Verdict allow = said(Decision.ALLOW, 2, "a");
    Verdict alert = said(Decision.ALERT, 2, "b");
    assertThat(allow.stricter(alert)).isEqualTo(alert);
    assertThat(alert.stricter(allow)).isEqualTo(alert);
    assertThat(allow.stricter(said(Decision.ALLOW, 2, "c"))).isEqualTo(allow);
  }

  @Test
  void theContractsExampleMatchesAsDescribed() {
    JsonNode example =
        Given.json(
                """
            {'g':[{'name':'refund-small','decision':'ALLOW','priority':10,'enabled':true,
             'tool':'payments.refund.*','connector':null,
             'conditions':{'min_value':0,'max_value':50,'currency':'usd','entity_key':'order:*','max_tier':2,
                           'args':[{'path':'/currency','op':'eq','value':'usd'}]},
             'limits':[{'per':'entity','window_seconds':86400,'max_actions':1},
                       {'per':'operator','window_seconds':86400,'max_value':'1000.00'}]}]}
            """)
            .get("g");
    Guardrails guardrails = Guardrails.of(example);
    Candidate small =
        candidate("payments.refund.create", 2, "{'currency':'usd'}", "50.00", "order:1042");
    Candidate large =
        candidate("payments.refund.create", 2, "{'currency':'usd'}", "50.01", "order:1042");
    assertThat(guardrails.evaluate(small).verdict())
        .isEqualTo(said(Decision.ALLOW, 2, "refund-small"));
    assertThat(guardrails.evaluate(large).verdict()).isEqualTo(said(Decision.BLOCK, 2, null));
  }
}
