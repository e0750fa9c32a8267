package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Model Context Protocol server lists, and the tools it becomes (contract, section 5). */
class McpToolTest {
  private static ObjectNode listed(String name, String more) {
    return json("{'name':'" + name + "','inputSchema':{'type':'object'}" + more + "}");
  }

  private static List<Tool> tools(String config, String... names) {
    List<McpTool> listed =
        Arrays.stream(names)
            .map(name -> McpTool.read(listed(name, "")))
            .flatMap(Optional::stream)
            .toList();
    return McpConfig.tools(json(config), listed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'readOnlyHint':true} | 0",
        "{'readOnlyHint':true,'destructiveHint':true} | 0",
        "{'readOnlyHint':false,'destructiveHint':true} | 3",
        "{'destructiveHint':true,'idempotentHint':true} | 3",
        "{'destructiveHint':false,'idempotentHint':true} | 1",
        "{'destructiveHint':false} | 2",
        "{'readOnlyHint':'true'} | 2",
        "{} | 2",
        "null | 2",
      },
      quoteCharacter = '`')
  void itsTierComesFromItsAnnotations(String annotations, int tier) {
    assertThat(McpTool.read(listed("a", ",'annotations':" + annotations)).orElseThrow().tier())
        .isEqualTo(tier);
  }

  @Test
  void namesAreSpelledAsToolsAre() {
    assertThat(tools("{}", "order_read", "Mail-Send.now", "ä"))
        .extracting(Tool::name)
        .containsExactly("mcp.order_read", "mcp._ail__end_now", "mcp._");
    assertThat(tools("{'prefix':'a.b'}", "x"))
        .extracting(Tool::name, Tool::capability)
        .containsExactly(tuple("a.b.x", "a.b"));
  }

  @Test
  void twoThatWouldBearOneNameAreBothLeftOut() {
    assertThat(tools("{}", "a-b", "a.b", "c")).extracting(Tool::name).containsExactly("mcp.c");
  }

  @Test
  void anotherListingIsAnotherTool() {
    McpTool tool = McpTool.read(listed("a", ",'description':'Reads.'")).orElseThrow();
    assertThat(tool.is(listed("a", ",'description':'Reads.','_meta':{'x':1},'title':null")))
        .isTrue();
    assertThat(tool.is(listed("a", ",'description':'Reads and mails.'"))).isFalse();
    assertThat(tool.is(listed("a", ",'description':'Reads.','annotations':{'readOnlyHint':true}")))
        .isFalse();
    assertThat(tool.is(json("{'name':'a','description':'Reads.','inputSchema':{}}"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'inputSchema':{'type':'object'}}",
        "{'name':'a'}",
        "{'name':'a','inputSchema':{'type':'strange'}}",
        "{'name':'a','inputSchema':{'$ref':'https://schemas.example/a.json'}}",
      })
  void aToolWhoseCallsCannotBeJudgedIsNone(String listed) {
    assertThat(McpTool.read(json(listed))).isEmpty();
  }

  @Test
  void aSchemaIsReadAs2020WhateverDialectItNames() {
    ObjectNode listed =
        json(
            "{'name':'a','inputSchema':{'$schema':'http://json-schema.org/draft-07/schema#','type':'object'}}");
    assertThat(McpTool.read(listed).orElseThrow().inputSchema())
        .isEqualTo(json("{'type':'object'}"));
  }

  @Test
  void whoSaysOtherwiseOfATierDoesNotTrustTheServersWord() {
    McpTool tool =
        McpTool.read(listed("a", ",'annotations':{'idempotentHint':true}")).orElseThrow();
    assertThat(McpConfig.tools(json("{}"), List.of(tool)).getFirst().retrySafe()).isTrue();
    Tool own = McpConfig.tools(json("{'tiers':{'mcp.a':1}}"), List.of(tool)).getFirst();
    assertThat(own.retrySafe()).isFalse();
  }
}
