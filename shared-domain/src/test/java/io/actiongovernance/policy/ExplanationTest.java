package io.actiongovernance.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Explanation.Considered;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract for the policy lab, section 6: what an explanation of a verdict shows. */
class ExplanationTest {
  private static final String TOOL = "'decision':'ALLOW','tool':'pay.refund'";

  private static JsonNode wire(Object shown) {
    return Json.tree(shown);
  }

  private static JsonNode json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  /** The explanation of a guardrail's only condition. */
  private static JsonNode only(String conditions, Candidate candidate) {
    List<Considered> considered =
        Given.guardrails("'name':'g'," + TOOL + ",'conditions':{" + conditions + "}")
            .explain(candidate)
            .considered();
    JsonNode explained = wire(considered.getFirst().conditions());
    assertThat(explained).hasSize(1);
    return explained.path(0);
  }

  private static JsonNode condition(
      String on, String asked, String got, String held, boolean claimed) {
    return json(
        "{'on':'%s','asked':%s,'got':%s,'held':'%s','claimed':%s}"
            .formatted(on, asked, got, held, claimed));
  }

  private static Candidate stating(Set<Assertion> asserted, @Nullable String currency) {
    Candidate plain = Given.refund("{}", "12.50");
    Facts facts = new Facts(new BigDecimal("12.50"), currency, plain.entityKey(), asserted, false);
    return new Candidate(
        plain.connector(), plain.tool(), plain.tier(), plain.read(), plain.args(), facts, Given.AT);
  }

  @Test
  void eachConditionShowsWhatItAskedWhatItGotAndWhetherItHeld() {
    Guardrails set =
        Given.guardrails(
            "'name':'g',"
                + TOOL
                + ",'connector':'"
                + Given.CONNECTOR
                + "','conditions':{'min_value':'10.00','max_value':12,'currency':'usd',"
                + "'entity_key':'order:*','max_tier':1,'args':[{'path':'/a','op':'eq','value':1},"
                + "{'path':'/b','op':'exists'}],"
                + "'within':{'between':[{'from':'2026-11-23T00:00:00Z','until':'2026-11-24T00:00:00Z'}]}}");
    Explanation explanation = set.explain(Given.refund("{'a':1,'currency':'usd'}", "12.50"));
    assertThat(wire(explanation.considered()))
        .isEqualTo(
            json(
                """
                [{'guardrail':'g','decision':'ALLOW','matched':false,'conditions':[
                  {'on':'connector','asked':'%1$s','got':'%1$s','held':'holds','claimed':false},
                  {'on':'min_value','asked':'10.00','got':12.50,'held':'holds','claimed':false},
                  {'on':'max_value','asked':12,'got':12.50,'held':'fails','claimed':false},
                  {'on':'currency','asked':'usd','got':'usd','held':'holds','claimed':false},
                  {'on':'entity_key','asked':'order:*','got':'order:1042','held':'holds','claimed':false},
                  {'on':'max_tier','asked':1,'got':2,'held':'fails','claimed':false},
                  {'on':'args','asked':{'path':'/a','op':'eq','value':1},'got':1,'held':'holds','claimed':false},
                  {'on':'args','asked':{'path':'/b','op':'exists','value':true},'got':false,'held':'fails','claimed':false},
                  {'on':'within','asked':{'zone':null,'weekly':[],
                    'between':[{'from':'2026-11-23T00:00:00Z','until':'2026-11-24T00:00:00Z'}]},
                   'got':{'at':'2026-11-23T10:00:00.000Z'},'held':'holds','claimed':false}]}]
                """
                    .formatted(Given.CONNECTOR)));
    assertThat(explanation.evaluation().verdict()).isEqualTo(new Verdict(Decision.BLOCK, 2, null));
  }

  @Test
  void aGuardrailWithoutConditionsMatchesAndAsksNothing() {
    Explanation explanation = Given.guardrails("'name':'g'," + TOOL).explain(Given.refund());
    assertThat(explanation.considered())
        .containsExactly(new Considered("g", Decision.ALLOW, true, List.of()));
    assertThat(explanation.evaluation().verdict().rule()).isEqualTo("g");
  }

  @Test
  void anotherConnectorFails() {
    Guardrails set =
        Given.guardrails("'name':'g'," + TOOL + ",'connector':'" + Given.OTHER_CONNECTOR + "'");
    Considered considered = set.explain(Given.refund()).considered().getFirst();
    assertThat(considered.matched()).isFalse();
    assertThat(considered.conditions())
        .extracting(Explanation.Condition::held)
        .containsExactly(Truth.FAILS);
  }

  @ParameterizedTest
  @CsvSource({
    "'min_value', 10, VALUE, 12.50",
    "'max_value', '''20''', VALUE, 12.50",
    "currency, '''usd''', CURRENCY, '''usd'''",
    "entity_key, '''order:*''', ENTITY_KEY, '''order:1042'''"
  })
  void aClaimIsShownAndCannotBeDecided(String on, String asked, Assertion claimed, String got) {
    String conditions =
        "'" + on + "':" + asked + (on.equals("max_value") ? ",'min_value':null" : "");
    String alert = "'name':'g','decision':'ALERT','tool':'pay.refund','conditions':{%s}";
    for (boolean claims : new boolean[] {true, false}) {
      Set<Assertion> asserted = claims ? EnumSet.of(claimed) : Set.of();
      Considered considered =
          Given.guardrails(alert.formatted(conditions))
              .explain(stating(asserted, "usd"))
              .considered()
              .getFirst();
      assertThat(wire(considered.conditions()).path(0))
          .isEqualTo(condition(on, asked, got, claims ? "undecidable" : "holds", claims));
      assertThat(considered.matched()).isTrue();
    }
  }

  @Test
  void aFieldThatTheActionLacksIsNullAndUndecidable() {
    assertThat(only("'min_value':1", Given.refund()))
        .isEqualTo(condition("min_value", "1", "null", "undecidable", false));
    assertThat(only("'currency':'usd'", Given.refund()))
        .isEqualTo(condition("currency", "'usd'", "null", "undecidable", false));
    assertThat(only("'currency':'usd'", Given.refund("{'currency':7}", "1")))
        .isEqualTo(condition("currency", "'usd'", "null", "undecidable", false));
    assertThat(only("'args':[{'path':'/x/0','op':'lt','value':'5.0'}]", Given.refund()))
        .isEqualTo(
            condition(
                "args", "{'path':'/x/0','op':'lt','value':'5.0'}", "null", "undecidable", false));
  }

  @Test
  void anImpliedLeastValueIsAConditionToo() {
    Considered considered =
        Given.guardrails("'name':'g'," + TOOL + ",'conditions':{'max_value':'50.00'}")
            .explain(Given.refund("{}", "-1"))
            .considered()
            .getFirst();
    assertThat(wire(considered.conditions()))
        .isEqualTo(
            Json.object()
                .arrayNode()
                .add(condition("min_value", "0", "-1", "fails", false))
                .add(condition("max_value", "'50.00'", "-1", "holds", false)));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T08:00:00Z, mon, 09:00, holds",
    "2026-11-23T16:00:00Z, mon, 17:00, fails",
    "2026-11-29T23:30:15Z, mon, 00:30, fails"
  })
  void aWindowShowsTheLocalDayAndTime(String at, String day, String time, String held) {
    JsonNode explained =
        only(
            "'within':{'zone':'Europe/Berlin','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}]}",
            Given.at(Instant.parse(at), Given.refund()));
    assertThat(explained.path("got").path("day").asText()).isEqualTo(day);
    assertThat(explained.path("got").path("time").asText()).isEqualTo(time);
    assertThat(explained.path("held").asText()).isEqualTo(held);
    assertThat(explained.at("/asked/zone").asText()).isEqualTo("Europe/Berlin");
  }

  private static JsonNode shown(String argument) {
    return only(
            "'args':[{'path':'/a','op':'ne','value':null}]",
            Given.refund("{'a':" + argument + "}", null))
        .path("got");
  }

  @Test
  void longValuesAreShortened() {
    String most = "x".repeat(Explainer.MOST_SHOWN - 2);
    assertThat(shown("'" + most + "'").textValue()).isEqualTo(most);
    String cut = "x".repeat(Explainer.MOST_SHOWN - 5) + "…";
    assertThat(shown("'" + most + "x'").textValue()).isEqualTo(cut);
    assertThat(shown("'" + most.repeat(1_000) + "'").textValue()).isEqualTo(cut);
    assertThat(shown("[" + "1,".repeat(99) + "1]").textValue()).startsWith("[1,1,").endsWith(",…");
    assertThat(shown("[" + "1,".repeat(98) + "1]").size()).isEqualTo(99);
    JsonNode prefix =
        only("'args':[{'path':'/a','op':'prefix','value':'" + most + "x'}]", Given.refund());
    assertThat(prefix.at("/asked/value").textValue()).isEqualTo(cut);
    JsonNode currency = only("'currency':'usd'", Given.refund("{'currency':'x" + most + "'}", "1"));
    assertThat(currency.path("got").textValue()).isEqualTo(cut);
  }

  @ParameterizedTest
  @ValueSource(strings = {"😀", "x😀", "\\u0001", "\\u0001😀", "ü", "[\\'"})
  void noShownValueIsLongerThanTheMostOrCutsACharacterInHalf(String part) {
    String escaped = part.replace("\\'", "\\\"");
    JsonNode cut = shown("'" + escaped.repeat(300) + "'");
    assertThat(Json.write(cut).getBytes(UTF_8)).hasSizeLessThanOrEqualTo(Explainer.MOST_SHOWN);
    String shown = cut.textValue();
    assertThat(shown).endsWith("…").hasSizeGreaterThan(20);
    assertThat(Character.isHighSurrogate(shown.charAt(shown.length() - 2))).isFalse();
  }

  @Test
  void guardrailsOfTheToolComeInTheOrderInWhichTheyDecide() {
    Guardrails set =
        Given.guardrails(
            "'name':'late','priority':9," + TOOL,
            "'name':'off','enabled':false," + TOOL,
            "'name':'other','decision':'BLOCK','tool':'pay.void'",
            "'name':'b'," + TOOL,
            "'name':'a','decision':'ALLOW','tool':'pay.*'",
            "'name':'no','priority':500,'decision':'BLOCK','tool':'*.*','conditions':{'max_tier':1}");
    assertThat(set.explain(Given.refund()).considered())
        .extracting(Considered::guardrail, Considered::matched)
        .containsExactly(
            tuple("no", false), tuple("late", true), tuple("a", true), tuple("b", true));
  }

  private static Guardrails many(int count) {
    return Given.guardrails(
        IntStream.range(0, count)
            .mapToObj(
                at ->
                    "'name':'g%03d',%s,'conditions':{'max_tier':%d}"
                        .formatted(at, TOOL, at < count - 1 ? 1 : 2))
            .toArray(String[]::new));
  }

  @Test
  void noMoreThanTheFirstHundredAreShown() {
    List<Considered> all = many(100).explain(Given.refund()).considered();
    assertThat(all).hasSize(100);
    assertThat(all.getLast().matched()).isTrue();
    Explanation cut = many(101).explain(Given.refund());
    assertThat(cut.considered()).hasSize(100).noneMatch(Considered::matched);
    assertThat(cut.evaluation().verdict().rule()).isEqualTo("g100");
  }

  /** The guardrail that decided the original counts as matching the inverse. */
  @Test
  void theOriginalsGuardrailComesFirstIfItDecidesTheUndo() {
    String original = "'name':'original','decision':'ALLOW','tool':'pay.charge'";
    String first = "'name':'first','priority':1,'decision':'ALERT','tool':'pay.refund'";
    Guardrails set = Given.guardrails(original, first);
    Explanation undo = set.explainInverse(Given.refund(), "original");
    assertThat(undo.evaluation()).isEqualTo(set.evaluateInverse(Given.refund(), "original"));
    assertThat(undo.considered())
        .containsExactly(
            new Considered("original", Decision.ALLOW, true, List.of()),
            new Considered("first", Decision.ALERT, true, List.of()));
  }

  @Test
  void anUndoThatIsDecidedByItsOwnGuardrailsIsExplainedByThemAlone() {
    String original = "'name':'original','decision':'ALLOW','tool':'pay.charge'";
    String no = "'name':'no','decision':'BLOCK','tool':'pay.refund'";
    assertThat(
            Given.guardrails(original, no).explainInverse(Given.refund(), "original").considered())
        .containsExactly(new Considered("no", Decision.BLOCK, true, List.of()));
    Guardrails both = Given.guardrails("'name':'g'," + TOOL);
    assertThat(both.explainInverse(Given.refund(), "g")).isEqualTo(both.explain(Given.refund()));
    assertThat(both.explainInverse(Given.refund(), "gone")).isEqualTo(both.explain(Given.refund()));
  }

  /** Its own conditions fail on the inverse, but it decides: it is shown once, as matching. */
  @Test
  void anOriginalsGuardrailIsShownOnce() {
    Guardrails set =
        Given.guardrails(
            "'name':'g'," + TOOL + ",'conditions':{'max_value':5}", "'name':'h'," + TOOL);
    assertThat(set.explainInverse(Given.refund("{}", "9"), "g").considered())
        .containsExactly(
            new Considered("g", Decision.ALLOW, true, List.of()),
            new Considered("h", Decision.ALLOW, true, List.of()));
    String[] all = new String[101];
    Arrays.setAll(all, at -> "'name':'g%03d',%s".formatted(at, TOOL));
    assertThat(Given.guardrails(all).explainInverse(Given.refund(), "g100").considered())
        .hasSize(100)
        .first()
        .extracting(Considered::guardrail)
        .isEqualTo("g100");
  }

  @Test
  void unreadableGuardrailsConsiderNothing() {
    Explanation explanation =
        Guardrails.unreadable().explain(Given.candidate("pay.read", 0, "{}", null, "e:1"));
    assertThat(explanation.considered()).isEmpty();
    assertThat(explanation.evaluation().verdict().decision()).isEqualTo(Decision.BLOCK);
  }
}
