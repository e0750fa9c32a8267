package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.connector.Upstream.answer;
import static io.actiongovernance.functions.connector.Upstream.drop;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.CallResult.Applied;
import io.actiongovernance.connector.CallResult.Failed;
import io.actiongovernance.connector.CallResult.Paced;
import io.actiongovernance.connector.CallResult.Unknown;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        it.call(connector, "{'charge':'a/../b c','expand':['x','y&z'],'version':2,'amount':12.50}");
    assertThat(result).isEqualTo(new Applied(ConnectorFixture.json("{'id':'re_1'}"), "re_1"));
    Upstream.Seen seen = it.upstream.seen.getLast();
    assertThat(seen.method() + " " + seen.path())
        .isEqualTo("POST /charges/a%2F..%2Fb%20c/refunds?expand=x&expand=y%26z");
    assertThat(Json.read(seen.body())).isEqualTo(ConnectorFixture.json("{'amount':12.50}"));
    assertThat(seen.header("X-once")).isEqualTo("key-1");
    assertThat(seen.header("X-api")).isEqualTo("v2");
    assertThat(seen.header("X-correlation-id")).startsWith("co_");
    assertThat(seen.header("Authorization")).isEqualTo("Bearer secret-token-1234567");
  }

  @Test
  void aCallWithoutItsPermitMakesNoRequest() {
    Connector connector = it.install(TOOL.formatted(2, false), "");
    assertThat(it.call(connector, () -> false)).isInstanceOf(Paced.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"429,Paced", "502,Failed"})
  void aPermitThatEndsStopsTheRetries(int status, String result) {
    Connector connector = it.install(TOOL.formatted(2, true), "");
    it.upstream.then(answer(status, "{}"));
    assertThat(it.call(connector, once()).getClass().getSimpleName()).isEqualTo(result);
    assertThat(it.upstream.seen).hasSize(1);
  }

  private static BooleanSupplier once() {
    AtomicBoolean asked = new AtomicBoolean();
    return () -> !asked.getAndSet(true);
  }

  @ParameterizedTest
  @CsvSource({"..", ".", "''"})
  void anArgumentCannotMoveTheRequestToAnotherPath(String value) {
    it.upstream.then(answer(200, "{}"));
    Connector connector =
        it.install(
            "{'name':'a.delete','capability':'a','tier':2,'input_schema':{'type':'object'},'request':{'method':'DELETE','path':'/items/{{args.id}}'}}",
            "");
    assertThat(it.call(connector, "{'id':'" + value + "'}")).isInstanceOf(Failed.class);
    assertThat(it.upstream.seen).isEmpty();
  }

  @Test
  void argumentsOfAGetAreItsQueryAndOfAPostItsBody() {
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
    "500,,2,false,Failed,false",
    "500,,2,true,Failed,false",
    "500,,0,false,Failed,false",
    "501,,2,false,Failed,false",
    "502,,2,false,Unknown,false",
    "502,,2,true,Failed,true",
    "502,,0,true,Failed,true",
    "503,,2,false,Unknown,false",
    "503,,2,true,Failed,true",
    "503,1,2,false,Failed,true",
    "504,,2,false,Unknown,false",
    "504,,2,true,Failed,true",
    "302,,2,false,Unknown,false",
    "307,,2,false,Failed,false",
    "408,,2,false,Unknown,false",
  })
  void anAnswerIsJudgedByWhatItSaysOfTheEffect(
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
    assertThat(it.call(it.install(TOOL.formatted(2, false), ""), "{}")).isInstanceOf(Unknown.class);
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
  void theLastWordOfARetrySafeToolCounts() {
    it.upstream.then(drop()).then(answer(404, ""));
    assertThat(it.call(it.install(TOOL.formatted(2, true), ""), "{}"))
        .isEqualTo(new Failed("upstream answered 404"));
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
        .isInstanceOf(Unknown.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aCallWhoseTimeIsUpIsNotMade() {
    it.upstream.then(answer(200, "{}"));
    Connector connector = it.install(TOOL.formatted(2, false), "");
    assertThat(it.call(connector, "{}", it.it.time.instant())).isInstanceOf(Failed.class);
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
    assertThat(it.call(it.install(TOOL.formatted(0, false), ""), "{}")).isInstanceOf(Failed.class);
  }

  @Test
  void anAddressThatIsNotAllowedIsNeverConnectedTo() {
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
    assertThat(failed).isInstanceOf(Failed.class);
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
  void slackSaysNoWithAStatusOfSuccess() {
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
  void theTestRequestDecides(int status, String finding) {
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
