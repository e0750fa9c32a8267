package io.actiongovernance.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Inputs are read from the request alone, by what their records say of themselves. */
class InputReaderTest {
  private static final PlanId PLAN = new PlanId("pl_01m7yt2z78d1b3k25vq4kv9jme");

  /** All of a body that there can be. */
  record Everything(
      PlanId planId,
      @Field(doc = "A text.", min = 2, max = 5, pattern = "[a-z]+", rule = "small letters")
          String text,
      @Field(doc = "A line.", text = Field.Text.LINE) @Nullable String line,
      @Field(doc = "A number.", min = 1, max = 9, otherwise = "7") long whole,
      @Field(doc = "A decimal.") @Nullable BigDecimal decimal,
      @Field(doc = "A flag.") @Nullable Boolean flag,
      @Field(doc = "A time.") @Nullable Instant time,
      @Field(doc = "One of a set.") @Nullable HaltScope scope,
      @Field(doc = "Plans.", max = 2, eachMax = 60) @Nullable List<PlanId> plans,
      @Field(doc = "Parts.") @Nullable List<Range> ranges,
      @Field(doc = "Told apart.") Given<String> said,
      @Field(doc = "A shape.") @Nullable Figure figure) {}

  /** With a rule across its fields. */
  record Range(@Field(doc = "From.") long from, @Field(doc = "To.") long to) {
    Range {
      if (to < from) {
        throw Problem.invalid("to", "to must not be less than from.");
      }
    }
  }

  /** Told apart by its kind. */
  sealed interface Figure {}

  record Circle(
      @Field(doc = "Kind.", constant = "circle") String kind, @Field(doc = "Radius.") long radius)
      implements Figure {}

  record Square(
      @Field(doc = "Kind.", constant = "square") String kind, @Field(doc = "Side.") long side)
      implements Figure {}

  private final InputReader<Everything> reader =
      InputReader.of(Everything.class, Set.of("plan_id"), false);

  private Everything read(String body) {
    return reader.read(new Sent(PLAN.value(), Map.of(), body));
  }

  private Refusal refused(String body) {
    return refused(PLAN.value(), body);
  }

  private Refusal refused(String plan, String body) {
    return catchThrowableOfType(Problem.class, () -> reader.read(new Sent(plan, Map.of(), body)))
        .refusal();
  }

  @Test
  void anOmittedFieldIsNullOrItsDefault() {
    Everything least = read("{'text':'ab'}");
    assertThat(least.planId()).isEqualTo(PLAN);
    assertThat(least.whole()).isEqualTo(7);
    assertThat(least.line()).isNull();
    assertThat(least.plans()).isNull();
    assertThat(least.said()).isEqualTo(new Given.Absent<>());
    assertThat(read("{'text':'ab','whole':null,'plans':null}").whole()).isEqualTo(7);
  }

  @Test
  void everyTypeIsReadAsItsValue() {
    Everything all =
        read(
            "{'text':'abc','line':'one','whole':9,'decimal':'42.00','flag':false,"
                + "'time':'2026-11-20T21:44:07Z','scope':'tenant','plans':['"
                + PLAN
                + "'],'ranges':[{'from':1,'to':2}],'said':'so','figure':{'kind':'square','side':3}}");
    assertThat(all.decimal()).isEqualTo(new BigDecimal("42.00"));
    assertThat(all.flag()).isFalse();
    assertThat(all.time()).isEqualTo(Instant.parse("2026-11-20T21:44:07Z"));
    assertThat(all.scope()).isEqualTo(HaltScope.TENANT);
    assertThat(all.plans()).containsExactly(PLAN);
    assertThat(all.ranges()).containsExactly(new Range(1, 2));
    assertThat(all.said()).isEqualTo(Given.of("so"));
    assertThat(all.figure()).isEqualTo(new Square("square", 3));
  }

  @Test
  void absentNullAndValueAreToldApart() {
    assertThat(read("{'text':'ab','said':null}").said()).isEqualTo(new Given.Null<>());
    assertThat(read("{'text':'ab','said':'x'}").said()).isEqualTo(new Given.Value<>("x"));
  }

  @Test
  void theFirstFieldThatBreaksItsRuleIsNamed() {
    assertThat(refused("{}")).isEqualTo(new Refusal.Missing("text", "The field text is required."));
    assertThat(refused("{'text':'a'}").path()).isEqualTo("text");
    assertThat(refused("{'text':'AB'}"))
        .isEqualTo(new Refusal.Invalid("text", "text must be small letters."));
    assertThat(refused("{'text':'ab','whole':10}").path()).isEqualTo("whole");
    assertThat(refused("{'text':'ab','scope':'all'}"))
        .isEqualTo(new Refusal.Invalid("scope", "scope must be tenant, operator or connector."));
    assertThat(refused("{'text':'ab','plans':['" + PLAN + "','x']}"))
        .isEqualTo(new Refusal.Invalid("plans[1]", "plans[1] must be the id of a plan."));
    assertThat(refused("{'text':'ab','figure':{'kind':'oval'}}"))
        .isEqualTo(new Refusal.Invalid("figure.kind", "figure.kind must be circle or square."));
    assertThat(refused("{'text':'ab','figure':{'kind':'circle'}}").path())
        .isEqualTo("figure.radius");
    assertThat(refused("{'text':'ab','figure':{'kind':'circle','radius':1,'side':1}}").path())
        .isEqualTo("figure.side");
    assertThat(refused("{'text':'ab','other':1}").path()).isEqualTo("other");
  }

  @Test
  void aRuleAcrossFieldsNamesThePathOfItsField() {
    assertThat(refused("{'text':'ab','ranges':[{'from':1,'to':2},{'from':2,'to':1}]}").path())
        .isEqualTo("ranges[1].to");
  }

  @Test
  void aMalformedPathIdIsNotFoundAfterAllOtherChecks() {
    assertThat(refused("nothing", "{'text':'ab'}")).isEqualTo(new Refusal.NotFound("plan"));
    assertThat(refused("nothing", "{}").path()).isEqualTo("text");
  }

  /** All that a query can say. */
  record Asked(
      @Field(doc = "Plan.") @Nullable PlanId planId,
      @Field(doc = "Active.") @Nullable Boolean active,
      @Field(doc = "Since.") @Nullable Instant since,
      @Field(doc = "Last.", in = Field.In.HEADER, name = "Last-Event-ID") @Nullable String last,
      PageParameters page) {}

  @Test
  void queriesAndHeadersAreReadByTheirTypes() {
    InputReader<Asked> asked = InputReader.of(Asked.class, Set.of(), true);
    Asked read =
        asked.read(
            new Sent(
                "",
                Map.of("plan_id", PLAN.value(), "active", "true", "Last-Event-ID", "cur_1"),
                "{}"));
    assertThat(read.planId()).isEqualTo(PLAN);
    assertThat(read.active()).isTrue();
    assertThat(read.last()).isEqualTo("cur_1");
    assertThat(read.page()).isEqualTo(new PageParameters(20, null));
    for (String name : List.of("plan_id", "active", "since")) {
      Problem problem =
          catchThrowableOfType(
              Problem.class, () -> asked.read(new Sent("", Map.of(name, "what"), "{}")));
      assertThat(problem.refusal().path()).isEqualTo(name);
    }
  }

  /** A request with one path parameter and a query whose names headers share. */
  private record Sent(String path, Map<String, String> said, Fields body) implements RequestParts {
    Sent(String path, Map<String, String> said, String body) {
      this(
          path,
          new HashMap<>(said),
          new Fields((ObjectNode) Json.read(body.replace('\'', '"')), "", true));
    }

    @Override
    public String path(String parameter) {
      return path;
    }

    @Override
    public @Nullable String query(String name) {
      return said.get(name);
    }

    @Override
    public @Nullable String header(String name) {
      return said.get(name);
    }

    @Override
    public PageParameters page() {
      return new PageParameters(20, null);
    }

    @Override
    public void noOtherQuery() {
      // All that is said here is asked for.
    }
  }
}
