package io.actiongovernance.functions.upstream;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static io.actiongovernance.functions.upstream.Upstream.answer;
import static io.actiongovernance.functions.upstream.Upstream.drop;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.CallResult.Applied;
import io.actiongovernance.connector.CallResult.Failed;
import io.actiongovernance.connector.CallResult.Paced;
import io.actiongovernance.connector.CallResult.Refused;
import io.actiongovernance.connector.CallResult.Unknown;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.LeftOutTool;
import io.actiongovernance.connector.McpTool;
import io.actiongovernance.connector.Permit;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of a Model Context Protocol server, answer by answer: what is sent, and what is known
 * afterwards (contract, section 5). The official server is in the acceptance tests.
 */
class McpToolCallerSpec {
  private static final String TOOL = "{'name':'refund','inputSchema':{'type':'object'}}";
  private static final String OPENED =
      "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-06-18','capabilities':{}}}";
  private static final String LISTED = "{'jsonrpc':'2.0','id':3,'result':{'tools':[" + TOOL + "]}}";

  private final HttpFixture it = new HttpFixture();

  @AfterEach
  void close() {
    it.close();
  }

  private static Upstream.Answering reply(String json, String... headers) {
    return answer(200, json.replace('\'', '"'), headers);
  }

  /**
   * A server of an older revision: it does not know what a request without a session is, opens one,
   * lists the tool, and then answers so.
   */
  private void serve(Upstream.Answering... call) {
    serveListing(LISTED);
    for (Upstream.Answering next : call) {
      it.upstream.then(next);
    }
  }

  private void serveListing(String listed) {
    it.upstream
        .then(answer(400, "no session"))
        .then(reply(OPENED, "Mcp-Session-Id", "s-1"))
        .then(answer(202, ""))
        .then(reply(listed));
  }

  private Connector install(String more) {
    it.it.finding =
        new Finding.Passed(Duration.ZERO, List.of(McpTool.read(json(TOOL)).orElseThrow()));
    return installed(more);
  }

  private Connector installed(String more) {
    return it.it.installed(
        "{'listing_id':'cn-mcp','name':'mcp','config':{'url':'%s'}%s}"
            .formatted(it.upstream.url() + "/mcp", more));
  }

  private CallResult call(Connector connector, Permit permit) {
    return call(connector, "{'charge':'ch_1'}", permit);
  }

  private CallResult call(Connector connector, String args, Permit permit) {
    return call(connector, args, permit, false);
  }

  private CallResult call(Connector connector, String args, Permit permit, boolean answerKept) {
    return it.mcp.call(
        new ToolCall(
            connector,
            connector.tools().getFirst(),
            json(args),
            "key-1",
            null,
            CorrelationId.next(it.it.ids),
            it.it.time.instant().plus(Duration.ofSeconds(25)),
            permit,
            answerKept,
            null));
  }

  private CallResult call(Connector connector) {
    return call(connector, () -> true);
  }

  private List<String> methods() {
    return it.upstream.seen.stream()
        .filter(seen -> !seen.body().isEmpty())
        .map(seen -> Json.read(seen.body()).path("method").asText())
        .toList();
  }

  @Test
  void eachCallOpensItsOwnSession() {
    serve(reply("{'jsonrpc':'2.0','id':4,'result':{'content':[],'structuredContent':{'id':'r'}}}"));
    Connector connector =
        install(",'credentials':{'type':'bearer','token':'secret-token-1234567'}");
    assertThat(call(connector))
        .isEqualTo(new Applied(json("{'content':[],'structuredContent':{'id':'r'}}"), null));
    assertThat(methods())
        .containsExactly(
            "tools/list", "initialize", "notifications/initialized", "tools/list", "tools/call");
    assertThat(Json.read(it.upstream.seen.get(1).body()).at("/params/protocolVersion").asText())
        .isEqualTo("2025-11-25");
    for (Upstream.Seen seen : it.upstream.seen) {
      assertThat(seen.header("Authorization")).isEqualTo("Bearer secret-token-1234567");
      assertThat(seen.header("X-correlation-id")).startsWith("co_");
      assertThat(seen.header("Accept")).contains("application/json", "text/event-stream");
      assertThat(seen.path()).isEqualTo("/mcp");
    }
    for (Upstream.Seen seen : it.upstream.seen.subList(2, 6)) {
      assertThat(seen.header("Mcp-session-id")).isEqualTo("s-1");
      assertThat(seen.header("Mcp-protocol-version")).isEqualTo("2025-06-18");
    }
    assertThat(it.upstream.seen.getLast().method()).isEqualTo("DELETE");
    Upstream.Seen called = it.upstream.seen.get(4);
    assertThat(called.header("Idempotency-key")).isEqualTo("key-1");
    JsonNode params = Json.read(called.body()).path("params");
    assertThat(params.path("name").asText()).isEqualTo("refund");
    assertThat(params.path("arguments")).isEqualTo(json("{'charge':'ch_1'}"));
    assertThat(params.at("/_meta/io.actiongovernance~1idempotency-key").asText())
        .isEqualTo("key-1");
    assertThat(it.upstream.seen.subList(0, 4))
        .allSatisfy(before -> assertThat(before.header("Idempotency-key")).isEmpty());
  }

  /** What tools/call is answered with, and what is known then; the tool has side effects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "200 | {'id':4,'result':{'content':[{'type':'text','text':'{}'}]}} | Applied",
        "200 | {'id':4,'result':{'resultType':'complete','content':[]}} | Applied",
        "200 | {'id':4,'result':{'isError':true,'content':[]}} | Unknown answered",
        "200 | {'id':4,'result':{'resultType':'input_required'}} | Failed",
        "200 | {'id':4,'result':{'resultType':'task','taskId':'t1'}} | Unknown",
        "200 | {'id':4,'result':{'task':{'taskId':'t1','status':'working'}}} | Unknown",
        "200 | {'id':4,'result':{'resultType':'later'}} | Unknown",
        "200 | {'id':4,'error':{'code':-32700,'message':'no JSON'}} | Failed",
        "200 | {'id':4,'error':{'code':-32600,'message':'no request'}} | Failed",
        "200 | {'id':4,'error':{'code':-32601,'message':'no method'}} | Failed",
        "200 | {'id':4,'error':{'code':-32602,'message':'no such tool'}} | Failed",
        "200 | {'id':4,'error':{'code':-32020,'message':'header mismatch'}} | Failed",
        "200 | {'id':4,'error':{'code':-32021,'message':'no capability'}} | Failed",
        "200 | {'id':4,'error':{'code':-32022,'message':'no revision'}} | Failed",
        "200 | {'id':4,'error':{'code':-32603,'message':'oops'}} | Unknown answered",
        "200 | {'id':4,'error':{'code':-32000,'message':'oops'}} | Unknown answered",
        "200 | {'id':4,'error':{'code':-32042,'message':'go there'}} | Unknown answered",
        "200 | {'id':4,'error':{'code':7,'message':'own'}} | Unknown answered",
        "200 | {'id':9,'result':{}} | Unknown",
        "200 | nonsense | Unknown",
        "202 | `` | Unknown",
        "302 | `` | Unknown answered",
        "307 | `` | Failed",
        "400 | {'id':4,'error':{'code':-32600}} | Failed",
        "400 | {'error':{'code':-32602}} | Failed",
        "404 | `` | Failed",
        "500 | `` | Unknown answered",
        "500 | {'id':4,'error':{'code':-32603}} | Unknown answered",
        "500 | {'id':4,'error':{'code':-32602}} | Failed",
        "502 | `` | Unknown answered",
      })
  void everyAnswerGivesTheOutcomeItImplies(int status, String body, String result) {
    serve(answer(status, body.replace('\'', '"')));
    assertThat(named(call(install("")))).isEqualTo(result);
    assertThat(methods()).filteredOn("tools/call"::equals).hasSize(1);
  }

  /** Whatever is in it: what is not known of a content is handed on as it came. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'content':[{'type':'text','text':'{\\u0022id\\u0022:7}'}]}",
        "{'content':[{'type':'image','data':'AAAA','mimeType':'image/png','annotations':{}}]}",
        "{'content':[{'type':'hologram'}],'structuredContent':[1,2.50,null],'_meta':{'a':1}}",
        "{'resultType':'complete','content':[],'ttlMs':0,'isError':false}",
        "{}",
      })
  void aResultIsHandedOnUnchanged(String result) {
    serve(reply("{'id':4,'result':" + result + "}"));
    Connector connector = install("");
    assertThat(call(connector)).isEqualTo(new Applied(json(result), null));
  }

  /** What it says of the effect stands at its end, and is read however long it is. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10000000 | application/json  | false | Applied",
        "10000000 | text/event-stream | false | Applied",
        "10000000 | application/json  | true  | Failed",
        "17000000 | application/json  | false | Unknown",
        "17000000 | text/event-stream | true  | Unknown",
      })
  void aLongAnswerIsReadUpToABound(int bytes, String type, boolean error, String result) {
    String body =
        "{\"id\":4,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
            + "x".repeat(bytes)
            + "\"}],\"isError\":"
            + error
            + "}}";
    String sent = type.equals("application/json") ? body : "data: " + body + "\n\n";
    serve(answer(200, sent, "Content-Type", type));
    Connector trusting = it.it.withConfig(install(""), "{'did_not_act':['mcp.*']}");
    assertThat(named(call(trusting))).isEqualTo(result);
  }

  private static String named(CallResult result) {
    String name = result.getClass().getSimpleName();
    return result instanceof Unknown unknown && unknown.answered() ? name + " answered" : name;
  }

  @Test
  void aKeptResultIsTheServersOwnJson() {
    String result = "{'content':[{'type':'text','text':'3'}],'structuredContent':{'count':3}}";
    serve(reply("{'jsonrpc':'2.0','id':4,'result':" + result + "}"));
    CallResult came = call(install(""), "{'charge':'ch_1'}", () -> true, true);
    WholeAnswer answer = Objects.requireNonNull(((Applied) came).answer());
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(new String(answer.bytes(), UTF_8)).isEqualTo(Json.write(json(result)));
  }

  /** An answer is not read as JSON beyond a mebibyte, but where it is kept. */
  @Test
  void aLongKeptResultIsReadWhole() {
    String text = "x".repeat(2 << 20);
    serve(reply("{'id':4,'result':{'content':[{'type':'text','text':'" + text + "'}]}}"));
    CallResult came = call(install(""), "{'charge':'ch_1'}", () -> true, true);
    assertThat(new String(Objects.requireNonNull(((Applied) came).answer()).bytes(), UTF_8))
        .contains(text);
  }

  @Test
  void anErrorOfATrustedToolMeansThatNothingHappened() {
    serve(reply("{'id':4,'result':{'isError':true,'content':[{'type':'text','text':'no'}]}}"));
    Connector installed = install("");
    Connector trusting = it.it.withConfig(installed, "{'did_not_act':['mcp.*']}");
    assertThat(call(trusting)).isEqualTo(new Failed("the tool failed: no"));
  }

  @Test
  void aStreamThatBreaksOffBeforeTheAnswerIsUnknown() {
    serve(
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(": working\n\n".getBytes(StandardCharsets.UTF_8));
        });
    assertThat(named(call(install("")))).isEqualTo("Unknown");
  }

  @Test
  void theNewestRevisionNeedsNoSessionAndMirrorsMarkedArguments() {
    String schema =
        "{'type':'object','properties':{'charge':{'type':'string','x-mcp-header':'Charge'},"
            + "'at':{'type':'object','properties':{'n':{'type':'integer','x-mcp-header':'N'}}},"
            + "'left':{'type':'boolean','x-mcp-header':'Left'}}}";
    String tool = "{'name':'refundé','inputSchema':" + schema + "}";
    it.upstream
        .then(reply("{'id':1,'result':{'resultType':'complete','tools':[" + tool + "]}}"))
        .then(reply("{'id':2,'result':{'resultType':'complete','content':[]}}"));
    it.it.finding =
        new Finding.Passed(Duration.ZERO, List.of(McpTool.read(json(tool)).orElseThrow()));
    Connector connector = installed("");
    assertThat(call(connector, "{'charge':' ch_1','at':{'n':7.0}}", () -> true))
        .isInstanceOf(Applied.class);
    assertThat(methods()).containsExactly("tools/list", "tools/call");
    for (Upstream.Seen seen : it.upstream.seen) {
      assertThat(seen.header("Mcp-protocol-version")).isEqualTo("2026-07-28");
      assertThat(seen.header("Mcp-method"))
          .isEqualTo(Json.read(seen.body()).path("method").asText());
      JsonNode meta = Json.read(seen.body()).at("/params/_meta");
      assertThat(meta.path("io.modelcontextprotocol/protocolVersion").asText())
          .isEqualTo("2026-07-28");
      assertThat(meta.path("io.modelcontextprotocol/clientInfo").path("name").asText())
          .isNotEmpty();
      assertThat(meta.path("io.modelcontextprotocol/clientCapabilities").isObject()).isTrue();
    }
    Upstream.Seen called = it.upstream.seen.getLast();
    assertThat(called.header("Mcp-name")).isEqualTo("=?base64?cmVmdW5kw6k=?=");
    assertThat(called.header("Mcp-param-charge")).isEqualTo("=?base64?IGNoXzE=?=");
    assertThat(called.header("Mcp-param-n")).isEqualTo("7");
    assertThat(called.headers()).doesNotContainKey("Mcp-param-left");
    assertThat(called.header("Idempotency-key")).isEqualTo("key-1");
  }

  /** What the first request is answered with, and what follows it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "400 | {'id':1,'error':{'code':-32022,'data':{'supported':['2025-11-25']}}} | initialize",
        "400 | {'id':1,'error':{'code':-32022,'data':{'supported':['2030-01-01']}}} | ``",
        "400 | {'id':1,'error':{'code':-32020}} | ``",
        "400 | {'id':1,'error':{'code':-32000,'message':'no session'}} | initialize",
        "404 | `` | initialize",
        "405 | `` | initialize",
        "200 | {'id':1,'error':{'code':-32601}} | initialize",
        "200 | {'id':1,'result':{'tools':[]}} | initialize",
        "401 | `` | ``",
      })
  void olderRevisionsAreTriedIfTheServerLacksTheNewest(int status, String body, String next) {
    it.upstream.then(answer(status, body.replace('\'', '"'))).then(answer(400, ""));
    assertThat(call(install(""))).isInstanceOf(Failed.class);
    assertThat(String.join(" ", methods())).isEqualTo(("tools/list " + next).strip());
  }

  @Test
  void aLostReplyToTheCallIsUnknownAndNotAskedAgain() {
    serve(drop());
    assertThat(call(install(""))).isInstanceOf(Unknown.class);
    assertThat(methods()).filteredOn("tools/call"::equals).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"400", "302", "500", "501"})
  void aFailureBeforeTheCallHadNoEffect(int status) {
    it.upstream.then(answer(status, ""));
    assertThat(call(install(""))).isInstanceOf(Failed.class);
    assertThat(methods()).containsExactly("tools/list", "initialize");
  }

  @Test
  void aLostReplyBeforeTheCallIsAskedAgain() {
    it.upstream.then(drop());
    serve(reply("{'id':4,'result':{}}"));
    assertThat(call(install(""))).isInstanceOf(Applied.class);
    assertThat(methods()).filteredOn("tools/call"::equals).hasSize(1);
  }

  @Test
  void rejectedCredentialsAreAnErrorOfTheConnector() {
    it.upstream.then(answer(401, "secret-token-1234567"));
    Connector connector =
        install(",'credentials':{'type':'bearer','token':'secret-token-1234567'}");
    assertThat(call(connector))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.error()).doesNotContain("secret-token"));
    assertThat(it.it.connectors.find(it.it.partition, connector.id()).orElseThrow().status())
        .isEqualTo(ConnectorStatus.ERROR);
    assertThat(it.mcpProbe.probe(connector)).isInstanceOf(Finding.CredentialsRejected.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':3,'result':{'tools':[]}}",
        "{'id':3,'result':{'tools':[{'name':'refund','inputSchema':{'type':'object'},'annotations':{'readOnlyHint':true}}]}}",
        "{'id':3,'result':{'tools':[{'name':'refund','inputSchema':{}}]}}",
      },
      quoteCharacter = '`')
  void aToolListedDifferentlyThanAcceptedIsNotCalled(String listed) {
    serveListing(listed);
    assertThat(call(install(""))).isEqualTo(new Refused("tools_changed"));
    assertThat(methods()).doesNotContain("tools/call");
  }

  @Test
  void aPermitThatEndsWhileTheToolsAreListedPreventsTheCall() {
    serve(answer(500, ""));
    assertThat(call(install(""), () -> it.upstream.seen.size() < 4)).isInstanceOf(Paced.class);
    assertThat(methods()).hasSize(4);
    assertThat(methods()).doesNotContain("tools/call");
  }

  @Test
  void requestsBeforeTheToolCallDoNotBeginTheCall() {
    serveListing("{'jsonrpc':'2.0','id':3,'result':{'tools':[]}}");
    Beginnings listing = new Beginnings();
    assertThat(call(install(""), listing)).isInstanceOf(Refused.class);
    assertThat(methods()).hasSize(4);
    assertThat(listing.begun).hasValue(0);
  }

  @Test
  void theToolCallRequestBeginsTheCall() {
    serve(reply("{'jsonrpc':'2.0','id':4,'result':{'content':[]}}"));
    Beginnings calling = new Beginnings();
    assertThat(call(install(""), calling)).isInstanceOf(Applied.class);
    assertThat(calling.begun).hasValue(1);
  }

  @Test
  void toolsAreListedPageByPage() {
    it.upstream
        .then(answer(400, ""))
        .then(reply(OPENED))
        .then(answer(202, ""))
        .then(reply("{'id':3,'result':{'tools':[" + TOOL + "],'nextCursor':'b'}}"))
        .then(reply("{'id':4,'result':{'tools':[" + TOOL.replace("refund", "other") + "]}}"));
    assertThat(it.mcpProbe.probe(install("")))
        .isInstanceOfSatisfying(
            Finding.Passed.class,
            passed ->
                assertThat(passed.offer().tools())
                    .extracting(McpTool::name)
                    .containsExactly("refund", "other"));
    assertThat(Json.read(it.upstream.seen.getLast().body()).at("/params/cursor").asText())
        .isEqualTo("b");
  }

  private Upstream.Answering page(int id, String tool, String more) {
    String named = TOOL.replace("refund", tool);
    return reply("{'id':" + id + ",'result':{'tools':[" + named + "]" + more + "}}");
  }

  private List<String> listed() {
    return ((Finding.Passed) it.mcpProbe.probe(install("")))
        .offer().tools().stream().map(McpTool::name).toList();
  }

  /** Some begin their list again for an empty cursor, some refuse it, some end it so. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'id':4,'result':{'tools':[{'name':'refund','inputSchema':{'type':'object'}}],'nextCursor':''}}",
        "{'id':4,'result':{'tools':[],'nextCursor':''}}",
        "{'id':4,'error':{'code':-32602,'message':'no such cursor'}}",
      })
  void inASessionAnEmptyCursorThatBringsNothingNewEndsTheList(String next) {
    it.upstream
        .then(answer(400, ""))
        .then(reply(OPENED))
        .then(answer(202, ""))
        .then(page(3, "refund", ",'nextCursor':''"))
        .then(reply(next));
    assertThat(listed()).containsExactly("refund");
    assertThat(methods()).filteredOn("tools/list"::equals).hasSize(3);
  }

  @Test
  void inASessionAnEmptyCursorMayBringMore() {
    it.upstream
        .then(answer(400, ""))
        .then(reply(OPENED))
        .then(answer(202, ""))
        .then(page(3, "refund", ",'nextCursor':''"))
        .then(page(4, "other", ""));
    assertThat(listed()).containsExactly("refund", "other");
  }

  @Test
  void withoutASessionAnEmptyCursorIsAnOrdinaryCursor() {
    it.upstream.then(page(1, "refund", ",'nextCursor':'','resultType':'complete'"));
    for (int id = 2; id <= 21; id++) {
      it.upstream.then(page(id, "refund", ",'nextCursor':'','resultType':'complete'"));
    }
    assertThat(it.mcpProbe.probe(install("")))
        .isInstanceOfSatisfying(
            Finding.UpstreamFailed.class,
            failed ->
                assertThat(failed.error())
                    .isEqualTo("upstream cannot be used: its tools/list does not end"));
    assertThat(methods()).hasSize(21);
  }

  private void serverHas(int tools, String description) {
    StringBuilder all = new StringBuilder();
    for (int at = 0; at < tools; at++) {
      all.append(at == 0 ? "" : ",")
          .append(
              "{'name':'get_%d','description':'%s','inputSchema':{}}".formatted(at, description));
    }
    it.upstream.then(reply("{'id':1,'result':{'resultType':'complete','tools':[" + all + "]}}"));
  }

  private Finding probed(Connector connector, String config) {
    return it.mcpProbe.probe(it.it.withConfig(connector, config));
  }

  @ParameterizedTest
  @CsvSource({"101,10", "90,2000"})
  void configSelectsAPartOfATooLongList(int tools, int words) {
    serverHas(tools, "x".repeat(words));
    Connector connector = install("");
    assertThat(probed(connector, "{}"))
        .isInstanceOfSatisfying(
            Finding.UpstreamFailed.class,
            failed ->
                assertThat(failed.error()).endsWith("name those that you need in config.tools"));
    assertThat(probed(connector, "{'tools':['*']}"))
        .isInstanceOfSatisfying(
            Finding.UpstreamFailed.class,
            failed -> assertThat(failed.error()).endsWith("let config.tools name fewer"));
    assertThat(probed(connector, "{'tools':['get_1','g*t_2*','set_*','get']}"))
        .isInstanceOfSatisfying(
            Finding.Passed.class,
            passed -> {
              assertThat(passed.offer().tools())
                  .extracting(McpTool::name)
                  .contains("get_1", "get_2", "get_29")
                  .hasSize(12);
              assertThat(passed.offer().leftOut())
                  .containsExactly(
                      new LeftOutTool("set_*", "The server lists no tool of this name."),
                      new LeftOutTool("get", "The server lists no tool of this name."));
            });
  }

  @Test
  void aServerOfAnotherRevisionIsNotUsed() {
    it.upstream
        .then(answer(400, ""))
        .then(reply("{'id':2,'result':{'protocolVersion':'2024-11-05'}}"));
    assertThat(call(install(""))).isInstanceOf(Failed.class);
    assertThat(methods()).containsExactly("tools/list", "initialize");
  }
}
