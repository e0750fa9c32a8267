package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Loosening.Change;
import io.actiongovernance.policy.Loosening.Subject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each difference that rules 1 to 3 name is a tightening; any other loosens. */
final class LooseningTest {
  private static final String ALLOW = "'name':'g','tool':'pay.refund','decision':'ALLOW'";
  private static final String ALERT = "'name':'g','tool':'pay.refund','decision':'ALERT'";
  private static final String BLOCK = "'name':'g','tool':'pay.refund','decision':'BLOCK'";
  private static final String TIMES =
      "'within':{'zone':'Europe/Berlin','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}]}";
  private static final String LIMIT = "{'per':'tool','window_seconds':60,'max_actions':5}";
  private static final String BOTH =
      "{'per':'tool','window_seconds':60,'max_actions':5,'max_value':'50'}";

  private static String of(String guardrail, String conditions) {
    return guardrail + ",'conditions':{" + conditions + "}";
  }

  private static String limited(String guardrail, String limits) {
    return guardrail + ",'limits':[" + limits + "]";
  }

  private static List<Loosening> loosens(List<String> before, List<String> after) {
    return Loosening.of(set(before), set(after));
  }

  private static Guardrails set(List<String> each) {
    return each.isEmpty() ? Guardrails.none() : Given.guardrails(each.toArray(String[]::new));
  }

  private static void assertTightens(String before, String after) {
    assertThat(loosens(List.of(before), List.of(after))).isEmpty();
  }

  private static void assertLoosens(String before, String after) {
    assertThat(loosens(List.of(before), List.of(after)))
        .containsExactly(new Loosening(Subject.GUARDRAIL, "g", Change.CHANGED));
  }

  private static void assertOnlyTightens(String loose, String tight) {
    assertTightens(loose, tight);
    assertLoosens(tight, loose);
  }

  private static void assertIndifferent(String one, String other) {
    assertTightens(one, other);
    assertTightens(other, one);
  }

  @Test
  void anotherOrderOrNotationIsNoDifference() {
    String one =
        of(
            limited(ALERT, LIMIT + ",{'per':'entity','window_seconds':60,'max_value':'1.50'}"),
            "'min_value':1,'max_value':'50.00','args':[{'path':'/a','op':'eq','value':1.0},"
                + "{'path':'/b','op':'exists'}]");
    String other =
        of(
            limited(ALERT, "{'per':'entity','window_seconds':60,'max_value':1.5}," + LIMIT),
            "'min_value':'1.0','max_value':50,'args':[{'path':'/b','op':'exists','value':true},"
                + "{'path':'/a','op':'eq','value':1}]");
    String more = "'name':'h','tool':'*','decision':'ALLOW'";
    assertThat(loosens(List.of(one, more), List.of(more, other))).isEmpty();
    assertThat(loosens(List.of(more, other), List.of(one, more))).isEmpty();
  }

  @Test
  void aNewGuardrailIsATighteningOnlyIfItIsABlock() {
    assertThat(loosens(List.of(), List.of(BLOCK))).isEmpty();
    for (String looser : List.of(ALLOW, ALERT)) {
      assertThat(loosens(List.of(), List.of(looser)))
          .containsExactly(new Loosening(Subject.GUARDRAIL, "g", Change.ADDED));
    }
  }

  @Test
  void aGuardrailMayGoOnlyIfItIsAnAllowWithoutLimits() {
    assertThat(loosens(List.of(ALLOW), List.of())).isEmpty();
    for (String held : List.of(limited(ALLOW, LIMIT), ALERT, BLOCK)) {
      assertThat(loosens(List.of(held), List.of()))
          .containsExactly(new Loosening(Subject.GUARDRAIL, "g", Change.REMOVED));
    }
  }

  @Test
  void aDisabledGuardrailCountsAsAbsent() {
    assertThat(loosens(List.of(ALERT), List.of(ALERT + ",'enabled':false")))
        .containsExactly(new Loosening(Subject.GUARDRAIL, "g", Change.REMOVED));
    assertThat(loosens(List.of(ALLOW + ",'enabled':false"), List.of(ALLOW)))
        .containsExactly(new Loosening(Subject.GUARDRAIL, "g", Change.ADDED));
    assertIndifferent(ALERT + ",'enabled':false", BLOCK + ",'enabled':false");
    assertThat(loosens(List.of(ALERT + ",'enabled':false"), List.of())).isEmpty();
    assertTightens(BLOCK + ",'enabled':false", BLOCK);
    assertTightens(ALLOW, ALLOW + ",'enabled':false");
  }

  @Test
  void anotherNameIsAnotherGuardrail() {
    assertThat(loosens(List.of(ALERT), List.of(ALERT.replace("'g'", "'a'"))))
        .containsExactly(
            new Loosening(Subject.GUARDRAIL, "a", Change.ADDED),
            new Loosening(Subject.GUARDRAIL, "g", Change.REMOVED));
    assertThat(loosens(List.of(ALERT), List.of(ALERT.replace("'g'", "'G'")))).hasSize(2);
  }

  @Test
  void anyGuardrailMayBecomeABlockOfTheSameActions() {
    String asked = "'entity_key':'order:*','args':[{'path':'/a','op':'gt','value':1}]," + TIMES;
    for (String held :
        List.of(ALLOW, ALERT + ",'approval':{'method':'passkey'}", limited(ALLOW, LIMIT), BLOCK)) {
      assertTightens(of(held, asked), of(BLOCK, asked) + ",'priority':7");
      assertLoosens(of(held, asked), of(BLOCK, asked).replace("pay.refund", "pay.*"));
      assertLoosens(of(held, asked), of(BLOCK, asked) + ",'connector':'" + Given.CONNECTOR + "'");
      assertLoosens(of(held, asked), of(BLOCK, asked + ",'currency':'usd'"));
      assertLoosens(of(held, asked), of(BLOCK, TIMES));
    }
    for (String looser : List.of(ALLOW, ALERT, limited(ALLOW, LIMIT))) {
      assertLoosens(BLOCK, looser);
    }
    assertIndifferent(limited(BLOCK, LIMIT), BLOCK);
  }

  @Test
  void aBlockOfAnAllowMayRefuseNegativeValuesBesides() {
    assertTightens(of(ALLOW, "'max_value':10"), of(BLOCK, "'max_value':10"));
    assertTightens(of(ALLOW, "'max_value':10"), of(BLOCK, "'max_value':10,'min_value':0"));
    assertLoosens(of(ALLOW, "'max_value':10"), of(BLOCK, "'max_value':10,'min_value':1"));
    assertLoosens(of(ALERT, "'max_value':10"), of(BLOCK, "'max_value':10,'min_value':0"));
    assertLoosens(of(BLOCK, "'max_value':10"), of(BLOCK, "'max_value':10,'min_value':0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'min_value':-5",
        "'max_value':5",
        "'currency':'usd'",
        "'entity_key':'order:*'",
        "'max_tier':2",
        "'args':[{'path':'/a','op':'eq','value':1}]",
        TIMES
      })
  void anotherConditionNarrowsAnAllowWithoutLimits(String condition) {
    assertOnlyTightens(ALLOW, of(ALLOW, condition));
    assertLoosens(ALERT, of(ALERT, condition));
    assertLoosens(of(ALERT, condition), ALERT);
    assertLoosens(limited(ALLOW, LIMIT), of(limited(ALLOW, LIMIT), condition));
    assertLoosens(BLOCK, of(BLOCK, condition));
    assertLoosens(of(BLOCK, condition), BLOCK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "'max_value':5; 'max_value':4.99",
        "'min_value':-2; 'min_value':'-1.5'",
        "'max_tier':2; 'max_tier':0",
        "'max_value':5,'min_value':-1; 'max_value':5",
        "'args':[{'path':'/a','op':'exists'}]; 'args':[{'path':'/b','op':'exists'},{'path':'/a','op':'exists'}]"
      })
  void aTighterNumberOrOneMoreArgumentNarrows(String wide, String narrow) {
    assertOnlyTightens(of(ALLOW, wide), of(ALLOW, narrow));
    assertLoosens(of(ALERT, wide), of(ALERT, narrow));
  }

  @Test
  void anAllowWithAGreatestValueImpliesALeastOneOfZero() {
    assertIndifferent(of(ALLOW, "'max_value':5"), of(ALLOW, "'max_value':5,'min_value':0"));
    assertLoosens(of(ALLOW, "'max_value':5"), of(ALLOW, "'max_value':5,'min_value':-1"));
    assertLoosens(
        of(ALLOW, "'min_value':-1"), of(ALLOW, "'max_value':5").replace("5", "5,'min_value':-2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "'entity_key':'order:*'; 'entity_key':'order:1*'",
        "'currency':'usd'; 'currency':'eur'",
        "'args':[{'path':'/a','op':'in','value':[1,2]}]; 'args':[{'path':'/a','op':'in','value':[1]}]",
        "'args':[{'path':'/a','op':'lt','value':2}]; 'args':[{'path':'/a','op':'lt','value':1}]",
        "'args':[{'path':'/a','op':'lt','value':2}]; 'args':[{'path':'/a','op':'lte','value':2}]",
        "'args':[{'path':'/a','op':'eq','value':1}]; 'args':[{'path':'/a','op':'eq','value':'1'}]",
        "'max_value':5,'max_tier':1; 'max_value':4,'max_tier':2"
      })
  void anotherConditionOfOneKindLoosensBothWays(String one, String other) {
    assertLoosens(of(ALLOW, one), of(ALLOW, other));
    assertLoosens(of(ALLOW, other), of(ALLOW, one));
  }

  @Test
  void otherTimesLoosenBothWays() {
    for (String other :
        List.of(
            TIMES.replace("Europe/Berlin", "Europe/Paris"),
            TIMES.replace("17:00", "16:00"),
            TIMES.replace("'mon'", "'tue'"),
            "'within':{'between':[{'from':'2026-11-23T00:00:00Z','until':'2026-11-24T00:00:00Z'}]}")) {
      assertLoosens(of(ALLOW, TIMES), of(ALLOW, other));
      assertLoosens(of(ALLOW, other), of(ALLOW, TIMES));
    }
    assertIndifferent(
        of(ALLOW, TIMES.replace("['mon']", "['mon','fri']")),
        of(ALLOW, TIMES.replace("['mon']", "['fri','mon']")));
  }

  @Test
  void limitsMayBeAddedAndLowered() {
    for (String held : List.of(ALLOW, ALERT)) {
      assertOnlyTightens(held, limited(held, LIMIT));
      assertOnlyTightens(
          limited(held, LIMIT),
          limited(held, LIMIT + ",{'per':'entity','window_seconds':60,'max_actions':9}"));
      assertOnlyTightens(limited(held, LIMIT), limited(held, LIMIT.replace("5", "4")));
      assertOnlyTightens(limited(held, BOTH), limited(held, BOTH.replace("'50'", "49.99")));
      assertTightens(limited(held, BOTH), limited(held, BOTH.replace("5", "0")));
    }
    assertOnlyTightens(ALLOW, of(limited(ALLOW, LIMIT), "'max_value':5"));
  }

  @Test
  void aLimitKeepsWhatItCounts() {
    String raised = "{'per':'tool','window_seconds':60,'max_actions':4,'max_value':51}";
    for (String other :
        List.of(
            LIMIT.replace("tool", "operator"),
            LIMIT.replace("60", "59"),
            LIMIT.replace("60", "61"),
            LIMIT.replace("max_actions", "max_value"),
            BOTH)) {
      assertLoosens(limited(ALLOW, LIMIT), limited(ALLOW, other));
      assertLoosens(limited(ALLOW, other), limited(ALLOW, LIMIT));
    }
    assertLoosens(limited(ALERT, BOTH), limited(ALERT, raised));
    assertTightens(limited(ALLOW, LIMIT), limited(ALLOW, LIMIT + "," + BOTH));
  }

  @Test
  void otherFieldsOfAnAllowOrAlertStayEqual() {
    for (String held : List.of(ALLOW, limited(ALLOW, LIMIT), ALERT)) {
      assertIndifferent(held, held + ",'priority':100");
      for (String other :
          List.of(
              held + ",'priority':101",
              held + ",'priority':99",
              held + ",'connector':'" + Given.CONNECTOR + "'",
              held.replace("pay.refund", "pay.*"))) {
        assertLoosens(held, other);
        assertLoosens(other, held);
      }
    }
    assertLoosens(ALLOW, ALERT);
    assertLoosens(ALERT, limited(ALLOW, LIMIT));
    assertLoosens(ALERT, ALERT + ",'approval':{'method':'passkey'}");
    assertLoosens(ALERT + ",'approval':{'method':'passkey'}", ALERT);
    assertLoosens(ALLOW, limited(ALLOW, LIMIT) + ",'approval':{'method':'passkey'}");
    assertIndifferent(
        ALERT + ",'approval':{'method':'session'}", ALERT + ",'approval':{'not_proposer':true}");
  }

  @Test
  void everyChangeOfAnUnreadableSetLoosens() {
    Loosening reads = new Loosening(Subject.GUARDRAIL, Verdict.READ_ONLY_RULE, Change.ADDED);
    assertThat(Loosening.of(Guardrails.unreadable(), Guardrails.none())).containsExactly(reads);
    assertThat(Loosening.of(Guardrails.unreadable(), Given.guardrails(BLOCK)))
        .containsExactly(reads);
    assertThat(Loosening.of(Guardrails.unreadable(), Given.guardrails(ALERT)))
        .containsExactly(reads, new Loosening(Subject.GUARDRAIL, "g", Change.ADDED));
    assertThat(
            Loosening.of(
                Guardrails.unreadable(),
                Given.guardrails(ALERT.replace("'g'", "'" + Verdict.READ_ONLY_RULE + "'"))))
        .containsExactly(reads);
    assertThat(Loosening.of(Guardrails.unreadable(), Guardrails.unreadable()))
        .as("no change")
        .isEmpty();
  }

  @Test
  void aTestThatIsGoneOrOtherLoosens() {
    Guardrails none = Guardrails.none();
    Map<String, JsonNode> tests = Map.of("a", test("{'decision':'BLOCK','value':1}"));
    assertThat(Loosening.of(none, none, Map.of(), tests)).isEmpty();
    assertThat(Loosening.of(none, none, tests, tests)).isEmpty();
    assertThat(
            Loosening.of(none, none, tests, Map.of("a", test("{'value':1.0,'decision':'BLOCK'}"))))
        .isEmpty();
    assertThat(Loosening.of(none, none, tests, Map.of()))
        .containsExactly(new Loosening(Subject.TEST, "a", Change.REMOVED));
    assertThat(Loosening.of(none, none, tests, Map.of("a", test("{'decision':'ALERT','value':1}"))))
        .containsExactly(new Loosening(Subject.TEST, "a", Change.CHANGED));
  }

  private static JsonNode test(String json) {
    return Given.json(json);
  }

  @Test
  void differencesAreSortedByNameAndAtMostAHundred() {
    Map<String, JsonNode> tests = new TreeMap<>();
    IntStream.range(0, 150).forEach(at -> tests.put("t%03d".formatted(at), Json.object()));
    Guardrails before =
        Given.guardrails(ALERT.replace("'g'", "'t001'"), ALERT.replace("'g'", "'z'"));
    List<Loosening> found = Loosening.of(before, Guardrails.none(), tests, Map.of());
    assertThat(found).hasSize(Loosening.MOST_LISTED);
    assertThat(found.subList(0, 4))
        .containsExactly(
            new Loosening(Subject.TEST, "t000", Change.REMOVED),
            new Loosening(Subject.GUARDRAIL, "t001", Change.REMOVED),
            new Loosening(Subject.TEST, "t001", Change.REMOVED),
            new Loosening(Subject.TEST, "t002", Change.REMOVED));
    assertThat(found).extracting(Loosening::name).isSorted();
  }
}
