package io.actiongovernance.functions.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static io.actiongovernance.functions.connector.Upstream.answer;
import static io.actiongovernance.functions.connector.Upstream.drop;
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
import io.actiongovernance.connector.McpTool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls of a Model Context Protocol server, answer by answer: what is sent, and what is known
 * afterwards (contract, section 5). The official server is in the acceptance tests.
 */
class McpToolCallerSpec {
  private static final String TOOL = "{'name':'refund','inputSchema':{'type':'object'}}";
  private static final String OPENED =
      "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-06-18','capabilities':{}}}";
  private static final String LISTED = "{'jsonrpc':'2.0','id':2,'result':{'tools':[" + TOOL + "]}}";

  private final HttpFixture it = new HttpFixture();

  @AfterEach
  void close() {
    it.close();
  }

  private static Upstream.Answering reply(String json, String... headers) {
    return answer(200, json.replace('\'', '"'), headers);
  }

  /** A server that opens a session, lists the tool, and then answers so. */
  private void serve(Upstream.Answering... call) {
    serveListing(LISTED);
    for (Upstream.Answering next : call) {
      it.upstream.then(next);
    }
  }

  private void serveListing(String listed) {
    it.upstream
        .then(reply(OPENED, "Mcp-Session-Id", "s-1"))
        .then(answer(202, ""))
        .then(reply(listed));
  }

  private Connector install(String more) {
    it.it.finding =
        new Finding.Passed(Duration.ZERO, List.of(McpTool.read(json(TOOL)).orElseThrow()));
    return it.it.installed(
        "{'listing_id':'cn-mcp','name':'mcp','config':{'url':'%s'}%s}"
            .formatted(it.upstream.url() + "/mcp", more));
  }

  private CallResult call(Connector connector, BooleanSupplier permit) {
    return it.mcp.call(
        new ToolCall(
            connector,
            connector.tools().getFirst(),
            json("{'charge':'ch_1'}"),
            "key-1",
            CorrelationId.next(it.it.ids),
            it.it.time.instant().plus(Duration.ofSeconds(25)),
            permit));
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
  void aCallIsASessionOfItsOwn() {
    serve(reply("{'jsonrpc':'2.0','id':3,'result':{'content':[],'structuredContent':{'id':'r'}}}"));
    Connector connector =
        install(",'credentials':{'type':'bearer','token':'secret-token-1234567'}");
    assertThat(call(connector))
        .isEqualTo(
            new Applied(json("{'id':'r','content':[],'structuredContent':{'id':'r'}}"), null));
    assertThat(methods())
        .containsExactly("initialize", "notifications/initialized", "tools/list", "tools/call");
    for (Upstream.Seen seen : it.upstream.seen) {
      assertThat(seen.header("Authorization")).isEqualTo("Bearer secret-token-1234567");
      assertThat(seen.header("X-correlation-id")).startsWith("co_");
      assertThat(seen.header("Accept")).contains("application/json", "text/event-stream");
      assertThat(seen.path()).isEqualTo("/mcp");
    }
    for (Upstream.Seen seen : it.upstream.seen.subList(1, 5)) {
      assertThat(seen.header("Mcp-session-id")).isEqualTo("s-1");
      assertThat(seen.header("Mcp-protocol-version")).isEqualTo("2025-06-18");
    }
    assertThat(it.upstream.seen.getLast().method()).isEqualTo("DELETE");
    Upstream.Seen called = it.upstream.seen.get(3);
    assertThat(called.header("Idempotency-key")).isEqualTo("key-1");
    JsonNode params = Json.read(called.body()).path("params");
    assertThat(params.path("name").asText()).isEqualTo("refund");
    assertThat(params.path("arguments")).isEqualTo(json("{'charge':'ch_1'}"));
    assertThat(params.at("/_meta/io.actiongovernance~1idempotency-key").asText())
        .isEqualTo("key-1");
    assertThat(it.upstream.seen.subList(0, 3))
        .allSatisfy(before -> assertThat(before.header("Idempotency-key")).isEmpty());
  }

  /** What tools/call is answered with, and what is known then; the tool has side effects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "200 | {'id':3,'result':{'content':[{'type':'text','text':'{}'}]}} | Applied",
        "200 | {'id':3,'result':{'isError':true,'content':[{'type':'text','text':'no'}]}} | Failed",
        "200 | {'id':3,'error':{'code':-32602,'message':'no such tool'}} | Failed",
        "200 | {'id':3,'error':{'code':-32603,'message':'oops'}} | Failed",
        "200 | {'id':9,'result':{}} | Unknown",
        "200 | nonsense | Unknown",
        "202 | `` | Unknown",
        "302 | `` | Unknown",
        "307 | `` | Failed",
        "400 | {'id':3,'error':{'code':-32600}} | Failed",
        "404 | `` | Failed",
        "500 | `` | Failed",
        "502 | `` | Unknown",
      })
  void anAnswerIsJudgedByWhatItSaysOfTheEffect(int status, String body, String result) {
    serve(answer(status, body.replace('\'', '"')));
    CallResult came = call(install(""));
    assertThat(came.getClass().getSimpleName()).isEqualTo(result);
    assertThat(methods()).filteredOn("tools/call"::equals).hasSize(1);
  }

  @Test
  void aLostReplyToTheCallIsUnknownAndNotAskedAgain() {
    serve(drop());
    assertThat(call(install(""))).isInstanceOf(Unknown.class);
    assertThat(methods()).filteredOn("tools/call"::equals).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"400", "302", "500", "501"})
  void whatFailsBeforeTheCallHadNoEffect(int status) {
    it.upstream.then(answer(status, ""));
    assertThat(call(install(""))).isInstanceOf(Failed.class);
    assertThat(methods()).containsExactly("initialize");
  }

  @Test
  void aLostReplyBeforeTheCallIsAskedAgain() {
    it.upstream.then(drop());
    serve(reply("{'id':3,'result':{}}"));
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
        "{'id':2,'result':{'tools':[]}}",
        "{'id':2,'result':{'tools':[{'name':'refund','inputSchema':{'type':'object'},'annotations':{'readOnlyHint':true}}]}}",
        "{'id':2,'result':{'tools':[{'name':'refund','inputSchema':{}}]}}",
      },
      quoteCharacter = '`')
  void aToolThatIsNotListedAsItWasAcceptedIsNotCalled(String listed) {
    serveListing(listed);
    assertThat(call(install(""))).isEqualTo(new Refused("tools_changed"));
    assertThat(methods()).doesNotContain("tools/call");
  }

  @Test
  void aPermitThatEndsWhileTheToolsAreListedPreventsTheCall() {
    serve(answer(500, ""));
    AtomicInteger asked = new AtomicInteger();
    assertThat(call(install(""), () -> asked.incrementAndGet() == 1)).isInstanceOf(Paced.class);
    assertThat(methods()).doesNotContain("tools/call");
  }

  @Test
  void toolsAreListedPageByPage() {
    it.upstream
        .then(reply(OPENED))
        .then(answer(202, ""))
        .then(reply("{'id':2,'result':{'tools':[" + TOOL + "],'nextCursor':'b'}}"))
        .then(reply("{'id':3,'result':{'tools':[" + TOOL.replace("refund", "other") + "]}}"));
    assertThat(it.mcpProbe.probe(install("")))
        .isInstanceOfSatisfying(
            Finding.Passed.class,
            passed ->
                assertThat(passed.listed())
                    .extracting(McpTool::name)
                    .containsExactly("refund", "other"));
    assertThat(Json.read(it.upstream.seen.getLast().body()).at("/params/cursor").asText())
        .isEqualTo("b");
  }

  @Test
  void aServerOfAnotherRevisionIsNotUsed() {
    it.upstream.then(reply("{'id':1,'result':{'protocolVersion':'2024-11-05'}}"));
    assertThat(call(install(""))).isInstanceOf(Failed.class);
    assertThat(methods()).containsExactly("initialize");
  }
}
