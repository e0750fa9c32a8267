package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Schemas that would cost more than anybody may spend on one (contract, section 5). */
@Timeout(20)
class SchemaBudgetTest {
  static Stream<Arguments> costly() {
    return Stream.of(
        Arguments.of("doubled references", doubled("allOf", 21)),
        Arguments.of("doubled choices", doubled("anyOf", 21)),
        Arguments.of("doubled properties", doubledProperties(21)),
        Arguments.of("many items of many items", items(1_000, 9)),
        Arguments.of("many properties of many properties", properties(1_000, 9)),
        Arguments.of(
            "a sample that a pattern goes over for long",
            json(
                "{'type':'object','required':['a'],'properties':{'a':{'type':'string',"
                    + "'pattern':'^((x+)+)\\\\2y$','minLength':60}}}")),
        Arguments.of("itself", json("{'$ref':'#'}")),
        Arguments.of("itself twice", json("{'allOf':[{'$ref':'#'},{'$ref':'#'}]}")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("costly")
  void aSchemaThatTakesTooLongIsRefused(String what, ObjectNode schema) {
    assertThat(Schemas.problem(schema))
        .hasValueSatisfying(problem -> assertThat(problem).contains("takes too long"));
  }

  static Stream<Arguments> honest() {
    return Stream.of(
        Arguments.of("ninety levels", nested(90)),
        Arguments.of("a few doubled references", doubled("allOf", 6)),
        Arguments.of(
            "a tree",
            json(
                "{'type':'object','properties':{'left':{'$ref':'#'},'right':{'$ref':'#'},"
                    + "'leaves':{'type':'array','items':{'$ref':'#'}}}}")),
        Arguments.of("expressions of thirty kinds", expressions(30)),
        Arguments.of("a thousand choices", choices(1_000)),
        Arguments.of("a thousand properties", wide(1_000)),
        Arguments.of(
            "definitions of old",
            json(
                "{'definitions':{'a':{'type':'string'}},"
                    + "'properties':{'a':{'$ref':'#/definitions/a'}}}")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("honest")
  void aLargeSchemaIsAccepted(String what, ObjectNode schema) {
    assertThat(Schemas.problem(schema)).isEmpty();
    InputSchema taken = new InputSchema(schema);
    assertThat(taken.problem(taken.sample())).isEmpty();
  }

  static Stream<Arguments> costlyArguments() {
    return Stream.of(
        Arguments.of(
            "patterns of names",
            json("{'patternProperties':{'^((a+)+)\\\\2b$':{},'^((a|aa)+)\\\\2b$':{}}}"),
            names(100, 40)),
        Arguments.of(
            "a pattern for each of many",
            json("{'properties':{'list':{'items':{'pattern':'^((a+)+)\\\\2b$'}}}}"),
            list(10_000, at -> "a".repeat(10))),
        Arguments.of(
            "items looked at over and over",
            json(
                "{'properties':{'list':{'$ref':'#/$defs/a'}},'$defs':{"
                    + "'a':{'allOf':[{'$ref':'#/$defs/b'},{'$ref':'#/$defs/b'},{'$ref':'#/$defs/b'}]},"
                    + "'b':{'allOf':[{'$ref':'#/$defs/c'},{'$ref':'#/$defs/c'},{'$ref':'#/$defs/c'}]},"
                    + "'c':{'items':{'type':'string','minLength':1}}}}"),
            list(60_000, at -> "a")),
        Arguments.of(
            "a tree that doubles",
            json("{'properties':{'a':{'allOf':[{'$ref':'#'},{'$ref':'#'}]}}}"),
            deep(60)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("costlyArguments")
  void argumentsThatTakeTooLongAreRefused(String what, ObjectNode schema, JsonNode args) {
    assertThat(Schemas.problem(schema)).isEmpty();
    assertThat(new InputSchema(schema).problem(args))
        .hasValueSatisfying(problem -> assertThat(problem).contains("too long"));
  }

  /** It is kept on a receipt, which has its size. */
  @Test
  void theProblemWithArgumentsIsShort() {
    InputSchema schema = new InputSchema(choices(20_000));
    assertThat(schema.problem(json("{'a':'none'}")))
        .hasValueSatisfying(problem -> assertThat(problem).hasSizeLessThan(510));
  }

  @Test
  void uniqueItemsAreComparedEvenWithEqualHashes() {
    InputSchema unique = new InputSchema(json("{'properties':{'list':{'uniqueItems':true}}}"));
    // "Aa" and "BB" have one hash, and so have all that are made of them.
    BiFunction<Integer, Integer, String> one =
        (number, length) -> {
          StringBuilder text = new StringBuilder();
          for (int bit = 0; bit < length; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
          }
          return text.toString();
        };
    JsonNode args = list(8_192, at -> one.apply(at, 13));
    assertThat(unique.problem(args)).isEmpty();
    ((ArrayNode) args.get("list")).add(one.apply(7, 13));
    assertThat(unique.problem(args)).isPresent();
    assertThat(unique.problem(json("{'list':[1,1.0]}"))).isPresent();
    assertThat(unique.problem(json("{'list':[1,'1',true,'true']}"))).isEmpty();
  }

  @Test
  void theBudgetStopsDeepNestingBeforeAStackOverflow() throws Exception {
    ObjectNode schema = json("{'properties':{'a':{'anyOf':[{'$ref':'#'}]}}}");
    List<Throwable> ended = new ArrayList<>();
    Thread small =
        new Thread(
            null,
            () -> {
              try {
                new SchemaBudget(SchemaBudget.STEPS)
                    .run(() -> Schemas.compile(schema).validate(deep(900)));
              } catch (Throwable e) {
                ended.add(e);
              }
            },
            "small",
            768 * 1024);
    small.start();
    small.join();
    assertThat(ended).singleElement().isInstanceOf(SchemaBudget.TooCostly.class);
  }

  @Test
  void theCostOfAValidationIsNotCarriedOver() {
    InputSchema tree = new InputSchema(json("{'properties':{'a':{'$ref':'#'},'b':{'$ref':'#'}}}"));
    JsonNode deep = deep(80);
    for (int times = 0; times < 500; times++) {
      assertThat(tree.problem(deep)).isEmpty();
    }
  }

  @Test
  void theSchemasOfAllToolsShareABudget() {
    ObjectNode manifest = Json.object();
    ArrayNode tools = manifest.putArray("tools");
    for (int at = 0; at < ToolReader.MOST_TOOLS; at++) {
      ObjectNode tool = json(ConnectorFixture.PAY).put("name", "pay.t" + at);
      tool.remove("inverse");
      tool.set("input_schema", doubled("allOf", 12));
      tools.add(tool);
    }
    assertThat(Schemas.problem(doubled("allOf", 12))).isEmpty();
    assertThatThrownBy(() -> ToolReader.readAll(new Fields(manifest, "", true), "tools"))
        .isInstanceOfSatisfying(
            Problem.class,
            e -> assertThat(e.refusal().path()).matches("tools\\[\\d+]\\.input_schema"));
  }

  @Test
  void aServersToolWithATooCostlySchemaIsLeftOut() {
    ObjectNode listed = Json.object().put("name", "a");
    listed.set("inputSchema", doubled("allOf", 21));
    assertThat(McpTool.read(listed)).isEqualTo(Optional.empty());
  }

  /** Definitions that refer to the next one twice. */
  private static ObjectNode doubled(String keyword, int definitions) {
    ObjectNode schema = Json.object().put("$ref", "#/$defs/d0");
    ObjectNode defs = schema.putObject("$defs");
    for (int at = 0; at < definitions; at++) {
      ArrayNode both = defs.putObject("d" + at).putArray(keyword);
      both.addObject().put("$ref", "#/$defs/d" + (at + 1));
      both.addObject().put("$ref", "#/$defs/d" + (at + 1));
    }
    defs.putObject("d" + definitions).put("type", "object");
    return schema;
  }

  private static ObjectNode doubledProperties(int definitions) {
    ObjectNode schema = Json.object().put("$ref", "#/$defs/d0");
    ObjectNode defs = schema.putObject("$defs");
    for (int at = 0; at < definitions; at++) {
      ObjectNode both = defs.putObject("d" + at).putObject("properties");
      both.putObject("a").put("$ref", "#/$defs/d" + (at + 1));
      both.putObject("b").put("$ref", "#/$defs/d" + (at + 1));
    }
    defs.putObject("d" + definitions).put("type", "object");
    return schema;
  }

  private static ObjectNode items(int least, int levels) {
    ObjectNode schema = Json.object().put("type", "string");
    for (int level = 0; level < levels; level++) {
      ObjectNode outer = Json.object().put("type", "array").put("minItems", least);
      outer.set("items", schema);
      schema = outer;
    }
    ObjectNode root = Json.object().put("type", "object");
    root.putArray("required").add("a");
    root.putObject("properties").set("a", schema);
    return root;
  }

  private static ObjectNode properties(int least, int levels) {
    ObjectNode schema = Json.object().put("type", "string");
    for (int level = 0; level < levels; level++) {
      ObjectNode outer = Json.object().put("type", "object").put("minProperties", least);
      outer.set("additionalProperties", schema);
      schema = outer;
    }
    return schema;
  }

  private static ObjectNode nested(int levels) {
    ObjectNode schema = Json.object().put("type", "string");
    for (int level = 0; level < levels; level++) {
      ObjectNode outer = Json.object();
      outer.set(level % 2 == 0 ? "items" : "additionalProperties", schema);
      schema = outer;
    }
    return schema;
  }

  private static ObjectNode expressions(int kinds) {
    ObjectNode schema = Json.object().put("type", "object");
    schema.putObject("properties").putObject("e").put("$ref", "#/$defs/e");
    ObjectNode defs = schema.putObject("$defs");
    ArrayNode any = defs.putObject("e").putArray("anyOf");
    for (int at = 0; at < kinds; at++) {
      any.addObject().put("$ref", "#/$defs/k" + at);
      ObjectNode operands = defs.putObject("k" + at).putObject("properties");
      operands.putObject("left").put("$ref", "#/$defs/e");
      operands.putObject("right").put("$ref", "#/$defs/e");
    }
    return schema;
  }

  private static ObjectNode choices(int count) {
    ObjectNode schema = json("{'type':'object','required':['a']}");
    ArrayNode values = schema.putObject("properties").putObject("a").putArray("enum");
    for (int at = 0; at < count; at++) {
      values.add("choice-" + at);
    }
    return schema;
  }

  private static ObjectNode wide(int count) {
    ObjectNode schema = Json.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    for (int at = 0; at < count; at++) {
      properties.putObject("p" + at).put("type", "string").put("maxLength", 10);
    }
    return schema;
  }

  private static ObjectNode names(int count, int length) {
    ObjectNode args = Json.object();
    for (int at = 0; at < count; at++) {
      args.put("a".repeat(length) + at, 1);
    }
    return args;
  }

  private static ObjectNode list(int count, IntFunction<String> each) {
    ObjectNode args = Json.object();
    ArrayNode list = args.putArray("list");
    for (int at = 0; at < count; at++) {
      list.add(each.apply(at));
    }
    return args;
  }

  private static ObjectNode deep(int levels) {
    ObjectNode args = Json.object();
    for (int level = 0; level < levels; level++) {
      ObjectNode outer = Json.object();
      outer.set("a", args);
      args = outer;
    }
    return args;
  }
}
