package io.actiongovernance.functions.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.actiongovernance.functions.contract.InputReader;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.RequestParts;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Given;
import io.actiongovernance.operator.OperatorBody;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field's limits from both sides, and the param that is named. */
class OperatorInputTest {
  private static final InputReader<CreateOperatorHandler.Input> CREATION =
      InputReader.of(CreateOperatorHandler.Input.class, Set.of(), false);
  private static final InputReader<UpdateOperatorHandler.Input> CHANGE =
      InputReader.of(UpdateOperatorHandler.Input.class, Set.of("operator_id"), false);

  /** A request that has a body alone. */
  private record Sent(Fields body) implements RequestParts {
    @Override
    public String path(String parameter) {
      return "op_01m7yt2z78d1b3k25vq4kv9jme";
    }

    @Override
    public @Nullable String query(String name) {
      return null;
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public PageParameters page() {
      throw new AssertionError("No list.");
    }

    @Override
    public void noOtherQuery() {}
  }

  private static OperatorBody creation(String body) {
    return CREATION.read(new Sent(OperatorFixture.fields(body))).body();
  }

  private static OperatorBody change(String body) {
    return CHANGE.read(new Sent(OperatorFixture.fields(body))).body();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "name|'ab'",
        "name|'Refund-desk'",
        "name|'1-desk'",
        "name|'a--b'",
        "name|'desk-'",
        "name|7",
        "display_name|''",
        "display_name|'a\\u202eb'",
        "display_name|'a\\u0000b'",
        "description|5",
        "status|'paused'",
        "status|'archived'",
        "workspace_id|''",
        "triggers|[]",
        "triggers.event_types|'a.b'",
        "triggers.event_types[0]|['order.**']",
        "triggers.event_types[1]|['a.b','']",
        "triggers.sources[0]|['']",
        "triggers.schedule|'every day'",
        "triggers.what|1",
        "capabilities|'pay'",
        "capabilities[1]|['pay','']",
        "capabilities[0]|[{}]",
        "entity_template|''",
        "model|'scripted'",
        "model.provider|'gpt'",
        "instructions|[]",
        "guardrails|{}",
        "guardrails[0]|[1]",
        "keep_results|'true'",
        "plan_ttl_seconds|4",
        "plan_ttl_seconds|2592001",
        "plan_ttl_seconds|5.5",
        "plan_ttl_seconds|'60'",
        "whatever|1"
      })
  void aBadFieldIsNamed(String param, String value) {
    for (boolean creation : List.of(true, false)) {
      if (param.equals("status") && !creation) {
        continue;
      }
      Problem thrown = thrown(body(param, value), creation);
      assertThat(thrown.refusal().path()).isEqualTo(param);
      assertThat(thrown.refusal()).isInstanceOf(Refusal.Invalid.class);
    }
  }

  /** A body that is fine but for the value at a path of at most two steps. */
  private static String body(String param, String value) {
    String path = param.replaceAll("\\[.*", "");
    int dot = path.indexOf('.');
    String field =
        dot < 0
            ? "'" + path + "':" + value
            : "'" + path.substring(0, dot) + "':{'" + path.substring(dot + 1) + "':" + value + "}";
    return "{" + (path.equals("name") ? "" : "'name':'refund-desk',") + field + "}";
  }

  private static Problem thrown(String body, boolean creation) {
    try {
      OperatorBody _ = creation ? creation(body) : change(body);
    } catch (Problem e) {
      return e;
    }
    return fail("accepted: " + body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "model.model_id|{'provider':'bedrock'}",
        "model.model_id|{'provider':'bedrock','model_id':'a model'}",
        "model.base_url|{'provider':'bedrock','model_id':'m','base_url':'https://a.example'}",
        "model.base_url|{'provider':'openai_compatible','model':'m'}",
        "model.base_url|{'provider':'openai_compatible','model':'m','base_url':'not a url'}",
        "model.base_url|{'provider':'openai_compatible','model':'m','base_url':'https://u:p@a.example'}",
        "model.base_url|{'provider':'openai_compatible','model':'m','base_url':'https://a.example?k=1'}",
        "model.model|{'provider':'openai_compatible','base_url':'https://a.example'}",
        "model.connector|{'provider':'openai_compatible','base_url':'https://a.example','model':'m','connector':'x'}",
        "model.api_key|{'provider':'openai_compatible','base_url':'https://a.example','model':'m','api_key':'k'}"
      })
  void aBadFieldOfAModelIsNamed(String param, String model) {
    String body = "{'name':'refund-desk','model':" + model + "}";
    assertThat(thrown(body, true).refusal().path()).isEqualTo(param);
    assertThat(thrown(body, false).refusal().path()).isEqualTo(param);
  }

  @Test
  void aNameIsRequiredOnlyAtCreation() {
    Problem thrown = thrown("{}", true);
    assertThat(thrown.refusal()).isInstanceOf(Refusal.Missing.class);
    assertThat(thrown.refusal().path()).isEqualTo("name");
    assertThat(change("{}").name()).isNull();
  }

  @Test
  void nullKeepsAFieldThatEveryOperatorHas() {
    OperatorBody kept = change("{'capabilities':null,'guardrails':null}");
    assertThat(kept.capabilities()).isNull();
    assertThat(kept.guardrails()).isNull();
    assertThat(change("{'capabilities':[]}").capabilities()).isEmpty();
  }

  @Test
  void aNameCannotBeRemoved() {
    assertThat(change("{}").name()).isNull();
    assertThatThrownBy(() -> change("{'name':null}"))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.refusal().path()).isEqualTo("name"));
  }

  @Test
  void aChangeTellsNullFromAnOmittedField() {
    OperatorBody nothing = change("{}");
    assertThat(nothing.displayName().isSaid()).isFalse();
    assertThat(nothing.triggers().isSaid()).isFalse();
    assertThat(nothing.model().isSaid()).isFalse();
    OperatorBody cleared = change("{'display_name':null,'triggers':null,'model':null}");
    assertThat(cleared.displayName()).isEqualTo(Given.of(null));
    assertThat(cleared.triggers()).isEqualTo(Given.of(null));
    assertThat(cleared.model()).isEqualTo(Given.of(null));
  }

  @Test
  void aCreationWithoutAWorkspaceUsesTheKeysWorkspace() {
    assertThat(creation("{'name':'abc'}").workspaceId().isSaid()).isFalse();
    assertThat(creation("{'name':'abc','workspace_id':null}").workspaceId().isSaid()).isFalse();
  }

  @Test
  void theStatusIsNotChangedByAnUpdate() {
    assertThat(thrown("{'status':'paused'}", false).refusal().path()).isEqualTo("status");
  }

  static Stream<String> fine() {
    return Stream.of(
        "'name':'abc'",
        "'name':'" + "a".repeat(60) + "'",
        "'display_name':'" + "é".repeat(100) + "'",
        "'description':'" + "x".repeat(2000) + "'",
        "'workspace_id':'" + "w".repeat(100) + "'",
        "'entity_template':'" + "x".repeat(500) + "'",
        "'instructions':'" + "x".repeat(20_000) + "'",
        "'plan_ttl_seconds':5",
        "'plan_ttl_seconds':2592000",
        "'capabilities':" + texts(100),
        "'triggers':{'event_types':" + texts(50) + ",'sources':" + texts(50) + "}",
        "'model':{'provider':'scripted','plans':[]}",
        "'model':{'provider':'bedrock','model_id':'" + "m".repeat(500) + "'}",
        "'model':{'provider':'openai_compatible','base_url':'https://models.example/v1','model':'m'}");
  }

  @ParameterizedTest
  @MethodSource("fine")
  void aFieldAtItsLimitIsAccepted(String field) {
    String name = field.startsWith("'name'") ? "" : "'name':'refund-desk',";
    assertThat(creation("{" + name + field + "}").name()).isNotNull();
    assertThat(change("{" + field + "}")).isNotNull();
  }

  static Stream<String> tooMuch() {
    return Stream.of(
        "'name':'" + "a".repeat(61) + "'",
        "'display_name':'" + "x".repeat(101) + "'",
        "'description':'" + "x".repeat(2001) + "'",
        "'workspace_id':'" + "w".repeat(101) + "'",
        "'entity_template':'" + "x".repeat(501) + "'",
        "'instructions':'" + "x".repeat(20_001) + "'",
        "'capabilities':" + texts(101),
        "'triggers':{'event_types':" + texts(51) + "}",
        "'triggers':{'sources':" + texts(51) + "}",
        "'model':{'provider':'scripted'}",
        "'model':{'plans':[]}");
  }

  @ParameterizedTest
  @MethodSource("tooMuch")
  void aFieldPastItsLimitIsRefused(String field) {
    assertThatThrownBy(() -> change("{" + field + "}")).isInstanceOf(Problem.class);
  }

  private static String texts(int count) {
    return IntStream.range(0, count).mapToObj(at -> "'x" + at + "'").toList().toString();
  }

  @Test
  void anUnknownFieldIsIgnoredInTheOlderRevision() {
    Fields lenient =
        new Fields(
            OperatorFixture.json(
                "{'name':'refund-desk','status':'draft','x':1,"
                    + "'model':{'provider':'bedrock','model_id':'m','y':2}}"),
            "",
            false);
    assertThat(CREATION.read(new Sent(lenient)).status()).isEqualTo(OperatorStatus.DRAFT);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "model.plans[0].event_type|{'event_type':'a b','actions':[{'connector':'c','tool':'t'}]}",
        "model.plans[0].when|{'when':[{'path':'/a','op':'exists'}],'actions':[{'connector':'c','tool':'t'}]}",
        "model.plans[0].when[0].op|{'event_type':'a.b','when':[{'path':'/a','op':'like'}],'actions':[{'connector':'c','tool':'t'}]}",
        "model.plans[0].actions|{'event_type':'a.b'}",
        "model.plans[0].actions|{'event_type':'a.b','actions':[]}",
        "model.plans[0].actions[0]|{'event_type':'a.b','actions':['x']}",
        "model.plans[0].actions[0].connector|{'event_type':'a.b','actions':[{'tool':'t'}]}",
        "model.plans[0].actions[0].tool|{'event_type':'a.b','actions':[{'connector':'c'}]}",
        "model.plans[0].actions[0].args|{'event_type':'a.b','actions':[{'connector':'c','tool':'t','args':[]}]}",
        "model.plans[0].actions[0].value|{'event_type':'a.b','actions':[{'connector':'c','tool':'t','value':'many'}]}",
        "model.plans[0].actions[0].value|{'event_type':'a.b','actions':[{'connector':'c','tool':'t','value':true}]}",
        "model.plans[0].actions[0].entity_key|{'event_type':'a.b','actions':[{'connector':'c','tool':'t','entity_key':''}]}",
        "model.plans[0].actions[0].what|{'event_type':'a.b','actions':[{'connector':'c','tool':'t','what':1}]}",
        "model.plans[0].reasoning|{'event_type':'a.b','reasoning':1,'actions':[{'connector':'c','tool':'t'}]}",
        "model.plans[0].what|{'event_type':'a.b','what':1,'actions':[{'connector':'c','tool':'t'}]}"
      })
  void aBadScriptIsNamedByItsField(String param, String plan) {
    String body = "{'name':'refund-desk','model':{'provider':'scripted','plans':[" + plan + "]}}";
    assertThat(thrown(body, true).refusal().path()).isEqualTo(param);
  }
}
