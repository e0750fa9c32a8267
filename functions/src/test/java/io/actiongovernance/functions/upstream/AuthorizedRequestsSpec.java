package io.actiongovernance.functions.upstream;

import static io.actiongovernance.functions.upstream.Upstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.AuthorizationServer;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.TokenEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests with access tokens, and requests for them (RFC 6749, sections 2.3.1, 5 and 6). */
class AuthorizedRequestsSpec {
  private static final Map<String, String> GRANT =
      Map.of("grant_type", "refresh_token", "refresh_token", "refresh token+1");
  private static final String TOKENS =
      "{\"access_token\":\"access-2\",\"token_type\":\"Bearer\",\"expires_in\":3600,"
          + "\"refresh_token\":\"refresh-2\"}";
  private static final String TOOL =
      """
      {'name':'desk.note.add','capability':'desk','tier':2,'input_schema':{'type':'object'},
       'request':{'method':'POST','path':'/notes'},'reference':'/id'}""";

  private final HttpFixture it = new HttpFixture();

  @AfterEach
  void close() {
    it.close();
  }

  private TokenEndpoint.Answer ask(
      HttpFixture from, @Nullable String secret, AuthorizationServer.ClientAuth auth) {
    AuthorizationServer server =
        new AuthorizationServer(
            from.upstream.uri("/authorize"), from.upstream.uri("/token"), List.of(), auth, null);
    Credentials.OAuth2 client = new Credentials.OAuth2("client:1", secret, null);
    return from.tokenEndpoint.ask(server, client, GRANT, Duration.ofSeconds(5));
  }

  private TokenEndpoint.Answer ask() {
    return ask(it, "s3cret/0001", AuthorizationServer.ClientAuth.CLIENT_SECRET_BASIC);
  }

  @Test
  void aClientShowsItsSecretAsItsAuthorizationServerWants() {
    it.upstream.then(answer(200, TOKENS));
    assertThat(ask())
        .isEqualTo(new TokenEndpoint.Answer.Granted("access-2", "refresh-2", Duration.ofHours(1)));
    Upstream.Seen seen = it.upstream.seen.getLast();
    assertThat(seen.method() + " " + seen.path()).isEqualTo("POST /token");
    // Both are form-encoded before they are joined.
    assertThat(seen.header("Authorization")).isEqualTo("Basic Y2xpZW50JTNBMTpzM2NyZXQlMkYwMDAx");
    assertThat(seen.header("Content-type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(seen.body()).isEqualTo("grant_type=refresh_token&refresh_token=refresh+token%2B1");

    ask(it, "s3cret/0001", AuthorizationServer.ClientAuth.CLIENT_SECRET_POST);
    seen = it.upstream.seen.getLast();
    assertThat(seen.header("Authorization")).isEmpty();
    assertThat(seen.body())
        .isEqualTo(
            "client_id=client%3A1&client_secret=s3cret%2F0001&grant_type=refresh_token"
                + "&refresh_token=refresh+token%2B1");

    ask(it, null, AuthorizationServer.ClientAuth.CLIENT_SECRET_BASIC);
    seen = it.upstream.seen.getLast();
    assertThat(seen.header("Authorization")).isEmpty();
    assertThat(seen.body()).startsWith("client_id=client%3A1&grant_type");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "400 | {'error':'invalid_grant','error_description':'gone'} | Rejected",
        "401 | {'error':'invalid_client'} | Rejected",
        "403 | no | Rejected",
        "200 | {'error':'bad_verification_code'} | Rejected",
        "200 | {'token_type':'bearer'} | Failed",
        "200 | {'access_token':'a b'} | Failed",
        "200 | {'access_token':'a','token_type':'mac'} | Failed",
        "200 | ok | Failed",
        "429 | {'error':'slow_down'} | Failed",
        "500 | {} | Failed",
        "503 | {} | Failed",
        "404 | {} | Failed",
      })
  void onlyAnOauthErrorIsARejection(int status, String body, String outcome) {
    it.upstream.then(answer(status, body.replace('\'', '"')));
    assertThat(ask().getClass().getSimpleName()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "application/json | \uFEFF{'access_token':'access-2','token_type':'bearer','expires_in':60}",
        "application/x-www-form-urlencoded; charset=utf-8 | access_token=access-2&token_type=bearer&expires_in=60",
        "text/plain | access_token=access%2D2&expires_in=60",
        "application/json | {'access_token':'access-2','expires_in':60.0,'scope':'\\ud83d','scope':''}",
      })
  void aTokenIsReadFromEveryFormOfAnswer(String type, String body) {
    it.upstream.then(answer(200, body.replace('\'', '"'), "Content-Type", type));
    assertThat(ask())
        .isEqualTo(new TokenEndpoint.Answer.Granted("access-2", null, Duration.ofSeconds(60)));
  }

  @Test
  void anErrorIsReadFromAForm() {
    String form = "error=bad_verification_code&error_description=gone%20by";
    it.upstream.then(answer(200, form, "Content-Type", "application/x-www-form-urlencoded"));
    assertThat(ask())
        .isEqualTo(
            new TokenEndpoint.Answer.Rejected(
                "authorization server answered 200: bad_verification_code gone by"));
  }

  @Test
  void aTokenUrlIsAskedAgainAfterItsRetryAfter() {
    Connector connector = expired();
    it.upstream
        .then(answer(429, "", "Retry-After", "7"))
        .then(answer(200, TOKENS))
        .then(answer(200, "{}"));
    assertThat(it.call(connector, () -> true)).isInstanceOf(CallResult.Applied.class);
    assertThat(it.pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void theServersErrorIsReportedWithoutTheSecretsSent() {
    it.upstream.then(
        answer(400, "{\"error\":\"invalid_grant\",\"error_description\":\"no refresh token+1\"}"));
    assertThat(ask())
        .isEqualTo(
            new TokenEndpoint.Answer.Rejected(
                "authorization server answered 400: invalid_grant no [redacted]"));
  }

  @Test
  void aRedirectIsNotFollowedAndTheGuardStandsBeforeTheTokenUrl() {
    it.upstream.then(answer(307, "", "Location", it.upstream.url() + "/elsewhere"));
    assertThat(ask()).isInstanceOf(TokenEndpoint.Answer.Failed.class);
    assertThat(it.upstream.seen).hasSize(1);
    try (HttpFixture guarded = new HttpFixture("10.0.0.0/8")) {
      guarded.upstream.then(answer(200, TOKENS));
      assertThat(ask(guarded, null, AuthorizationServer.ClientAuth.CLIENT_SECRET_BASIC))
          .isInstanceOf(TokenEndpoint.Answer.Failed.class);
      assertThat(guarded.upstream.seen).isEmpty();
    }
  }

  /** One whose access token was granted an hour ago. */
  private Connector expired() {
    Connector connector = authorized();
    it.it.time.pass(Duration.ofHours(1));
    return connector;
  }

  private Connector authorized() {
    String oauth2 =
        "'oauth2':{'authorization_url':'%1$s/authorize','token_url':'%1$s/token'},'test':"
            + "{'method':'GET','path':'/me'},'tools':";
    return it.it.authorized(
        it.install(
            TOOL,
            ",'credentials':{'type':'oauth2','client_id':'c','client_secret':'s3cret-0001'}",
            oauth2));
  }

  private List<String> asked() {
    return it.upstream.seen.stream()
        .map(seen -> seen.method() + " " + seen.path() + " " + seen.header("Authorization"))
        .toList();
  }

  private static final String BASIC = "Basic YzpzM2NyZXQtMDAwMQ==";

  @Test
  void anExpiredTokenIsRenewedBeforeTheCall() {
    Connector connector = expired();
    it.upstream.then(answer(200, TOKENS)).then(answer(200, "{\"id\":\"n_1\"}"));
    assertThat(it.call(connector, () -> true)).isInstanceOf(CallResult.Applied.class);
    assertThat(asked()).containsExactly("POST /token " + BASIC, "POST /notes Bearer access-2");
  }

  @Test
  void haltsAreCheckedAgainAfterARenewal() {
    Connector connector = expired();
    it.upstream.then(answer(200, TOKENS));
    AtomicInteger asked = new AtomicInteger();
    assertThat(it.call(connector, () -> asked.getAndIncrement() == 0))
        .isInstanceOf(CallResult.Paced.class);
    assertThat(asked()).containsExactly("POST /token " + BASIC);
  }

  @Test
  void aFailingTokenUrlIsTriedAgain() {
    Connector connector = expired();
    it.upstream.then(answer(503, "")).then(answer(200, TOKENS)).then(answer(200, "{}"));
    assertThat(it.call(connector, () -> true)).isInstanceOf(CallResult.Applied.class);
  }

  @Test
  void aCallThatGetsNoTokenCertainlyHadNoEffect() {
    Connector connector = expired();
    it.upstream.then(answer(503, ""));
    assertThat(it.call(connector, () -> true)).isInstanceOf(CallResult.Failed.class);
    assertThat(it.it.again(connector).status()).isEqualTo(ConnectorStatus.CONNECTED);
  }

  @Test
  void aRejectedTokenIsRenewedOnceAndARejectedRefreshIsAnError() {
    Connector connector = authorized();
    it.upstream
        .then(answer(401, ""))
        .then(answer(200, TOKENS))
        .then(answer(401, "{\"saw\":\"access-2\"}"));
    assertThat(it.call(connector, () -> true))
        .isEqualTo(new CallResult.Failed("upstream answered 401: {\"saw\":\"[redacted]\"}"));
    assertThat(asked())
        .containsExactly(
            "POST /notes Bearer access-1", "POST /token " + BASIC, "POST /notes Bearer access-2");
    assertThat(it.it.again(connector).status()).isEqualTo(ConnectorStatus.ERROR);
  }

  @Test
  void aConnectorTestRenewsTheToken() {
    Connector connector = expired();
    it.upstream.then(answer(200, TOKENS)).then(answer(200, "{}"));
    assertThat(it.probe.probe(connector)).isInstanceOf(Finding.Passed.class);
    assertThat(asked()).containsExactly("POST /token " + BASIC, "GET /me Bearer access-2");
  }

  @Test
  void aConnectorTestTellsARejectedRefreshFromAServerError() {
    Connector connector = expired();
    it.upstream.then(answer(500, "")).then(answer(400, "{\"error\":\"invalid_grant\"}"));
    assertThat(it.probe.probe(connector)).isInstanceOf(Finding.UpstreamFailed.class);
    assertThat(it.probe.probe(connector)).isInstanceOf(Finding.CredentialsRejected.class);
  }
}
