package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.EntityKey;
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

  private static List<McpTool> read(String... names) {
    return Arrays.stream(names)
        .map(name -> McpTool.read(listed(name, "")))
        .flatMap(Optional::stream)
        .toList();
  }

  private static List<Tool> tools(String config, String... names) {
    return McpConfig.tools(json(config), McpListing.of(read(names), List.of()).tools());
  }

  private static Tool annotated(String config, String annotations) {
    McpTool tool = McpTool.read(listed("a", ",'annotations':" + annotations)).orElseThrow();
    return McpConfig.tools(json(config), List.of(tool)).getFirst();
  }

  /** The tier, and that of a tenant who trusts what the server says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'readOnlyHint':true} | 2 | 0",
        "{'readOnlyHint':true,'destructiveHint':true} | 3 | 0",
        "{'readOnlyHint':false,'destructiveHint':true} | 3 | 3",
        "{'destructiveHint':true,'idempotentHint':true} | 3 | 3",
        "{'destructiveHint':false,'idempotentHint':true} | 2 | 1",
        "{'destructiveHint':false} | 2 | 2",
        "{'readOnlyHint':'true'} | 2 | 2",
        "{} | 2 | 2",
        "null | 2 | 2",
      },
      quoteCharacter = '`')
  void untrustedAnnotationsCanOnlyRaiseATier(String annotations, int tier, int trustedTier) {
    assertThat(annotated("{}", annotations).tier()).isEqualTo(tier);
    assertThat(annotated("{'trust_hints':false}", annotations).tier()).isEqualTo(tier);
    assertThat(annotated("{'trust_hints':true}", annotations).tier()).isEqualTo(trustedTier);
    assertThat(annotated("{'tiers':{'mcp.a':1}}", annotations).tier()).isEqualTo(1);
    assertThat(annotated("{'tiers':{'mcp.a':3},'trust_hints':true}", annotations).tier())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | {'readOnlyHint':true,'idempotentHint':true} | false",
        "{'tiers':{'mcp.a':0}} | {} | true",
        "{'tiers':{'mcp.a':1}} | {'idempotentHint':true} | false",
        "{'trust_hints':true} | {'idempotentHint':true} | true",
        "{'trust_hints':true} | {'idempotentHint':true,'destructiveHint':true} | true",
        "{'trust_hints':true} | {'readOnlyHint':true} | false",
        "{'trust_hints':true,'tiers':{'mcp.a':2}} | {'idempotentHint':true} | true",
      },
      quoteCharacter = '`')
  void callsAreRetriedOnlyIfTheTenantSaysSo(String config, String annotations, boolean retrySafe) {
    assertThat(annotated(config, annotations).retrySafe()).isEqualTo(retrySafe);
  }

  @Test
  void serverToolNamesAreConvertedToOurSpelling() {
    assertThat(
            tools(
                "{}",
                "order_read",
                "Mail-Send.now",
                "deleteDoc",
                "HTTPGet",
                "v2Beta",
                "getURLs/all",
                "2fa",
                "ä"))
        .extracting(Tool::name)
        .containsExactly(
            "mcp.order_read",
            "mcp.mail_send_now",
            "mcp.delete_doc",
            "mcp.http_get",
            "mcp.v2_beta",
            "mcp.get_ur_ls_all",
            "mcp.2fa",
            "mcp._");
    assertThat(tools("{'prefix':'a.b'}", "x"))
        .extracting(Tool::name, Tool::capability)
        .containsExactly(tuple("a.b.x", "a.b"));
    assertThat(tools("{'prefix':''}", "addNote"))
        .extracting(Tool::name, Tool::capability)
        .containsExactly(tuple("add_note", "mcp"));
  }

  @Test
  void atInstallTheFirstToolKeepsACollidingName() {
    assertThat(tools("{}", "deleteDoc", "Delete-Doc", "DeleteDoc"))
        .extracting(Tool::name)
        .containsExactly("mcp.delete_doc", "mcp.delete_doc_1aa4", "mcp.delete_doc_f183");
  }

  /** Nobody is called in the place of another, whatever the server's order is. */
  @Test
  void anAcceptedToolKeepsItsNameWhileItIsListed() {
    List<McpTool> accepted = McpListing.of(read("DeleteDoc"), List.of()).tools();
    assertThat(McpListing.of(read("delete_doc", "DeleteDoc"), accepted).tools())
        .extracting(McpTool::name, McpTool::as)
        .containsExactly(tuple("delete_doc", "delete_doc_df0e"), tuple("DeleteDoc", "delete_doc"));
    assertThat(McpListing.of(read("delete_doc"), accepted).tools())
        .extracting(McpTool::name, McpTool::as)
        .containsExactly(tuple("delete_doc", "delete_doc"));
    List<McpTool> both =
        McpListing.of(read("DeleteDoc", "delete_doc", "deleteDoc"), accepted).tools();
    assertThat(McpListing.of(read("deleteDoc", "delete_doc"), both).tools())
        .extracting(McpTool::name, McpTool::as)
        .containsExactly(
            tuple("deleteDoc", "delete_doc_ed0c"), tuple("delete_doc", "delete_doc_df0e"));
  }

  /** What real servers list that cannot be used, and why. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'inputSchema':{}} | It has no name.",
        "{'name':'a\uFFFD','inputSchema':{}} | Its name has a character that cannot be read.",
        "{'name':'a'} | It has no inputSchema.",
        "{'name':'a','inputSchema':{'properties':{'x':{'type':'any'}}}} | Its inputSchema cannot be used as JSON Schema 2020-12: $.properties/type",
        "{'name':'a','inputSchema':{'properties':{'x':{'type':'string','required':true}}}} | Its inputSchema cannot be used as JSON Schema 2020-12: $.properties/required",
        "{'name':'a','inputSchema':{'properties':{'x':{'minimum':1,'exclusiveMinimum':true}}}} | Its inputSchema cannot be used as JSON Schema 2020-12: $.properties/exclusiveMinimum",
        "{'name':'a','inputSchema':{'properties':{'x':{'$ref':'#/definitions/gone'}}}} | Its inputSchema cannot be used as JSON Schema 2020-12: It cannot be compiled",
        "{'name':'a','inputSchema':{'properties':{'x':{'maximum':'1e999'}}}} | Its inputSchema cannot be used as JSON Schema 2020-12: $.properties/maximum",
      })
  void anUnusableToolIsLeftOutWithAReason(String listed, String reason) {
    assertThat(McpTool.reading(json(listed)))
        .isInstanceOfSatisfying(
            McpTool.Reading.Flawed.class, flawed -> assertThat(flawed.why()).startsWith(reason));
  }

  /** A tuple of draft-07 and arguments: whether they fit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':[1,'x']} | true",
        "{'a':[1,'x',true]} | true",
        "{'a':['x']} | false",
        "{'a':[1,'x','y']} | false",
        "{'b':[1]} | true",
        "{'b':['x']} | false",
        "{'c':[1,2]} | false",
        "{'items':[{}]} | true",
      })
  void draft07TuplesAreValidated(String args, boolean fits) {
    McpTool tool =
        McpTool.read(
                json(
                    """
                    {'name':'t','inputSchema':{'$schema':'http://json-schema.org/draft-07/schema#','type':'object',
                     'definitions':{'pair':{'type':'array','items':[{'type':'integer'},{'type':'string'}],'additionalItems':{'type':'boolean'}}},
                     'properties':{'a':{'$ref':'#/definitions/pair'},
                       'b':{'anyOf':[{'type':'array','items':[{'type':'integer'}]}]},
                       'c':{'type':'array','items':[{'type':'integer'}],'additionalItems':false},
                       'items':{'type':'array','default':[],'additionalItems':false}}}}"""))
            .orElseThrow();
    InputSchema schema = McpConfig.tools(json("{}"), List.of(tool)).getFirst().inputSchema();
    assertThat(schema.problem(json(args)).isEmpty()).isEqualTo(fits);
    assertThat(tool.listing().at("/inputSchema/definitions/pair/items").isArray()).isTrue();
  }

  @Test
  void aDescriptionIsCutBetweenCharacters() {
    String words = "x".repeat(1_999) + "\uD83D\uDE00 and more";
    ObjectNode listed = listed("a", "").put("description", words);
    assertThat(McpTool.read(listed).orElseThrow().description()).endsWith("x\uD83D\uDE00");
  }

  @Test
  void aToolListedTwiceIsLeftOut() {
    assertThat(tools("{}", "a", "b", "a")).extracting(Tool::name).containsExactly("mcp.b");
  }

  @Test
  void theListingDigestDoesNotDependOnTheOrder() {
    McpListing listing = McpListing.of(read("a", "b"), List.of());
    assertThat(listing.digest()).matches("[0-9a-f]{64}");
    assertThat(McpListing.of(read("b", "a"), listing.tools()).digest()).isEqualTo(listing.digest());
    assertThat(McpListing.of(read("a"), List.of()).digest()).isNotEqualTo(listing.digest());
    McpTool worded = McpTool.read(listed("b", ",'description':'Reads.'")).orElseThrow();
    List<McpTool> others = List.of(read("a").getFirst(), worded);
    assertThat(McpListing.of(others, List.of()).digest()).isNotEqualTo(listing.digest());
    assertThat(McpListing.of(others, listing.tools()).changed()).isEmpty();
  }

  @Test
  void newAndChangedToolsAreReportedButRemovedOnesAreNot() {
    List<McpTool> accepted = McpListing.of(read("a", "b", "c"), List.of()).tools();
    McpTool changed =
        McpTool.read(listed("b", ",'annotations':{'destructiveHint':true}")).orElseThrow();
    List<McpTool> now = List.of(read("a").getFirst(), changed, read("d").getFirst());
    assertThat(McpListing.of(now, accepted).changed())
        .extracting(McpTool::as)
        .containsExactly("b", "d");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",'description':'Reads.','_meta':{'x':1},'title':null | true",
        ",'description':'Reads and mails.','title':'Reader' | true",
        ",'annotations':{'title':'Reader'} | true",
        ",'annotations':{'readOnlyHint':true} | false",
        ",'outputSchema':{'type':'object'} | false",
      },
      quoteCharacter = '`')
  void newDescriptionsKeepAToolTheSameButNewHintsDoNot(String more, boolean same) {
    McpTool tool = McpTool.read(listed("a", ",'description':'Tells.'")).orElseThrow();
    assertThat(tool.is(listed("a", more))).isEqualTo(same);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'properties':{'title':{'type':'string'}}} | {} | false",
        "{'properties':{'title':{'type':'string'}}} | {'properties':{'title':{'type':'string','title':'T'}}} | true",
        "{'title':'a'} | {'description':'b','$comment':'c'} | true",
        "{'items':[{'title':'a'}],'not':{'description':'b'}} | {'items':[{}],'not':{}} | true",
        "{'anyOf':[{'title':'a'}]} | {'anyOf':[{'title':'b'}]} | true",
        "{'$defs':{'description':{'title':'a'}}} | {'$defs':{'description':{}}} | true",
        "{'$defs':{'description':{}}} | {'$defs':{}} | false",
        "{'const':{'title':'a'}} | {'const':{'title':'b'}} | false",
        "{'enum':[{'title':'a'}]} | {'enum':[{}]} | false",
        "{'default':{'title':'a'}} | {'default':{}} | false",
        "{'x-mcp-header':'a'} | {} | false",
        "{'additionalProperties':true} | {'additionalProperties':false} | false",
        "{'properties':{'a':true}} | {'properties':{'a':true},'title':'x'} | true",
      },
      quoteCharacter = '`')
  void onlyDescriptiveSchemaWordsAreIgnoredInComparison(String before, String after, boolean same) {
    assertThat(Wordless.of(json(before)).equals(Wordless.of(json(after)))).isEqualTo(same);
  }

  @Test
  void aNewSchemaTitleKeepsTheToolButANewNameOrSchemaDoesNot() {
    McpTool tool = McpTool.read(json("{'name':'a','inputSchema':{'type':'object'}}")).orElseThrow();
    assertThat(tool.is(json("{'name':'a','inputSchema':{'type':'object','title':'x'}}"))).isTrue();
    assertThat(tool.is(json("{'name':'a','description':'Reads.','inputSchema':{}}"))).isFalse();
    assertThat(tool.is(json("{'name':'b','inputSchema':{'type':'object'}}"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'inputSchema':{'type':'object'}}",
        "{'name':'a'}",
        "{'name':'a','inputSchema':{'type':'strange'}}",
        "{'name':'a','inputSchema':{'$ref':'https://schemas.example/a.json'}}",
      })
  void aToolWithAnUnusableSchemaOrNameIsNotRead(String listed) {
    assertThat(McpTool.read(json(listed))).isEmpty();
  }

  @Test
  void aSchemaIsReadAsDraft2020InEveryDialect() {
    ObjectNode listed =
        json(
            "{'name':'a','inputSchema':{'$schema':'http://json-schema.org/draft-07/schema#','type':'object'}}");
    assertThat(McpTool.read(listed).orElseThrow().inputSchema())
        .isEqualTo(json("{'type':'object'}"));
  }

  @Test
  void configOfAToolIsMatchedByItsName() {
    Tool tool =
        tools(
                """
                {'binds':{'mcp.pay':{'entity':'order:{{args.order}}','value':'/amount'}},
                 'inverses':{'mcp.pay':{'tool':'mcp.cancel','args':{'order':'{{args.order}}'}}}}
                """,
                "pay",
                "cancel")
            .getFirst();
    assertThat(tool.binds().entityOf(json("{'order':7}"))).contains(new EntityKey("order:7"));
    assertThat(tool.binds().valueOf(json("{'amount':'9.00'}"))).isPresent();
    assertThat(tool.inverse()).isNotNull();
  }
}
