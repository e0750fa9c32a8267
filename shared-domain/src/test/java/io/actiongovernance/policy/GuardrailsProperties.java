package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds of every set of guardrails and every action. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class GuardrailsProperties {
  private static final String[] OPS = {
    "eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "prefix", "exists"
  };

  /** Contains {@link Given#AT}. */
  private static final String OPEN =
      "{'zone':'Europe/Berlin','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}]}";

  private static final String CLOSED =
      "{'between':[{'from':'2026-11-23T10:00:01Z','until':'2026-12-01T00:00:00Z'}]}";

  @Provide
  Arbitrary<JsonNode> leaves() {
    return Arbitraries.of("1", "1.0", "2", "'1'", "'a'", "'ab'", "null", "true", "[1]", "{}")
        .map(text -> Given.json("{'x':" + text + "}").get("x"));
  }

  @Provide
  Arbitrary<ObjectNode> args() {
    Arbitrary<JsonNode> maybe = leaves().injectNull(0.3);
    return Combinators.combine(maybe, maybe)
        .as(
            (x, currency) -> {
              ObjectNode args = Json.object();
              if (x != null) {
                args.set("x", x);
              }
              if (currency != null) {
                args.set("currency", currency);
              }
              return args;
            });
  }

  /** Candidates whose facts may be the word of their proposer alone. */
  @Provide
  Arbitrary<Candidate> claims() {
    return Combinators.combine(
            candidates(),
            Arbitraries.of(Assertion.class).set(),
            Arbitraries.of("a", "b").injectNull(0.5),
            Arbitraries.of(true, false))
        .as(
            (candidate, asserted, currency, inArgs) ->
                new Candidate(
                    candidate.connector(),
                    candidate.tool(),
                    candidate.tier(),
                    candidate.read(),
                    candidate.args(),
                    new Facts(candidate.value(), currency, candidate.entityKey(), asserted, inArgs),
                    candidate.at()));
  }

  @Provide
  Arbitrary<Candidate> candidates() {
    return Combinators.combine(
            Arbitraries.of("a.b", "a.c", "b.b"),
            Arbitraries.integers().between(0, 3),
            args(),
            Arbitraries.of("-1", "0", "1", "1.5", "2").map(BigDecimal::new).injectNull(0.3),
            Arbitraries.of("e:1", "e:2", "f:1"))
        .as(
            (tool, tier, args, value, entity) ->
                new Candidate(
                    Given.CONNECTOR, tool, tier, args, value, new EntityKey(entity), Given.AT));
  }

  private Arbitrary<ObjectNode> argConditions() {
    Arbitrary<JsonNode> numbers =
        leaves().filter(leaf -> leaf.isNumber() || leaf.asText().equals("1"));
    return Combinators.combine(Arbitraries.of(OPS), leaves(), numbers)
        .as(
            (op, leaf, number) -> {
              ObjectNode condition = Json.object().put("path", "/x").put("op", op);
              switch (op) {
                case "lt", "lte", "gt", "gte" -> condition.set("value", number);
                case "in", "not_in" -> condition.putArray("value").add(leaf).add(number);
                case "prefix" -> condition.put("value", "a");
                case "exists" -> {}
                default -> condition.set("value", leaf);
              }
              return condition;
            });
  }

  private Arbitrary<ObjectNode> conditions() {
    return Combinators.combine(
            Arbitraries.integers().between(-2, 2).injectNull(0.6),
            Arbitraries.integers().between(-1, 2).injectNull(0.6),
            Arbitraries.of("a", "ab").injectNull(0.7),
            Arbitraries.of("e:*", "e:1", "*").injectNull(0.6),
            Arbitraries.integers().between(0, 3).injectNull(0.6),
            argConditions().list().ofMaxSize(2),
            Arbitraries.of(OPEN, CLOSED).injectNull(0.7))
        .as(
            (min, max, currency, entity, tier, args, within) -> {
              ObjectNode conditions = Json.object();
              conditions.put("min_value", min).put("max_value", max).put("currency", currency);
              conditions.put("entity_key", entity).put("max_tier", tier);
              conditions.putArray("args").addAll(args);
              if (within != null) {
                conditions.set("within", Given.json(within));
              }
              return conditions;
            });
  }

  @Provide
  Arbitrary<ObjectNode> guardrail() {
    return Combinators.combine(
            Arbitraries.of(Decision.values()),
            Arbitraries.integers().between(1, 3),
            Arbitraries.of(true, true, true, false),
            Arbitraries.of("a.b", "a.*", "*.b", "*.*", "*"),
            Arbitraries.of(Given.CONNECTOR.value(), Given.OTHER_CONNECTOR.value()).injectNull(0.8),
            conditions())
        .as(
            (decision, priority, enabled, tool, connector, conditions) -> {
              ObjectNode guardrail = Json.object();
              guardrail.put("decision", decision.name()).put("priority", priority);
              guardrail.put("enabled", enabled).put("tool", tool).put("connector", connector);
              guardrail.set("conditions", conditions);
              return guardrail;
            });
  }

  @Provide
  Arbitrary<Guardrails> sets() {
    return guardrail().list().ofMaxSize(6).map(GuardrailsProperties::named);
  }

  private static Guardrails named(List<ObjectNode> guardrails) {
    ArrayNode array = Json.object().arrayNode();
    for (int at = 0; at < guardrails.size(); at++) {
      array.add(guardrails.get(at).deepCopy().put("name", "g" + at));
    }
    return Guardrails.of(array);
  }

  /** The rule as the contract words it, guardrail by guardrail, with nothing compiled. */
  private static boolean matches(Guardrail guardrail, Candidate candidate) {
    boolean meant =
        guardrail.enabled()
            && Glob.parse(guardrail.tool()).matches(candidate.tool())
            && (guardrail.connector() == null
                || guardrail.connector().equals(candidate.connector().value()));
    Truth truth = guardrail.conditions().test(candidate);
    boolean allow = guardrail.decision() == Decision.ALLOW;
    return meant && (allow ? truth == Truth.HOLDS : truth != Truth.FAILS);
  }

  @Property
  void evaluationFollowsTheContract(
      @ForAll("sets") Guardrails guardrails, @ForAll("candidates") Candidate candidate) {
    List<Guardrail> matching =
        guardrails.list().stream().filter(one -> matches(one, candidate)).toList();
    Guardrail expected =
        matching.stream()
            .min(
                Comparator.comparing((Guardrail one) -> one.decision() != Decision.BLOCK)
                    .thenComparing(Guardrail::priority)
                    .thenComparing(Guardrail::name))
            .orElse(null);
    Evaluation evaluation = guardrails.evaluate(candidate);
    assertThat(evaluation.guardrail()).isEqualTo(expected);
    assertThat(evaluation.verdict().tier()).isEqualTo(candidate.tier());
    if (expected == null) {
      assertThat(evaluation.verdict().decision())
          .isEqualTo(candidate.tier() == 0 ? Decision.ALLOW : Decision.BLOCK);
    } else {
      assertThat(evaluation.verdict().decision()).isEqualTo(expected.decision());
      assertThat(evaluation.verdict().rule()).isEqualTo(expected.name());
    }
  }

  @Property
  void aMaximumAloneAllowsNoNegativeValue(
      @ForAll("guardrail") ObjectNode guardrail, @ForAll("candidates") Candidate candidate) {
    ObjectNode only = guardrail.deepCopy().put("name", "only");
    JsonNode conditions = only.path("conditions");
    BigDecimal value = candidate.value();
    boolean negative = value != null && value.signum() < 0;
    ArrayNode set = Json.object().arrayNode().add(only);
    if (negative
        && only.path("decision").asText().equals("ALLOW")
        && conditions.hasNonNull("max_value")
        && !conditions.hasNonNull("min_value")) {
      assertThat(Guardrails.of(set).evaluate(candidate).guardrail()).isNull();
    }
  }

  @Property
  void aMatchingBlockWins(
      @ForAll("sets") Guardrails guardrails, @ForAll("candidates") Candidate candidate) {
    boolean blocked =
        guardrails.list().stream()
            .anyMatch(one -> one.decision() == Decision.BLOCK && matches(one, candidate));
    if (blocked) {
      assertThat(guardrails.evaluate(candidate).verdict().decision()).isEqualTo(Decision.BLOCK);
    }
  }

  @Property
  void addingABlockNeverPermitsMore(
      @ForAll("sets") Guardrails guardrails,
      @ForAll("guardrail") ObjectNode added,
      @ForAll("candidates") Candidate candidate) {
    ArrayNode more = guardrails.json();
    more.add(added.deepCopy().put("name", "added").put("decision", "BLOCK"));
    assertThat(Guardrails.of(more).evaluate(candidate).verdict().decision())
        .isGreaterThanOrEqualTo(guardrails.evaluate(candidate).verdict().decision());
  }

  @Property
  void theOrderOfTheListDoesNotMatter(
      @ForAll("sets") Guardrails guardrails,
      @ForAll("candidates") Candidate candidate,
      @ForAll long seed) {
    List<JsonNode> shuffled = new ArrayList<>();
    guardrails.json().forEach(shuffled::add);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(Guardrails.of(Json.object().arrayNode().addAll(shuffled)).evaluate(candidate))
        .isEqualTo(guardrails.evaluate(candidate));
  }

  /**
   * Without `exists`, which can always be evaluated, taking away what is judged never yields an
   * ALLOW.
   */
  @Property
  void missingFactsNeverPermitMore(
      @ForAll("sets") Guardrails guardrails, @ForAll("candidates") Candidate candidate) {
    boolean asksExistence =
        guardrails.list().stream()
            .flatMap(one -> one.conditions().args().stream())
            .anyMatch(condition -> condition.op() == ArgCondition.Op.EXISTS);
    if (asksExistence) {
      return;
    }
    Candidate bare =
        new Candidate(
            candidate.connector(),
            candidate.tool(),
            candidate.tier(),
            Json.object(),
            null,
            candidate.entityKey(),
            candidate.at());
    if (guardrails.evaluate(bare).verdict().decision() == Decision.ALLOW) {
      assertThat(guardrails.evaluate(candidate).verdict().decision()).isEqualTo(Decision.ALLOW);
    }
  }

  @Property
  void aSideEffectRunsOnlyByAGuardrailThatAllowsIt(
      @ForAll("sets") Guardrails guardrails, @ForAll("candidates") Candidate candidate) {
    Evaluation evaluation = guardrails.evaluate(candidate);
    if (evaluation.verdict().decision() == Decision.ALLOW && candidate.tier() > 0) {
      assertThat(evaluation.guardrail())
          .isNotNull()
          .extracting(guardrail -> guardrail.conditions().test(candidate))
          .isEqualTo(Truth.HOLDS);
    }
  }

  @Property
  void anExplanationAgreesWithTheEvaluator(
      @ForAll("sets") Guardrails guardrails, @ForAll("claims") Candidate candidate) {
    Explanation explanation = guardrails.explain(candidate);
    assertThat(explanation.evaluation()).isEqualTo(guardrails.evaluate(candidate));
    assertThatTheFirstMatchDecides(explanation);
    List<Guardrail> about =
        guardrails.list().stream()
            .filter(one -> one.enabled() && Glob.parse(one.tool()).matches(candidate.tool()))
            .sorted(
                Comparator.comparing((Guardrail one) -> one.decision() != Decision.BLOCK)
                    .thenComparing(Guardrail::priority)
                    .thenComparing(Guardrail::name))
            .toList();
    assertThat(explanation.considered())
        .extracting(Explanation.Considered::guardrail)
        .isEqualTo(about.stream().map(Guardrail::name).toList());
    for (int at = 0; at < about.size(); at++) {
      Explanation.Considered considered = explanation.considered().get(at);
      assertThat(considered.matched()).isEqualTo(matches(about.get(at), candidate));
      Truth all =
          considered.conditions().stream()
              .map(Explanation.Condition::held)
              .reduce(Truth.HOLDS, Truth::and);
      boolean allow = considered.decision() == Decision.ALLOW;
      assertThat(considered.matched()).isEqualTo(allow ? all == Truth.HOLDS : all != Truth.FAILS);
      assertThat(considered.conditions())
          .filteredOn(Explanation.Condition::claimed)
          .allMatch(one -> one.held() == Truth.UNDECIDABLE);
    }
  }

  @Property
  void anExplanationOfAnUndoAgreesWithTheEvaluator(
      @ForAll("sets") Guardrails guardrails,
      @ForAll("claims") Candidate inverse,
      @ForAll @IntRange(max = 6) int original) {
    Explanation explanation = guardrails.explainInverse(inverse, "g" + original);
    assertThat(explanation.evaluation())
        .isEqualTo(guardrails.evaluateInverse(inverse, "g" + original));
    assertThatTheFirstMatchDecides(explanation);
    assertThat(explanation.considered())
        .extracting(Explanation.Considered::guardrail)
        .doesNotHaveDuplicates();
  }

  private static void assertThatTheFirstMatchDecides(Explanation explanation) {
    Guardrail deciding = explanation.evaluation().guardrail();
    assertThat(
            explanation.considered().stream()
                .filter(Explanation.Considered::matched)
                .map(Explanation.Considered::guardrail)
                .findFirst())
        .isEqualTo(Optional.ofNullable(deciding).map(Guardrail::name));
  }

  @Property
  void storedGuardrailsEvaluateAlike(
      @ForAll("sets") Guardrails guardrails, @ForAll("candidates") Candidate candidate) {
    Guardrails again = Guardrails.of(Json.read(Json.write(guardrails.json())));
    assertThat(again.evaluate(candidate)).isEqualTo(guardrails.evaluate(candidate));
  }

  @Property
  void oppositesNeverBothHold(@ForAll("leaves") JsonNode operand, @ForAll("args") ObjectNode args) {
    JsonPointer x = JsonPointer.compile("/x");
    Truth eq = new ArgCondition(x, ArgCondition.Op.EQ, operand).test(args);
    Truth ne = new ArgCondition(x, ArgCondition.Op.NE, operand).test(args);
    assertThat(eq == Truth.UNDECIDABLE).isEqualTo(ne == Truth.UNDECIDABLE);
    assertThat(eq == Truth.HOLDS && ne == Truth.HOLDS).isFalse();
  }
}
