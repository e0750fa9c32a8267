package io.actiongovernance.functions.upstream;

import static io.actiongovernance.functions.upstream.Upstream.answer;
import static io.actiongovernance.functions.upstream.Upstream.drop;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.CallResult.Applied;
import io.actiongovernance.connector.CallResult.Failed;
import io.actiongovernance.connector.CallResult.Paced;
import io.actiongovernance.connector.CallResult.Refused;
import io.actiongovernance.connector.CallResult.Unknown;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Permit;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls over HTTP: what is sent, what is retried, and what is known afterwards (contract, section
 * 5).
 */
class HttpToolCallerSpec {
  private static final String TOOL =
      """
      {'name':'pay.refund','capability':'pay','tier':%d,'retry_safe':%s,'input_schema':{'type':'object'},
       'request':{'method':'POST','path':'/refunds'},'reference':'/id'}""";
  private static final String BEARER =
      ",'credentials':{'type':'bearer','token':'secret-token-1234567'}";

  private final HttpFixture it = new HttpFixture();

  @AfterEach
  void close() {
    it.close();
  }

  @Test
  void argumentsTravelAsTheManifestSays() {
    it.upstream.then(answer(201, "{'id':'re_1'}".replace('\'', '"')));
    Connector connector =
        it.install(
            """
            {'name':'pay.refund','capability':'pay','tier':2,'input_schema':{'type':'object'},'reference':'/id',
             'request':{'method':'POST','path':'/charges/{{args.charge}}/refunds','query':{'expand':'{{args.expand}}','dry':'{{args.dry}}'},
             'headers':{'X-Api':'v{{args.version}}'},'body':{'amount':'{{args.amount}}','note':'{{args.note}}'},'idempotency_header':'X-Once'}}""",
            BEARER);
    CallResult result =
        it.call(connector, "{'charge':'a/b c','expand':['x','y&z'],'version':2,'amount':12.50}");
    assertThat(result).isEqualTo(new Applied(ConnectorFixture.json("{'id':'re_1'}"), "re_1"));
    Upstream.Seen seen = it.upstream.seen.getLast();
    assertThat(seen.method() + " " + seen.path())
        .isEqualTo("POST /charges/a%2Fb%20c/refunds?expand=x&expand=y%26z");
    assertThat(Json.read(seen.body())).isEqualTo(ConnectorFixture.json("{'amount':12.50}"));
    assertThat(seen.header("X-once")).isEqualTo("key-1");
    assertThat(seen.header("X-api")).isEqualTo("v2");
    assertThat(seen.header("X-correlation-id")).startsWith("co_");
    assertThat(seen.header("Authorization")).isEqualTo("Bearer secret-token-1234567");
  }

  /** An answer, how it is encoded, and the reference that is found in it. */
  private static Stream<Arguments> freelyWritten() {
    String digits = "1234567890".repeat(12);
    String deep = "[".repeat(150) + "]".repeat(150);
    String plain = "{\"id\":\"re_1\"}";
    return Stream.of(
        Arguments.of(utf8("{\"id\":\"re_1\",\"text\":\"cut \\ud83d\"}"), "", "re_1"),
        Arguments.of(utf8("{\"id\":\"re_\\ud83d\"}"), "", "re_\uFFFD"),
        Arguments.of(utf8("{\"id\":\"re_1\",\"a\":1,\"a\":2}"), "", "re_1"),
        Arguments.of(utf8("{\"id\":" + digits + "}"), "", digits),
        Arguments.of(utf8("{\"id\":\"re_1\",\"a\":1e999}"), "", "re_1"),
        Arguments.of(utf8("{\"id\":\"re_1\",\"a\":" + deep + "}"), "", "re_1"),
        Arguments.of(utf8("\uFEFF" + plain), "", "re_1"),
        Arguments.of(("\uFEFF" + plain).getBytes(UTF_16LE), "", "re_1"),
        Arguments.of(plain.getBytes(UTF_16BE), "", "re_1"),
        Arguments.of(plain.getBytes(Charset.forName("UTF-32LE")), "", "re_1"),
        Arguments.of("{\"id\":\"r\u00e9\"}".getBytes(ISO_8859_1), "", "r\u00e9"),
        Arguments.of(zipped(utf8(plain)), "gzip", "re_1"),
        Arguments.of(zipped(zipped(utf8(plain))), "X-GZIP, identity, gzip", "re_1"),
        Arguments.of(deflated(utf8(plain), false), "deflate", "re_1"),
        Arguments.of(deflated(utf8(plain), true), "deflate", "re_1"),
        Arguments.of(utf8(plain), "gzip", "re_1"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] zipped(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  private static byte[] deflated(byte[] bytes, boolean raw) {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(deflated, new Deflater(Deflater.BEST_SPEED, raw))) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return deflated.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("freelyWritten")
  void anAnswerIsReadInEverySpelling(byte[] body, String coding, String reference) {
    String type = "application/json; charset=ISO-8859-1";
    it.upstream.then(answer(200, body, "Content-Type", type, "Content-Encoding", coding));
    Connector connector =
        it.install(
            TOOL.formatted(2, false)
                .replace(
                    "'reference'",
                    "'success':{'path':'/id','equals':'" + reference + "'},'reference'"),
            "");
    Applied applied = (Applied) it.callForAnswer(connector);
    assertThat(applied.reference()).isEqualTo(reference);
    assertThat(Json.read(Json.write(applied.result()))).isEqualTo(applied.result());
    assertThat(it.upstream.seen.getLast().header("Accept-encoding")).isEqualTo("identity");
  }

  @Test
  void aKeptAnswerIsStoredByteForByteAfterDecompression() {
    String body = "\uFEFF{ \"id\" : \"re_1\", \"text\":\"cut \\ud83d\" }";
    WholeAnswer answer = whole(answer(200, zipped(utf8(body)), "Content-Encoding", "gzip"));
    assertThat(new String(answer.bytes(), UTF_8)).isEqualTo(body);
  }

  @Test
  void credentialsAreRedactedInEveryEncoding() {
    String echo = "{\"id\":\"re_1\",\"auth\":\"secret-token-1234567\"}";
    String clean = echo.replace("secret-token-1234567", "[redacted]");
    WholeAnswer wide = whole(answer(200, echo.getBytes(UTF_16LE)));
    assertThat(new String(wide.bytes(), UTF_16LE)).isEqualTo(clean);
  }

  @Test
  void credentialsAreRedactedInACompressedAnswer() {
    String echo = "{\"id\":\"re_1\",\"auth\":\"secret-token-1234567\"}";
    WholeAnswer zipped = whole(answer(200, zipped(utf8(echo)), "Content-Encoding", "gzip"));
    assertThat(new String(zipped.bytes(), UTF_8)).doesNotContain("secret").contains("[redacted]");
  }

  /** What decompresses to more than is read is cut, and is never held as a whole. */
  @Test
  void aCompressedAnswerIsReadOnlyToTheBound() {
    byte[] bomb = zipped(new byte[64 << 20]);
    WholeAnswer cut = whole(answer(200, bomb, "Content-Encoding", "gzip"));
    assertThat(cut.bytes()).hasSize(WholeAnswer.LONGEST);
    assertThat(cut.cut()).isTrue();
  }

  private WholeAnswer whole(Upstream.Answering answering) {
    it.upstream.then(answering);
    Connector connector = it.install(TOOL.formatted(0, false), BEARER);
    return Objects.requireNonNull(((Applied) it.callForAnswer(connector)).answer());
  }

  @Test
  void aKeptAnswerHasItsCredentialsRedacted() {
    String echo = "{ \"id\" : \"re_1\", \"auth\" : \"Bearer secret-token-1234567\" }";
    WholeAnswer answer = whole(answer(200, echo, "Content-Type", "application/json; v=2"));
    assertThat(new String(answer.bytes(), UTF_8))
        .isEqualTo("{ \"id\" : \"re_1\", \"auth\" : \"Bearer [redacted]\" }");
    assertThat(answer.contentType()).isEqualTo("application/json; v=2");
    assertThat(answer.cut()).isFalse();
  }

  @Test
  void aKeptAnswerIsReadUpToFourMebibytes() {
    WholeAnswer longest = whole(answer(200, "x".repeat(WholeAnswer.LONGEST)));
    assertThat(longest.bytes()).hasSize(WholeAnswer.LONGEST);
    assertThat(longest.cut()).isFalse();
  }

  @Test
  void aLongerKeptAnswerIsCut() {
    WholeAnswer cut = whole(answer(200, "x".repeat(WholeAnswer.LONGEST + 1)));
    assertThat(cut.bytes()).hasSize(WholeAnswer.LONGEST);
    assertThat(cut.cut()).isTrue();
  }

  /** What is kept changes nothing of how a call is judged. */
  @Test
  void aTooLongAnswerIsNotReadAsJsonEvenIfKept() {
    String body = "{\"id\":\"" + "x".repeat(1 << 20) + "\"}";
    it.upstream.then(answer(200, body));
    Connector connector = it.install(TOOL.formatted(0, false), "");
    assertThat(((Applied) it.callForAnswer(connector)).result()).isEqualTo(NullNode.getInstance());
  }

  @Test
  void anAnswerThatIsNotKeptIsNotHandedOn() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(0, false), "");
    assertThat(((Applied) it.call(connector, "{}")).answer()).isNull();
  }

  @Test
  void aCallWithoutItsPermitMakesNoRequest() {
    Connector connector = it.install(TOOL.formatted(2, false), "");
    assertThat(it.call(connector, () -> false)).isInstanceOf(Paced.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"429,Paced", "502,Unknown"})
  void aRevokedPermitStopsTheRetries(int status, String result) {
    Connector connector = it.install(TOOL.formatted(2, true), "");
    it.upstream.then(answer(status, "{}"));
    CallResult came = it.call(connector, () -> it.upstream.seen.isEmpty());
    assertThat(came.getClass().getSimpleName()).isEqualTo(result);
    assertThat(it.upstream.seen).hasSize(1);
  }

  @Test
  void aPermitRevokedWhileConnectingStopsTheRequest() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    AtomicInteger asked = new AtomicInteger();
    assertThat(it.call(connector, () -> asked.incrementAndGet() == 1)).isInstanceOf(Paced.class);
    assertThat(asked).hasValue(2);
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void aCallBeginsWhenItsFirstByteIsAboutToLeave() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    Beginnings permit = new Beginnings();
    assertThat(it.call(connector, permit)).isInstanceOf(Applied.class);
    assertThat(permit.begun).hasValue(1);
    it.upstream.close();
    Beginnings unreachable = new Beginnings();
    assertThat(it.call(connector, unreachable)).isInstanceOf(Failed.class);
    assertThat(unreachable.begun).hasValue(0);
  }

  @Test
  void aPermitGivenTooLateMakesNoRequest() throws Exception {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch given = new CountDownLatch(1);
    Permit slow =
        () -> {
          if (asked.incrementAndGet() == 2) {
            awaited(over);
            given.countDown();
          }
          return true;
        };
    assertThat(it.call(connector, "{}", it.it.time.instant().plusMillis(300), slow))
        .isInstanceOf(Paced.class);
    over.countDown();
    awaited(given);
    assertThat(it.upstream.seen).isEmpty();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Connector deleting() {
    it.upstream.then(answer(200, "{}"));
    return it.install(
        "{'name':'a.delete','capability':'a','tier':2,'input_schema':{'type':'object'},'request':{'method':'DELETE','path':'/items/{{args.id}}'}}",
        "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        ".",
        "a/../b",
        "../",
        "/..",
        "%2e%2e",
        "%2E",
        "..%2F",
        "..%2fadmin",
        "a%2F..",
        "..%5C",
        "..\\\\",
        ".%2e"
      })
  void anArgumentThatWouldMoveTheRequestToAnotherPathIsRefusedWithoutACall(String value) {
    assertThat(it.call(deleting(), "{'id':'" + value + "'}")).isEqualTo(new Refused("dot_segment"));
    assertThat(it.upstream.seen).isEmpty();
  }

  /** As in a plan that is older than the refusal at its proposal. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST | form | {'payment':{'details':{'amount':'5.00'},'details][amount':'9000.00'}}",
        "POST | form | {'payment':{'details':{'amount':'5.00','':'9000.00'}}}",
        "POST | form | {'payment':{'details':{'amount':'5.00',' amount':'9000.00'}}}",
        "POST | json | {'payment':{'details':{'amount':'5.00','Amount':'9000.00'}}}",
        "POST | json | {'payment':{'details':{'amount':'5.00'}},'PAYMENT':{}}",
        "GET | json | {'payment':{'details':{'amount':'5.00'}},'payment[details][amount]':'9'}",
      })
  void argumentsThatCouldBeReadInTwoWaysAreRefusedWithoutACall(
      String method, String encoding, String args) {
    it.upstream.then(answer(200, "{}"));
    Connector connector =
        it.install(
            "{'name':'a.pay','capability':'a','tier':2,'input_schema':{'type':'object'},'binds':{'value':'/payment/details/amount'},"
                + "'request':{'method':'%s','path':'/pay','encoding':'%s'}}"
                    .formatted(method, encoding),
            "");
    assertThat(it.call(connector, args)).isEqualTo(new Refused("ambiguous_args"));
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void noFieldOfAFormIsSentTwice() {
    it.upstream.then(answer(200, "{}"));
    Connector connector =
        it.install(
            "{'name':'a.pay','capability':'a','tier':2,'input_schema':{'type':'object'},'request':{'method':'POST','path':'/pay',"
                + "'encoding':'form','body':{'details[amount]':'{{args.amount}}','details':'{{args.details}}'}}}",
            "");
    assertThat(it.call(connector, "{'amount':'5','details':{'amount':'9000'}}"))
        .isEqualTo(new Refused("ambiguous_args"));
    assertThat(it.call(connector, "{'amount':'5','details':{'note':'x'}}"))
        .isInstanceOf(Applied.class);
    assertThat(it.upstream.seen.getLast().body())
        .isEqualTo("details%5Bamount%5D=5&details%5Bnote%5D=x");
  }

  @Test
  void argumentNamesOfTheSchemaAreSentUnchanged() {
    it.upstream.then(answer(200, "{}"));
    Connector connector =
        it.install(
            "{'name':'a.find','capability':'a','tier':0,'input_schema':{'type':'object','properties':{'page[size]':{}}},"
                + "'request':{'method':'GET','path':'/x'}}",
            "");
    assertThat(it.call(connector, "{'page[size]':5}")).isInstanceOf(Applied.class);
    assertThat(it.upstream.seen.getLast().path()).isEqualTo("/x?page%5Bsize%5D=5");
  }

  @Test
  void anEmptyArgumentInThePathMakesNoRequest() {
    assertThat(it.call(deleting(), "{'id':''}")).isInstanceOf(Failed.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"..., ...", "a..b, a..b", "%252e, %25252e", "1%2F2, 1%252F2", "a/b, a%2Fb"})
  void aPathArgumentIsPercentEncoded(String value, String sent) {
    it.call(deleting(), "{'id':'" + value + "'}");
    assertThat(it.upstream.seen.getLast().path()).isEqualTo("/items/" + sent + "?id=" + sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_method", "X-HTTP-Method-Override", "_HttpMethod"})
  void anArgumentThatWouldChangeTheMethodMakesNoRequest(String name) {
    it.upstream.then(answer(200, "{}"));
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{'" + name + "':'DELETE'}"))
        .isInstanceOf(Failed.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'headers':{'X-HTTP-Method-Override':'DELETE'} | headers.X-HTTP-Method-Override",
        "'headers':{'x-method-override':'DELETE'} | headers.x-method-override",
        "'idempotency_header':'X-HTTP-Method' | idempotency_header",
        "'query':{'_method':'delete'} | query._method",
        "'encoding':'form','body':{'_method':'delete'} | body._method",
        "'body':{'_HttpMethod':'delete'} | body._HttpMethod",
      },
      quoteCharacter = '`')
  void aManifestThatWouldChangeTheMethodIsRefused(String request, String param) {
    assertThatThrownBy(
            () ->
                it.install(
                    "{'name':'a.put','capability':'a','tier':2,'input_schema':{'type':'object'},'request':{'method':'POST','path':'/items',"
                        + request
                        + "}}",
                    ""))
        .isInstanceOfSatisfying(
            Problem.class,
            refused -> assertThat(refused.refusal().path()).endsWith("request." + param));
  }

  @Test
  void aWorkspaceGetsItsOwnKeyAtTheSourceSystem() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    it.caller.call(
        new ToolCall(
            connector,
            connector.tools().getFirst(),
            ConnectorFixture.json("{}"),
            "key-1",
            "ws_1",
            CorrelationId.next(it.it.ids),
            it.it.time.instant().plusSeconds(25),
            () -> true,
            false,
            null));
    assertThat(it.upstream.seen.getLast().header("Idempotency-key"))
        .isEqualTo(CanonicalJson.sha256("ws_1\nkey-1").substring(0, 32));
  }

  private static final String IN_A_HEADER =
      ",'credentials':{'type':'header','name':'%s','value':'same-for-all'}";

  /** Credentials may change after an approval: they are none of what was approved. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Idempotency-Key",
        "idempotency-key",
        "traceparent",
        "Content-Type",
        "Mcp-Session-Id",
        "X-Correlation-Id"
      })
  void credentialsInAnIdentifyingHeaderAreRefused(String name) {
    assertThatThrownBy(() -> it.install(TOOL.formatted(2, false), IN_A_HEADER.formatted(name)))
        .isInstanceOfSatisfying(
            Problem.class, refused -> assertThat(refused.refusal().path()).endsWith("name"));
  }

  /** A tool may have another header for its keys. */
  @Test
  void noRequestReplacesItsIdempotencyKeyWithCredentials() {
    String tool =
        "{'name':'a.put','capability':'a','tier':2,'input_schema':{'type':'object'},"
            + "'request':{'method':'POST','path':'/items','idempotency_header':'X-Once'}}";
    assertThat(it.call(it.install(tool, IN_A_HEADER.formatted("x-once")), "{}"))
        .isInstanceOf(Failed.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void aGetSendsArgumentsInItsQueryAndAPostInItsBody() {
    it.upstream.then(answer(200, "{}"));
    Connector connector =
        it.install(
            "{'name':'a.read','capability':'a','tier':0,'input_schema':{'type':'object'},'request':{'method':'GET','path':'/items'}}",
            "");
    it.call(connector, "{'q':'ä b','n':1}");
    assertThat(it.upstream.seen.getLast().path()).isEqualTo("/items?q=%C3%A4%20b&n=1");
    assertThat(it.upstream.seen.getLast().body()).isEmpty();
  }

  /** One answer, again and again: what the call comes to, and how often it was made. */
  @ParameterizedTest
  @CsvSource({
    // status, Retry-After, tier, retry_safe: result, whether it is asked again
    "200,,2,false,Applied,false",
    "204,,2,false,Applied,false",
    "400,,2,false,Failed,false",
    "401,,2,false,Failed,false",
    "403,,2,true,Failed,false",
    "404,,2,true,Failed,false",
    "409,,2,true,Failed,false",
    "422,,2,false,Failed,false",
    "429,,2,false,Failed,true",
    "429,1,2,false,Failed,true",
    "423,,2,true,Failed,false",
    "500,,2,false,Unknown,false",
    "500,,2,true,Unknown,true",
    "500,1,2,true,Unknown,true",
    "500,,0,false,Unknown,false",
    "501,,2,false,Unknown,false",
    "502,,2,false,Unknown,false",
    "502,,2,true,Unknown,true",
    "502,,0,true,Unknown,true",
    "503,,2,false,Unknown,false",
    "503,,2,true,Unknown,true",
    "503,1,2,false,Failed,true",
    "504,,2,false,Unknown,false",
    "504,,2,true,Unknown,true",
    "301,,2,false,Unknown,false",
    "302,,2,false,Unknown,false",
    "302,,2,true,Unknown,true",
    "307,,2,false,Failed,false",
    "308,,2,true,Failed,false",
    "408,,2,false,Unknown,false",
    "408,,2,true,Unknown,true",
  })
  void everyAnswerGivesTheOutcomeItImplies(
      int status, String retryAfter, int tier, boolean retrySafe, String result, boolean again) {
    String[] headers =
        retryAfter == null ? new String[0] : new String[] {"Retry-After", retryAfter};
    it.upstream.then(answer(status, status == 204 ? "" : "{\"m\":1}", headers));
    CallResult came = it.call(it.install(TOOL.formatted(tier, retrySafe), ""), "{}");
    assertThat(came.getClass().getSimpleName()).isEqualTo(result);
    assertThat(it.upstream.seen.size() > 1).isEqualTo(again);
    if (came instanceof Failed(String error)) {
      assertThat(error).isEqualTo("upstream answered " + status + ": {\"m\":1}");
    }
    if (came instanceof Unknown(String why, boolean answered)) {
      assertThat(why).isEqualTo("upstream answered " + status + ": {\"m\":1}");
      assertThat(answered).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 408, 409, 500, 503})
  void aStatusListedByTheToolMeansThatNothingHappened(int status) {
    it.upstream.then(answer(status, ""));
    String tool =
        TOOL.formatted(2, true)
            .replace("'reference'", "'did_not_act':[302,408,500,503],'reference'");
    assertThat(it.call(it.install(tool, ""), "{}"))
        .isEqualTo(new Failed("upstream answered " + status));
    assertThat(it.upstream.seen).hasSize(1);
  }

  @Test
  void retriesStayWithinTwentySeconds() {
    it.upstream.then(answer(429, ""));
    it.call(it.install(TOOL.formatted(2, false), ""), "{}");
    assertThat(it.pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  @Test
  void retryAfterIsWaitedForExactly() {
    it.upstream.then(answer(429, "", "Retry-After", "7")).then(answer(200, "{}"));
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}")).isInstanceOf(Applied.class);
    assertThat(it.pauses).containsExactly(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "429 | EEE, dd MMM yyyy HH:mm:ss 'GMT'",
        "429 | EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
        "503 | EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
        "429 | EEE MMM ppd HH:mm:ss yyyy",
        "503 | EEE MMM ppd HH:mm:ss yyyy",
      })
  void aDateToRetryAfterIsWaitedForInEveryForm(int status, String form) {
    Instant then = it.it.time.instant().plusSeconds(7);
    String date =
        DateTimeFormatter.ofPattern(form, Locale.ENGLISH).format(then.atOffset(ZoneOffset.UTC));
    it.upstream.then(answer(status, "", "Retry-After", date)).then(answer(200, "{}"));
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}")).isInstanceOf(Applied.class);
    assertThat(it.pauses).hasSize(1);
    assertThat(it.pauses.getFirst()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(7));
  }

  @Test
  void anInvalidRetryAfterLeavesTheOutcomeUnknown() {
    it.upstream.then(answer(503, "", "Retry-After", "-5"));
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}")).isInstanceOf(Unknown.class);
  }

  @Test
  void aRetryAfterBeyondTheBudgetEndsTheCallAtOnce() {
    it.upstream.then(answer(503, "", "Retry-After", "60"));
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}"))
        .isEqualTo(new Failed("upstream answered 503"));
    assertThat(it.upstream.seen).hasSize(1);
  }

  @Test
  void aLostReplyIsUnknownAndNotAskedAgain() {
    it.upstream.then(drop());
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}"))
        .isEqualTo(new Unknown("upstream reply lost: the connection broke", false));
    assertThat(it.upstream.seen).hasSize(1);
  }

  @Test
  void aRetrySafeToolIsAskedAgainAfterALostReply() {
    it.upstream.then(drop()).then(answer(200, "{\"id\":7}"));
    assertThat(it.call(it.install(TOOL.formatted(2, true), ""), "{}"))
        .isEqualTo(new Applied(ConnectorFixture.json("{'id':7}"), "7"));
    assertThat(it.upstream.seen)
        .extracting(seen -> seen.header("Idempotency-key"))
        .containsExactly("key-1", "key-1");
  }

  @Test
  void oneTryThatMayHaveActedMakesTheOutcomeUnknown() {
    it.upstream.then(drop()).then(answer(500, "")).then(answer(404, ""));
    assertThat(it.call(it.install(TOOL.formatted(2, true), ""), "{}"))
        .isEqualTo(new Unknown("upstream answered 500", false));
    assertThat(it.upstream.seen).hasSize(3);
  }

  @Test
  void anUnknownOutcomeIsAnsweredOnlyIfEveryTryWas() {
    it.upstream.then(answer(429, "")).then(answer(500, "")).then(answer(404, ""));
    assertThat(it.call(it.install(TOOL.formatted(2, true), ""), "{}"))
        .isEqualTo(new Unknown("upstream answered 500", true));
  }

  @Test
  void aFiveHundredOfARetrySafeToolIsAskedAgain() {
    it.upstream.then(answer(500, "")).then(answer(200, "{\"id\":7}"));
    assertThat(it.call(it.install(TOOL.formatted(2, true), ""), "{}")).isInstanceOf(Applied.class);
    assertThat(it.upstream.seen).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"200,Applied", "201,Applied", "404,Failed", "500,Unknown"})
  void aStatusCountsEvenIfItsBodyBreaksOff(int status, String result) {
    it.upstream.then(
        exchange -> {
          exchange.sendResponseHeaders(status, 1000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
        });
    CallResult came = it.call(it.install(TOOL.formatted(2, false), ""), "{}");
    assertThat(came.getClass().getSimpleName()).isEqualTo(result);
    if (came instanceof Unknown(String _, boolean answered)) {
      assertThat(answered).isFalse();
    }
  }

  @Test
  void aCallIsPostponedIfItsCredentialsCannotBeOpened() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), BEARER);
    AuthorizedRequests without =
        new AuthorizedRequests(
            new AccessTokens(
                it.it.store,
                it.it.connectors,
                new Sealer(
                    List.of("another key of thirty-two bytes.".getBytes(UTF_8)),
                    new SecureRandom()),
                it.tokenEndpoint,
                it.it.time,
                it.it.time),
            it.it.time);
    HttpToolCaller caller = new HttpToolCaller(it.client, without, it.retries, it.it.time);
    CallResult came =
        caller.call(
            new ToolCall(
                connector,
                connector.tools().getFirst(),
                ConnectorFixture.json("{}"),
                "key-1",
                CorrelationId.next(it.it.ids),
                it.it.time.instant().plusSeconds(25)));
    assertThat(came).isEqualTo(new Paced(it.it.time.instant().plusSeconds(3)));
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void aRefusedConnectionIsTriedAgainAndThenCertainlyNotApplied() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    it.upstream.close();
    assertThat(it.call(connector, "{}"))
        .isEqualTo(new Failed("upstream unreachable: it refused the connection"));
    assertThat(it.pauses).hasSizeGreaterThan(3);
  }

  @Test
  void aSlowAnswerIsCutOffAtTheDeadline() {
    it.upstream.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          // A byte now and then: each read is quick, the whole never ends.
          for (int at = 0; at < 100; at++) {
            exchange.getResponseBody().write('1');
            exchange.getResponseBody().flush();
            java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
          }
        });
    Connector connector = it.install(TOOL.formatted(2, false), "");
    long began = System.nanoTime();
    assertThat(it.call(connector, "{}", it.it.time.instant().plusMillis(500)))
        .isInstanceOf(Applied.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aCallPastItsDeadlineIsNotMade() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    assertThat(it.call(connector, "{}", it.it.time.instant())).isInstanceOf(Paced.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void anEndlessAnswerIsNotReadToItsEnd() {
    it.upstream.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] much = new byte[1 << 16];
          while (true) {
            exchange.getResponseBody().write(much);
          }
        });
    assertThat(it.call(it.install(TOOL.formatted(0, false), ""), "{}"))
        .isEqualTo(new Applied(NullNode.getInstance(), null));
  }

  @Test
  void aForbiddenAddressIsNeverConnectedTo() {
    try (HttpFixture closed = new HttpFixture("10.0.0.0/8")) {
      closed.upstream.then(answer(200, "{}"));
      Connector connector = closed.install(TOOL.formatted(2, false), "");
      assertThat(closed.call(connector, "{}"))
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.error()).contains("may not be reached"));
      assertThat(closed.upstream.seen).isEmpty();
      assertThat(closed.probe.probe(connector)).isInstanceOf(Finding.UpstreamFailed.class);
    }
  }

  @Test
  void aRedirectIsNotFollowed() {
    it.upstream.then(answer(307, "", "Location", it.upstream.url() + "/elsewhere"));
    it.call(it.install(TOOL.formatted(2, false), BEARER), "{}");
    assertThat(it.upstream.seen).hasSize(1);
  }

  @Test
  void noErrorAndNoResultHoldsTheSecret() {
    String echo = "{\"you_sent\":\"Bearer secret-token-1234567\",\"id\":\"secret-token-1234567\"}";
    it.upstream.then(answer(500, echo)).then(answer(200, echo));
    Connector connector = it.install(TOOL.formatted(2, false), BEARER);
    CallResult failed = it.call(connector, "{}");
    CallResult applied = it.call(connector, "{}");
    assertThat(failed).isInstanceOf(Unknown.class);
    assertThat(applied).isInstanceOf(Applied.class);
    assertThat(failed.toString() + applied).doesNotContain("secret-token").contains("[redacted]");
    assertThat(it.it.everything().toString()).doesNotContain("secret-token");
  }

  @Test
  void callsArePacedPerConnector() {
    it.upstream.then(answer(200, "{}"));
    Connector slow =
        it.it.installed(
            "{'listing_id':'cn-http','name':'slow','config':{'base_url':'%s','requests_per_minute':30,'tools':[%s]}}"
                .formatted(it.upstream.url(), TOOL.formatted(2, false)));
    assertThat(it.call(slow, "{}")).isInstanceOf(Applied.class);
    assertThat(it.call(slow, "{}")).isInstanceOf(Applied.class);
    assertThat(it.pauses).containsExactly(Duration.ofSeconds(2));
    assertThat(it.call(slow, "{}", it.it.time.instant().plusSeconds(1)))
        .isEqualTo(new Paced(it.it.time.instant().plusSeconds(2)));
    assertThat(it.upstream.seen).hasSize(2);
  }

  @Test
  void aSlackErrorWithASuccessStatusIsAFailure() {
    Connector slack =
        it.it.installed(
            "{'listing_id':'cn-slack','name':'slack','config':{'base_url':'%s'}}"
                .formatted(it.upstream.url()));
    it.upstream
        .then(answer(200, "{\"ok\":true,\"channel\":\"C1\",\"ts\":\"1.2\"}"))
        .then(answer(200, "{\"ok\":false,\"error\":\"channel_not_found\"}"))
        .then(answer(200, "<html>"))
        .then(answer(200, "{\"ok\":false,\"error\":\"invalid_auth\"}"));
    assertThat(it.call(slack, "{'channel':'C1','text':'hi'}"))
        .isInstanceOfSatisfying(
            Applied.class, applied -> assertThat(applied.reference()).isEqualTo("1.2"));
    assertThat(it.call(slack, "{'channel':'C1','text':'hi'}"))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.error()).contains("channel_not_found"));
    assertThat(it.it.again(slack).status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.call(slack, "{'channel':'C1','text':'hi'}")).isInstanceOf(Unknown.class);
    assertThat(it.call(slack, "{'channel':'C1','text':'hi'}")).isInstanceOf(Failed.class);
    assertThat(it.it.again(slack).status()).isEqualTo(ConnectorStatus.ERROR);
    assertThat(it.probe.probe(slack)).isInstanceOf(Finding.CredentialsRejected.class);
  }

  @ParameterizedTest
  @CsvSource({
    "200,Passed",
    "404,Passed",
    "429,Passed",
    "401,CredentialsRejected",
    "403,CredentialsRejected",
    "500,UpstreamFailed",
    "503,UpstreamFailed"
  })
  void theTestRequestsStatusGivesTheFinding(int status, String finding) {
    it.upstream.then(answer(status, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), BEARER);
    assertThat(it.probe.probe(connector).getClass().getSimpleName()).isEqualTo(finding);
    assertThat(it.upstream.seen.getLast().path()).isEqualTo("/");
    assertThat(it.upstream.seen.getLast().header("Authorization")).startsWith("Bearer ");
  }

  @Test
  void threeFailedCallsDegradeTheConnector() {
    it.upstream.then(answer(500, ""));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    for (int at = 0; at < 3; at++) {
      it.call(connector, "{}");
    }
    assertThat(it.it.again(connector).status()).isEqualTo(ConnectorStatus.DEGRADED);
  }
}
