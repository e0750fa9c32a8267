package io.actiongovernance.policy;

import static io.actiongovernance.policy.Given.guardrail;
import static io.actiongovernance.policy.Given.guardrails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What guardrails may be written like, from both sides of every limit. */
class GuardrailsReadTest {
  private static final String LEAST = "'name':'a','decision':'ALLOW','tool':'a.b'";

  @Test
  void omittedFieldsHaveTheirDefaults() {
    assertThat(guardrail(LEAST))
        .isEqualTo(
            new Guardrail(
                "a", Decision.ALLOW, 100, true, "a.b", null, Conditions.none(), List.of()));
    assertThat(guardrails(LEAST).json())
        .isEqualTo(
            Given.json(
                    """
                    {'g':[{'name':'a','decision':'ALLOW','priority':100,'enabled':true,'tool':'a.b','connector':null,
                     'conditions':{'min_value':null,'max_value':null,'currency':null,'entity_key':null,'max_tier':null,'args':[]},
                     'limits':[]}]}
                    """)
                .get("g"));
  }

  @Test
  void guardrailsAreReturnedAsSent() {
    String sent =
        """
        [{'name':'b','decision':'ALERT','priority':-5,'enabled':false,'tool':'a.*','connector':'cn_01jd0000000000000000000000',\
        'conditions':{'min_value':0,'max_value':'50.00','currency':'usd','entity_key':'order:*','max_tier':2,\
        'args':[{'path':'/c','op':'eq','value':1.50},{'path':'/d','op':'eq','value':null},{'path':'/e','op':'exists','value':true}]},\
        'limits':[{'per':'tenant','window_seconds':60,'max_actions':3,'max_value':'1000.00'}]},\
        {'name':'a','decision':'BLOCK','priority':1,'enabled':true,'tool':'a.b','connector':null,\
        'conditions':{'min_value':null,'max_value':null,'currency':null,'entity_key':null,'max_tier':null,'args':[]},'limits':[]}]\
        """
            .replace('\'', '"');
    assertThat(Json.write(Guardrails.of(Json.read(sent)).json())).isEqualTo(sent);
  }

  @Test
  void storedGuardrailsReadBackAsTheSame() {
    Guardrails guardrails =
        guardrails(
            LEAST
                + ",'conditions':{'args':[{'path':'/x','op':'exists'},{'path':'/y','op':'in','value':[1,'a']}]},"
                + "'limits':[{'per':'entity','window_seconds':1,'max_actions':0}]");
    Guardrails again = Guardrails.of(Json.read(Json.write(guardrails.json())));
    assertThat(again.list()).isEqualTo(guardrails.list());
    assertThat(again.json()).isEqualTo(guardrails.json());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "'text'",
        "[1]",
        "[{}]",
        "[{'name':'a','decision':'ALLOW','tool':'a.b','later':1}]",
        "[{'name':'a','decision':'PERMIT','tool':'a.b'}]"
      })
  void storedGuardrailsThatCannotBeReadAreAFault(String stored) {
    JsonNode node = Given.json("{'g':" + stored + "}").get("g");
    assertThatIllegalArgumentException().isThrownBy(() -> Guardrails.of(node));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'decision':'ALLOW','tool':'a.b'; name",
        "'name':7,'decision':'ALLOW','tool':'a.b'; name",
        "'name':'','decision':'ALLOW','tool':'a.b'; name",
        "'name':' ','decision':'ALLOW','tool':'a.b'; name",
        "'name':'a\\u0000','decision':'ALLOW','tool':'a.b'; name",
        "'name':'a\\u202e','decision':'ALLOW','tool':'a.b'; name",
        "'name':'a','tool':'a.b'; decision",
        "'name':'a','decision':'allow','tool':'a.b'; decision",
        "'name':'a','decision':1,'tool':'a.b'; decision",
        "'name':'a','decision':'ALLOW'; tool",
        "'name':'a','decision':'ALLOW','tool':['a.b']; tool",
        "'name':'a','decision':'ALLOW','tool':'a..b'; tool",
        "'name':'a','decision':'ALLOW','tool':'a.b*'; tool",
      })
  void aMissingOrWrongRequiredFieldIsNamed(String fields, String param) {
    assertRefused(fields, "guardrails[0]." + param);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'priority':'1'; priority",
        "'priority':1.5; priority",
        "'priority':1000001; priority",
        "'priority':-1000001; priority",
        "'enabled':'yes'; enabled",
        "'connector':'op_01jd0000000000000000000000'; connector",
        "'connector':'cn-slack'; connector",
        "'connector':1; connector",
        "'conditions':[]; conditions",
        "'conditions':{'min':1}; conditions.min",
        "'conditions':{'min_value':'1e3'}; conditions.min_value",
        "'conditions':{'max_value':true}; conditions.max_value",
        "'conditions':{'currency':''}; conditions.currency",
        "'conditions':{'currency':1}; conditions.currency",
        "'conditions':{'entity_key':''}; conditions.entity_key",
        "'conditions':{'entity_key':'a*b'}; conditions.entity_key",
        "'conditions':{'max_tier':4}; conditions.max_tier",
        "'conditions':{'max_tier':-1}; conditions.max_tier",
        "'conditions':{'args':{}}; conditions.args",
        "'conditions':{'args':[1]}; conditions.args[0]",
        "'conditions':{'args':[{'path':'/a','op':'exists'},{'path':'b','op':'exists'}]}; conditions.args[1].path",
        "'limits':{}; limits",
        "'limits':[{'window_seconds':60,'max_actions':1}]; limits[0].per",
        "'limits':[{'per':'day','window_seconds':60,'max_actions':1}]; limits[0].per",
        "'limits':[{'per':'tool','max_actions':1}]; limits[0].window_seconds",
        "'limits':[{'per':'tool','window_seconds':0,'max_actions':1}]; limits[0].window_seconds",
        "'limits':[{'per':'tool','window_seconds':2592001,'max_actions':1}]; limits[0].window_seconds",
        "'limits':[{'per':'tool','window_seconds':60}]; limits[0].max_actions",
        "'limits':[{'per':'tool','window_seconds':60,'max_actions':-1}]; limits[0].max_actions",
        "'limits':[{'per':'tool','window_seconds':60,'max_actions':1000000001}]; limits[0].max_actions",
        "'limits':[{'per':'tool','window_seconds':60,'max_value':-0.01}]; limits[0].max_value",
        "'limits':[{'per':'tool','window_seconds':60,'max_value':1e20}]; limits[0].max_value",
        "'limits':[{'per':'tool','window_seconds':60,'max_value':1e-19}]; limits[0].max_value",
        "'limits':[{'per':'tool','window_seconds':60,'max_actions':1,'burst':2}]; limits[0].burst",
        "'limits':[{'per':'tool','window_seconds':60,'max_actions':1},{'per':'tool','window_seconds':60,'max_actions':2}]; limits[1].window_seconds",
        "'regex':'a.*'; regex"
      })
  void aWrongOptionalFieldIsNamed(String field, String param) {
    assertRefused(LEAST + "," + field, "guardrails[0]." + param);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'priority':1000000",
        "'priority':-1000000",
        "'priority':1e2",
        "'priority':null,'enabled':null,'conditions':null,'limits':null",
        "'conditions':{'max_tier':0}",
        "'conditions':{'max_tier':3}",
        "'limits':[{'per':'tool','window_seconds':1,'max_actions':0}]",
        "'limits':[{'per':'tool','window_seconds':2592000,'max_actions':1000000000}]",
        "'limits':[{'per':'tool','window_seconds':60,'max_value':'99999999999999999999.999999999999999999'}]",
        "'limits':[{'per':'tool','window_seconds':60,'max_value':0}]",
        "'limits':[{'per':'tool','window_seconds':60,'max_actions':1},{'per':'tool','window_seconds':60,'max_value':2}]"
      })
  void valuesAtTheirLimitsAreAccepted(String field) {
    assertThatCode(() -> guardrails(LEAST + "," + field)).doesNotThrowAnyException();
  }

  @Test
  void lengthsAreLimitedFromBothSides() {
    assertThatCode(() -> guardrails(named("n".repeat(100)))).doesNotThrowAnyException();
    assertRefused(named("n".repeat(101)), "guardrails[0].name");
    assertThatCode(() -> guardrails(with("entity_key", "'" + "k".repeat(500) + "'")))
        .doesNotThrowAnyException();
    assertRefused(
        with("entity_key", "'" + "k".repeat(501) + "'"), "guardrails[0].conditions.entity_key");
    assertRefused(
        with("currency", "'" + "c".repeat(21) + "'"), "guardrails[0].conditions.currency");
    assertThatCode(() -> guardrails(with("args", args(50)))).doesNotThrowAnyException();
    assertRefused(with("args", args(51)), "guardrails[0].conditions.args");
    assertThatCode(() -> guardrails(LEAST + ",'limits':" + limits(10))).doesNotThrowAnyException();
    assertRefused(LEAST + ",'limits':" + limits(11), "guardrails[0].limits");
  }

  @Test
  void namesAreUniqueInASet() {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> guardrails(LEAST, named("b"), LEAST))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo("guardrails[2].name"));
  }

  @Test
  void aSetHasAtMost1000Guardrails() {
    assertThat(guardrails(many(1_000)).list()).hasSize(1_000);
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> guardrails(many(1_001)))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo("guardrails"));
  }

  @Test
  void aSetTooLargeToStoreIsRefused() {
    String[] large = new String[200];
    for (int at = 0; at < large.length; at++) {
      large[at] =
          named("n" + at)
              + ",'conditions':{'args':[{'path':'/a','op':'eq','value':'"
              + "v".repeat(1_500)
              + "'}]}";
    }
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> guardrails(large))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo("guardrails"));
  }

  @Test
  void aMissingListIsAMissingParameter() {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> Guardrails.read(new Fields(Json.object(), "body", true), "guardrails"))
        .satisfies(e -> assertThat(e.refusal()).isInstanceOf(Refusal.Missing.class))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo("body.guardrails"));
  }

  @Test
  void theOlderRevisionPassesOverUnknownFieldsAndDropsThem() {
    Guardrails guardrails =
        Guardrails.read(
            new Fields(Given.json("{'guardrails':[{" + LEAST + ",'later':1}]}"), "", false),
            "guardrails");
    assertThat(guardrails.json()).isEqualTo(guardrails(LEAST).json());
  }

  @Test
  void limitsAreEqualWhenTheirNumbersAre() {
    assertThat(new Limit(Per.TOOL, 60, null, new BigDecimal("1000.00")))
        .isEqualTo(new Limit(Per.TOOL, 60, null, new BigDecimal("1000")))
        .isEqualTo(
            Json.convert(
                Json.tree(new Limit(Per.TOOL, 60, null, new BigDecimal("1000.0"))), Limit.class));
  }

  private static String named(String name) {
    return "'name':'" + name + "','decision':'ALLOW','tool':'a.b'";
  }

  private static String with(String condition, String value) {
    return LEAST + ",'conditions':{'" + condition + "':" + value + "}";
  }

  private static String args(int count) {
    return "[" + "{'path':'/a','op':'exists'},".repeat(count - 1) + "{'path':'/a','op':'exists'}]";
  }

  private static String limits(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(at -> "{'per':'tool','window_seconds':" + at + ",'max_actions':1}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String[] many(int count) {
    return IntStream.range(0, count).mapToObj(at -> named("n" + at)).toArray(String[]::new);
  }

  private static void assertRefused(String guardrail, String param) {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> guardrails(guardrail))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo(param));
  }
}
