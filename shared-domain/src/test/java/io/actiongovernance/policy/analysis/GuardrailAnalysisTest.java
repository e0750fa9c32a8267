package io.actiongovernance.policy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Conflict;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Permission;
import io.actiongovernance.policy.analysis.GuardrailAnalysis.Result;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is said of guardrails is so; what is simple enough to be said is said. */
final class GuardrailAnalysisTest {
  private static final ConnectorId SHOP = new ConnectorId("cn_01jd0000000000000000000000");
  private static final ConnectorId OTHER = new ConnectorId("cn_01jd0000000000000000000001");
  private static final int RANDOM_SETS = 10_000;

  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
  private static final List<Target> TARGETS =
      List.of(
          target(SHOP, "a.b", 2),
          target(SHOP, "a.c", 1),
          target(SHOP, "b.b", 0),
          target(OTHER, "a.b", 2),
          target(OTHER, "b.c.d", 3));

  private static Target target(ConnectorId connector, String tool, int tier) {
    return new Target(connector, tool, tier, tier == 0, Binds.NONE, Json.object(), action -> true);
  }

  private static Guardrails guardrails(String... each) {
    return Guardrails.of(Json.read("[{" + String.join("},{", each).replace('\'', '"') + "}]"));
  }

  private static Result analysed(String... guardrails) {
    Guardrails set = guardrails(guardrails);
    return GuardrailAnalysis.analyse(set, set, TARGETS, NOW);
  }

  private static List<Permission> permitted(Guardrails present, Guardrails proposed) {
    return GuardrailAnalysis.analyse(present, proposed, TARGETS, NOW).permitsMore();
  }

  @Test
  void toolsWithSideEffectsThatNoGuardrailIsAboutAreUncovered() {
    Result result =
        analysed(
            "'name':'ab','decision':'ALLOW','tool':'a.b','connector':'" + SHOP + "'",
            "'name':'off','decision':'ALLOW','tool':'a.c','enabled':false",
            "'name':'low','decision':'ALLOW','tool':'b.c.d','conditions':{'max_tier':2}",
            "'name':'never','decision':'ALLOW','tool':'a.c',"
                + "'conditions':{'min_value':2,'max_value':1}");
    assertThat(result.uncoveredTools()).containsExactlyInAnyOrder("a.b", "a.c", "b.c.d");
    assertThat(result.unreachable()).containsExactly("low", "never");
    assertThat(result.complete()).isTrue();
  }

  @Test
  void aGuardrailCoveredByOthersIsUnreachable() {
    assertThat(
            analysed(
                    "'name':'one','decision':'ALLOW','tool':'a.*','priority':1,"
                        + "'conditions':{'max_value':10}",
                    "'name':'two','decision':'ALERT','tool':'a.*','priority':2,"
                        + "'conditions':{'min_value':10}",
                    "'name':'both','decision':'ALERT','tool':'a.*','priority':3,"
                        + "'conditions':{'min_value':0,'entity_key':'order:*'}")
                .unreachable())
        .containsExactly("both");
    assertThat(
            analysed(
                    "'name':'block','decision':'BLOCK','tool':'*.*','priority':9",
                    "'name':'allow','decision':'ALLOW','tool':'a.b','priority':1")
                .unreachable())
        .containsExactly("allow");
  }

  @Test
  void analysisConsidersConditionsThatCannotBeEvaluated() {
    // Without a value the first does not match, and the second does: it is strict about that.
    assertThat(
            analysed(
                    "'name':'one','decision':'ALLOW','tool':'a.b','priority':1,"
                        + "'conditions':{'max_value':10}",
                    "'name':'two','decision':'ALERT','tool':'a.b','priority':2,"
                        + "'conditions':{'max_value':10}")
                .unreachable())
        .isEmpty();
    assertThat(
            analysed(
                    "'name':'one','decision':'ALERT','tool':'a.b','priority':1,"
                        + "'conditions':{'max_value':10}",
                    "'name':'two','decision':'ALLOW','tool':'a.b','priority':2,"
                        + "'conditions':{'max_value':9}")
                .unreachable())
        .containsExactly("two");
  }

  @Test
  void guardrailsOfOnePriorityWithDifferentDecisionsConflict() {
    Result result =
        analysed(
            "'name':'small','decision':'ALLOW','tool':'a.b','conditions':{'max_value':10}",
            "'name':'large','decision':'ALERT','tool':'a.b','conditions':{'min_value':10}",
            "'name':'other','decision':'ALERT','tool':'a.b','priority':5,"
                + "'conditions':{'max_value':9}");
    assertThat(result.conflicts()).hasSize(1);
    Conflict conflict = result.conflicts().getFirst();
    assertThat(conflict.guardrails()).containsExactly("large", "small");
    assertThat(conflict.action().value()).isEqualByComparingTo("10");
    assertThat(conflict.verdict()).isEqualTo(new Verdict(Decision.ALERT, 2, "large"));
  }

  @Test
  void aLooserSetIsShownByAnExampleAction() {
    Guardrails present =
        guardrails(
            "'name':'small','decision':'ALLOW','tool':'a.b','conditions':{'max_value':10,"
                + "'currency':'usd','args':[{'path':'/to/kind','op':'in','value':['shop','own']}]}");
    Guardrails looser =
        guardrails(
            "'name':'small','decision':'ALLOW','tool':'a.b','conditions':{'max_value':10.5,"
                + "'currency':'usd','args':[{'path':'/to/kind','op':'in','value':['shop','own']}]}");
    List<Permission> found = permitted(present, looser);
    assertThat(found).hasSize(1);
    Candidate action = found.getFirst().action();
    assertThat(action.value()).isBetween(new BigDecimal("10.000001"), new BigDecimal("10.5"));
    assertThat(action.args().at("/currency").asText()).isEqualTo("usd");
    assertThat(action.args().at("/to/kind").asText()).isIn("shop", "own");
    assertThat(found.getFirst().before()).isEqualTo(new Verdict(Decision.BLOCK, 2, null));
    assertThat(found.getFirst().after()).isEqualTo(new Verdict(Decision.ALLOW, 2, "small"));
    assertThat(permitted(looser, present)).isEmpty();
    assertThat(GuardrailAnalysis.analyse(looser, present, TARGETS, NOW).complete()).isTrue();
  }

  @Test
  void takingAwayABlockOrAnAlertPermitsMore() {
    Guardrails present =
        guardrails(
            "'name':'all','decision':'ALLOW','tool':'a.b','priority':5",
            "'name':'stop','decision':'BLOCK','tool':'a.b',"
                + "'conditions':{'args':[{'path':'/x','op':'prefix','value':'ab'}]}",
            "'name':'ask','decision':'ALERT','tool':'a.b','priority':1,"
                + "'conditions':{'entity_key':'vip:*'}");
    List<Permission> found =
        permitted(present, guardrails("'name':'all','decision':'ALLOW','tool':'a.b'"));
    assertThat(found.stream().map(one -> one.before().rule()))
        .containsExactlyInAnyOrder("stop", "ask");
    assertThat(found).allMatch(one -> one.after().decision() == Decision.ALLOW);
    // A tool without side effects runs where no guardrail matches.
    assertThat(
            permitted(guardrails("'name':'no','decision':'BLOCK','tool':'b.b'"), Guardrails.none()))
        .singleElement()
        .satisfies(one -> assertThat(one.after().rule()).isEqualTo(Verdict.READ_ONLY_RULE));
  }

  @Test
  void onlyActionsThatCanBeProposedAreShown() {
    Guardrails open = guardrails("'name':'all','decision':'ALLOW','tool':'a.b'");
    Target picky = new Target(SHOP, "a.b", 2, false, Binds.NONE, Json.object(), action -> false);
    Result result = GuardrailAnalysis.analyse(Guardrails.none(), open, List.of(picky), NOW);
    assertThat(result.permitsMore()).isEmpty();
    assertThat(result.complete()).isFalse();
  }

  /** As where a tool's schema says of an amount that it is more than 0. */
  @Test
  void aValueTheToolRejectsDoesNotHideOthers() {
    Guardrails small =
        guardrails(
            "'name':'small','decision':'ALLOW','tool':'a.b',"
                + "'conditions':{'min_value':0,'max_value':50}");
    Binds bound = new Binds(List.of(), JsonPointer.compile("/amount"), null);
    Target target =
        new Target(
            SHOP,
            "a.b",
            2,
            false,
            bound,
            Json.object().put("amount", 1),
            action -> action.args().path("amount").decimalValue().signum() > 0);
    Result result = GuardrailAnalysis.analyse(Guardrails.none(), small, List.of(target), NOW);
    assertThat(result.permitsMore()).isNotEmpty();
    assertThat(result.complete()).isTrue();
  }

  /**
   * No false claim, by the evaluator, over random sets; and of what a sample finds, little missed.
   */
  @Test
  void noFindingOnRandomSetsIsWrong() {
    Random random = new Random(20_261_121);
    int complete = 0;
    int claims = 0;
    for (int number = 0; number < RANDOM_SETS; number++) {
      Guardrails present = RandomGuardrails.set(random);
      Guardrails proposed =
          random.nextBoolean()
              ? RandomGuardrails.changed(random, present)
              : RandomGuardrails.set(random);
      Result result = GuardrailAnalysis.analyse(present, proposed, TARGETS, NOW);
      complete += result.complete() ? 1 : 0;
      claims += result.unreachable().size() + result.permitsMore().size();
      for (Permission permission : result.permitsMore()) {
        Verdict before = present.evaluate(permission.action()).verdict();
        Verdict after = proposed.evaluate(permission.action()).verdict();
        assertThat(permission.before()).isEqualTo(before);
        assertThat(permission.after()).isEqualTo(after);
        assertThat(before.decision()).isGreaterThan(after.decision());
      }
      for (Conflict conflict : result.conflicts()) {
        assertThat(proposed.evaluate(conflict.action()).verdict()).isEqualTo(conflict.verdict());
      }
      for (int sample = 0; sample < 60; sample++) {
        Target target = TARGETS.get(random.nextInt(TARGETS.size()));
        Candidate action = RandomGuardrails.action(random, target);
        Verdict after = proposed.evaluate(action).verdict();
        assertThat(after.rule() == null || !result.unreachable().contains(after.rule()))
            .as("%s decides %s in %s", after, action, proposed.json())
            .isTrue();
        if (result.uncoveredTools().contains(action.tool()) && onlyOnOneConnector(action)) {
          assertThat(after.rule()).as("%s %s", action, proposed.json()).isNull();
        }
        Decision before = present.evaluate(action).verdict().decision();
        if (before.compareTo(after.decision()) > 0 && result.complete()) {
          assertThat(result.permitsMore())
              .as("%s: %s, %s", action, present.json(), proposed.json())
              .anyMatch(
                  one ->
                      one.before().decision() == before
                          && one.after().decision() == after.decision());
        }
      }
    }
    assertThat(claims).isGreaterThan(RANDOM_SETS);
    assertThat(complete).isGreaterThan(RANDOM_SETS * 9 / 10);
  }

  private static boolean onlyOnOneConnector(Candidate action) {
    return TARGETS.stream().filter(target -> target.tool().equals(action.tool())).count() == 1;
  }
}
