package io.actiongovernance.connector;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.connector.AccessTokens.Access;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.Credentials.OAuth2;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Table;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listings that are authorised with OAuth 2.0 (RFC 6749, RFC 7636; issue 4, point 8). */
class AuthorizationsSpec {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ASANA =
      "{'listing_id':'cn-asana','name':'tasks','credentials':"
          + "{'type':'oauth2','client_id':'client 1','client_secret':'client-secret-0001'}}";

  private final ConnectorFixture it = new ConnectorFixture();

  private static Map<String, String> query(URI url) {
    return Arrays.stream(url.getRawQuery().split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(
            Collectors.toMap(
                pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
  }

  private String state(Connector connector) {
    return String.valueOf(query(url(connector)).get("state"));
  }

  private URI url(Connector connector) {
    return it.opened(connector);
  }

  private Outcome<Connector> authorize(Connector connector) {
    return it.complete(state(connector), "code-1", null);
  }

  private OAuth2 credentials(Connector connector) {
    return (OAuth2)
        Credentials.open(
                it.again(connector).credentials(), it.sealer, connector.partition(), connector.id())
            .orElseThrow();
  }

  @Test
  void anOauthConnectorIsInstalledUntestedAndWaitsForAuthorization() {
    it.finding = new Finding.CredentialsRejected("it was asked");
    Connector connector = it.installed(ASANA);
    assertThat(connector.status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(connector.credentials().type()).isEqualTo("oauth2");
    assertThat(connector.credentials().hint()).isEqualTo("…0001");
    assertThat(it.probes).isZero();
    assertThat(refusal(it.installations.test(it.caller(null), connector.id(), null, it.ids.next())))
        .isEqualTo(new Refusal.Conflict("The connector is waiting to be authorised."));
    assertThat(it.tokens.of(connector, MINUTE)).isInstanceOf(Access.Denied.class);
  }

  @Test
  void aConnectorWithoutCredentialsWaitsForThem() throws Exception {
    Connector connector = it.installed("{'listing_id':'cn-asana','name':'tasks'}");
    assertThat(connector.status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(it.authorizations.begin(it.caller(null), connector)).isEmpty();
    assertThat(it.tokens.of(connector, MINUTE)).isInstanceOf(Access.Denied.class);
    Connector patched =
        done(patch(connector, "{'credentials':{'type':'oauth2','client_id':'public-client'}}"));
    assertThat(patched.status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(patched.credentials().hint()).isEqualTo("…ient");
    assertThat(patched.statusReason()).isNull();
    assertThat(authorize(it.again(connector))).isInstanceOf(Done.class);
  }

  private Outcome<Connector> patch(Connector connector, String change) {
    return it.installations.patch(
        it.caller(null), connector.id(), ConnectorFixture.change(change), it.ids.next());
  }

  @Test
  void theUrlAsksForACodeWithThePkceChallenge() throws Exception {
    Connector connector = it.installed(ASANA);
    URI url = url(connector);
    assertThat(url.toString()).startsWith("https://app.asana.com/-/oauth_authorize?");
    Map<String, String> query = query(url);
    assertThat(query)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "client 1")
        .containsEntry("redirect_uri", "https://api.example/v1/oauth/callback")
        .containsEntry(
            "scope", "tasks:read tasks:write tasks:delete stories:write stories:delete users:read")
        .containsEntry("code_challenge_method", "S256");

    it.complete(String.valueOf(query.get("state")), "code-1", null);

    Map<String, String> grant = it.grants.getFirst();
    assertThat(grant)
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("code", "code-1")
        .containsEntry("redirect_uri", "https://api.example/v1/oauth/callback");
    String verifier = String.valueOf(grant.get("code_verifier"));
    assertThat(verifier).matches("[A-Za-z0-9_-]{43}");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
    assertThat(query.get("code_challenge"))
        .isEqualTo(Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    // Only who made the state can read the verifier that is in it.
    assertThat(new String(decoded(query.get("state")), StandardCharsets.ISO_8859_1))
        .doesNotContain(verifier);
  }

  private static byte[] decoded(@Nullable String base64) {
    return Base64.getUrlDecoder().decode(String.valueOf(base64));
  }

  @Test
  void aGrantMakesTheConnectorConnected() {
    Connector connector = it.installed(ASANA);
    assertThat(authorize(connector)).isInstanceOf(Done.class);
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.again(connector).credentials().hint()).isEqualTo("…0001");
    assertThat(it.tokens.of(it.again(connector), MINUTE))
        .isEqualTo(new Access.Granted(credentials(connector)));
    assertThat(credentials(connector).tokens())
        .isEqualTo(
            new Credentials.Tokens(
                "access-1", "refresh-1", it.time.instant().plus(Duration.ofMinutes(59))));
    for (String secret : credentials(connector).secrets()) {
      assertThat(it.everything().toString()).doesNotContain(secret);
    }
  }

  @Test
  void aFailingSourceSystemMakesTheConnectorDegraded() {
    it.finding = new Finding.UpstreamFailed("down");
    Connector connector = it.installed(ASANA);
    assertThat(authorize(connector)).isInstanceOf(Done.class);
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.DEGRADED);
    assertThat(it.again(connector).statusReason()).isEqualTo("down");
  }

  @Test
  void aStateIsSingleUse() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    assertThat(it.complete(state, "code-1", null)).isInstanceOf(Done.class);
    assertThat(refusal(it.complete(state, "code-2", null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(it.grants).hasSize(1);
  }

  @Test
  void aStateIsBoundToTheBrowserThatOpenedTheAddress() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    String own = it.shown;
    for (String other : new String[] {null, "x".repeat(43)}) {
      it.shown = other;
      assertThat(refusal(it.complete(state, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    }
    assertThat(it.grants).isEmpty();
    it.shown = own;
    assertThat(it.complete(state, "code-1", null)).isInstanceOf(Done.class);
  }

  /** A program that looks at links, or another browser, does not use it up. */
  @Test
  void anAuthorizationAddressCanBeOpenedRepeatedlyAndIsNoState() {
    Connector connector = it.installed(ASANA);
    URI address = it.authorizations.begin(it.caller(null), connector).orElseThrow();
    assertThat(address.toString()).startsWith("https://api.example/v1/oauth/authorize?state=");
    String sealed = ConnectorFixture.inAddress(address);
    assertThat(refusal(it.complete(sealed, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    Authorizations.Opened elsewhere = done(it.authorizations.open(sealed, null));
    Authorizations.Opened here = done(it.authorizations.open(sealed, null));
    assertThat(here.shown()).isNotEqualTo(elsewhere.shown());
    it.shown = here.shown();
    String state = String.valueOf(query(here.url()).get("state"));
    assertThat(refusal(it.authorizations.open(state, null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(it.complete(state, "code-1", null)).isInstanceOf(Done.class);
    it.shown = elsewhere.shown();
    String late = String.valueOf(query(elsewhere.url()).get("state"));
    assertThat(refusal(it.complete(late, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(refusal(it.authorizations.open(sealed, null))).isInstanceOf(Refusal.Invalid.class);
  }

  @ParameterizedTest
  @CsvSource({
    ",                         ,                          true",
    ",                         https://app.asana.com,     true",
    ",                         https://App.Asana.com/-/x, true",
    ",                         https://evil.example,      false",
    ",                         app.asana.com,             false",
    ",                         %,                         false",
    "https://issuer.example/a, https://issuer.example/a,  true",
    "https://issuer.example/a, https://issuer.example/a/, false",
    "https://issuer.example/a, https://app.asana.com,     false",
    "https://issuer.example/a, ,                          false",
  })
  void theIssuerParameterMustMatchTheAuthorizationServer(
      @Nullable String issuer, @Nullable String iss, boolean taken) {
    ObjectNode body = ConnectorFixture.json(ASANA);
    if (issuer != null) {
      body.putObject("config").putObject("oauth2").put("issuer", issuer);
    }
    Connector connector = it.installed(Json.write(body));
    String state = state(connector);
    Outcome<Connector> outcome = it.complete(state, "code-1", null, iss);
    if (taken) {
      assertThat(outcome).isInstanceOf(Done.class);
    } else {
      assertThat(((Refusal.Invalid) refusal(outcome)).path()).isEqualTo("iss");
      assertThat(it.grants).isEmpty();
    }
  }

  @Test
  void onlyACompletedAuthorizationIsReceipted() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    long before = receipts();
    assertThat(refusal(it.complete(state, null, "access_denied")))
        .isInstanceOf(Refusal.AuthFailed.class);
    assertThat(receipts()).as("nothing was changed").isEqualTo(before);
    authorize(connector);
    assertThat(receipts()).isEqualTo(before + 1);
  }

  private long receipts() {
    return it.everything().stream().filter(item -> item.key().table() == Table.RECEIPTS).count();
  }

  /** The URL must not outlive the key. */
  @Test
  void aKeyThatHasEndedAuthorizesNothing() {
    Connector connector = it.installed(ASANA);
    Caller caller = it.caller(null);
    URI address = it.authorizations.begin(caller, connector).orElseThrow();
    Authorizations.Opened opened =
        done(it.authorizations.open(ConnectorFixture.inAddress(address), null));
    it.shown = opened.shown();
    it.endedKeys.add(caller.principal().id());
    String state = String.valueOf(query(opened.url()).get("state"));
    assertThat(refusal(it.complete(state, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(it.grants).isEmpty();
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
  }

  @Test
  void onlyTheLatestStateOfAConnectorIsValid() {
    Connector connector = it.installed(ASANA);
    String first = state(connector);
    String second = state(connector);
    assertThat(refusal(it.complete(first, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(it.complete(second, "code-1", null)).isInstanceOf(Done.class);
  }

  @Test
  void aStateExpires() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    it.time.pass(AuthorizationStates.LONGEST);
    assertThat(refusal(it.complete(state, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    assertThat(it.grants).isEmpty();
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(authorize(connector)).isInstanceOf(Done.class);
  }

  @Test
  void aForgedOrTamperedStateIsRefused() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    byte[] bytes = decoded(state);
    bytes[bytes.length / 2] ^= 1;
    for (String forged :
        new String[] {
          "",
          "state",
          sealedElsewhere(state),
          Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
        }) {
      assertThat(refusal(it.complete(forged, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
    }
    assertThat(it.grants).isEmpty();
    assertThat(it.complete(state, "code-1", null)).isInstanceOf(Done.class);
  }

  /** The same state as another installation of the service would make it. */
  private String sealedElsewhere(String state) {
    byte[] masterKey = new byte[32];
    masterKey[0] = 1;
    byte[] said = it.sealer.open(Purpose.AUTHORIZATION, "state", state).orElseThrow();
    return new Sealer(List.of(masterKey), new SecureRandom())
        .seal(Purpose.AUTHORIZATION, "state", said);
  }

  @Test
  void aRefusedAuthorizationIsReportedAndKeepsTheStatus() {
    Connector connector = it.installed(ASANA);
    assertThat(refusal(it.complete(state(connector), null, "access_denied")))
        .isEqualTo(
            new Refusal.AuthFailed(
                "The connector is not authorised: the authorisation was refused: access_denied"));
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(it.again(connector).statusReason()).contains("access_denied");
    assertThat(refusal(it.complete(state(connector), null, "<script>")))
        .isEqualTo(
            new Refusal.AuthFailed(
                "The connector is not authorised: the authorisation was refused: no code was given"));
  }

  @Test
  void aRejectedCodeOrAFailingServerChangesNothing() {
    Connector connector = it.installed(ASANA);
    it.granting = grant -> new TokenEndpoint.Answer.Rejected("invalid_grant");
    assertThat(refusal(authorize(connector)))
        .isEqualTo(new Refusal.AuthFailed("The connector is not authorised: invalid_grant"));
    it.granting = grant -> new TokenEndpoint.Answer.Failed("down");
    assertThat(refusal(authorize(connector)))
        .isEqualTo(new Refusal.UpstreamFailed("The connector is not authorised: down"));
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.PENDING_AUTH);
    assertThat(it.again(connector).statusReason()).isEqualTo("down");
    assertThat(credentials(connector).tokens()).isNull();
  }

  @Test
  void aTokenThatTheSourceSystemRejectsIsNotKept() {
    Connector connector = it.installed(ASANA);
    it.finding = new Finding.CredentialsRejected("403");
    assertThat(refusal(authorize(connector)))
        .isEqualTo(new Refusal.AuthFailed("The connector is not authorised: 403"));
    assertThat(credentials(connector).tokens()).isNull();
  }

  @Test
  void newCredentialsEndAnAuthorizationUnderWay() {
    Connector connector = it.installed(ASANA);
    String state = state(connector);
    patch(connector, "{'credentials':{'type':'oauth2','client_id':'another'}}");
    assertThat(refusal(it.complete(state, "code-1", null))).isInstanceOf(Refusal.Invalid.class);
  }

  @Test
  void aConnectorChangedDuringTheExchangeKeepsItsOwnersChange() {
    Connector connector = it.installed(ASANA);
    it.granting =
        grant -> {
          patch(connector, "{'credentials':{'type':'oauth2','client_id':'another'}}");
          return new TokenEndpoint.Answer.Granted("access-1", null, null);
        };
    assertThat(refusal(authorize(connector))).isInstanceOf(Refusal.Conflict.class);
    assertThat(credentials(connector)).isEqualTo(new OAuth2("another", null, null));
  }

  @Test
  void aConnectorInErrorCanBeAuthorizedAgain() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.health.rejected(it.again(connector), "revoked");
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.ERROR);
    assertThat(it.authorizations.begin(it.caller(null), connector.id())).isInstanceOf(Done.class);
    String state = state(it.again(connector));
    // Until then it stays what it is.
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.ERROR);
    it.complete(state, "code-2", null);
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.again(connector).statusReason()).isNull();
  }

  @Test
  void onlyACallerWhoSeesAnOauthConnectorCanAuthorizeIt() {
    Connector connector = it.installed(ASANA);
    Partition other = new Partition(TenantId.next(it.ids), Mode.LIVE);
    assertThat(refusal(it.authorizations.begin(it.caller(other, null), connector.id())))
        .isEqualTo(new Refusal.NotFound("connector"));
    assertThat(refusal(it.authorizations.begin(it.caller("ws-1"), connector.id())))
        .isEqualTo(new Refusal.NotFound("connector"));
    Connector box = it.installed("{'listing_id':'cn-sandbox','name':'box'}");
    assertThat(refusal(it.authorizations.begin(it.caller(null), box.id())))
        .isEqualTo(
            new Refusal.Conflict(
                "The connector's credentials are of type none, which needs no authorisation."));
  }

  @Test
  void configNamesTheAuthorizationServerOfACustomService() {
    String install =
        ConnectorFixture.http("own", "https://own.example", ConnectorFixture.PAY, "%s")
            .replace("'tools':", "%s'tools':");
    String credentials = ",'credentials':{'type':'oauth2','client_id':'c'}";
    assertThatThrownBy(() -> it.install(install.formatted("", credentials)))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("config.oauth2"));
    Connector connector =
        it.installed(
            install.formatted(
                "'oauth2':{'authorization_url':'https://own.example/auth?prompt=consent',"
                    + "'token_url':'https://own.example/token'},",
                credentials));
    URI url = url(connector);
    assertThat(url.toString())
        .startsWith("https://own.example/auth?prompt=consent&response_type=code&");
    assertThat(query(url)).doesNotContainKey("scope");
    // The secret goes to the place it was given for, and nowhere else.
    String elsewhere =
        "{'config':{'base_url':'https://own.example','oauth2':{'authorization_url':"
            + "'https://own.example/auth','token_url':'https://thief.example/token'},'tools':["
            + ConnectorFixture.PAY
            + "]}}";
    assertThatThrownBy(() -> patch(connector, elsewhere))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("credentials"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'token_url':'https://inner.example/token' | token_url",
        "'token_url':'https://u:p@own.example/token' | token_url",
        "'token_url':'/token' | token_url",
        "'authorization_url':'javascript:alert(1)' | authorization_url",
        "'authorization_url':'https://own.example/auth#x' | authorization_url",
        "'authorization_url':'https://own.example/auth?a=1&state=2' | authorization_url",
        "'scopes':['a b'] | scopes",
        "'scopes':[7] | scopes[0]",
        "'token_endpoint_auth':'none' | token_endpoint_auth",
        "'tokenurl':'x' | tokenurl",
      })
  void aBadAuthorizationServerFieldIsNamed(String member, String param) {
    ObjectNode body =
        ConnectorFixture.json(
            ConnectorFixture.http("own", "https://own.example", ConnectorFixture.PAY, ""));
    ((ObjectNode) body.path("config"))
        .putObject("oauth2")
        .put("authorization_url", "https://own.example/auth")
        .put("token_url", "https://own.example/token")
        .setAll(ConnectorFixture.json("{" + member + "}"));
    assertThatThrownBy(() -> it.install(Json.write(body)))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("config.oauth2." + param));
  }

  @Test
  void anAccessTokenIsRenewedBeforeItExpires() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.granting =
        grant -> new TokenEndpoint.Answer.Granted("access-2", "refresh-2", Duration.ofHours(1));
    it.time.pass(Duration.ofMinutes(58));
    assertThat(access(connector)).isEqualTo("access-1");
    it.time.pass(MINUTE);
    assertThat(access(connector)).isEqualTo("access-2");
    assertThat(it.grants.getLast())
        .isEqualTo(Map.of("grant_type", "refresh_token", "refresh_token", "refresh-1"));
    assertThat(access(connector)).isEqualTo("access-2");
    assertThat(it.grants).hasSize(2);
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.CONNECTED);
  }

  @Test
  void aTokenOfAShortLifeIsUsedForHalfOfIt() {
    Connector connector = it.installed(ASANA);
    it.granting =
        grant -> new TokenEndpoint.Answer.Granted("access-1", "r", Duration.ofSeconds(10));
    authorize(connector);
    it.granting = grant -> new TokenEndpoint.Answer.Granted("access-2", "r", null);
    it.time.pass(Duration.ofMillis(4_999));
    assertThat(access(connector)).isEqualTo("access-1");
    it.time.pass(Duration.ofMillis(1));
    assertThat(access(connector)).isEqualTo("access-2");
  }

  private String access(Connector connector) {
    return access(it.tokens.of(it.again(connector), MINUTE));
  }

  private static String access(Access access) {
    OAuth2 client = (OAuth2) ((Access.Granted) access).credentials();
    return Optional.ofNullable(client.tokens()).orElseThrow().accessToken();
  }

  @Test
  void aRefreshTokenThatIsNotReplacedIsKept() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.granting = grant -> new TokenEndpoint.Answer.Granted("access-2", null, null);
    it.time.pass(Duration.ofHours(2));
    assertThat(access(connector)).isEqualTo("access-2");
    assertThat(credentials(connector).tokens())
        .isEqualTo(new Credentials.Tokens("access-2", "refresh-1", null));
  }

  @Test
  void aCallWaitsForARenewalAlreadyUnderWay() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.time.pass(Duration.ofHours(2));
    Connector stale = it.again(connector);
    it.granting =
        grant -> {
          // Asked while the first exchange is under way: it waits its time out, and asks nobody.
          assertThat(it.tokens.of(stale, Duration.ofSeconds(2)))
              .isInstanceOf(Access.Unavailable.class);
          return new TokenEndpoint.Answer.Granted("access-2", "refresh-2", Duration.ofHours(1));
        };
    assertThat(access(it.tokens.of(stale, MINUTE))).isEqualTo("access-2");
    // One that still has the connector as it was is given what the other got.
    assertThat(access(it.tokens.of(stale, MINUTE))).isEqualTo("access-2");
    assertThat(it.grants).hasSize(2);
  }

  @Test
  void aRenewalThatDiedDelaysOthersOnlyForItsLease() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.time.pass(Duration.ofHours(2));
    it.granting =
        grant -> {
          throw new IllegalStateException("the process ends here");
        };
    assertThatThrownBy(() -> access(connector)).hasMessage("the process ends here");
    it.granting = grant -> new TokenEndpoint.Answer.Granted("access-2", null, null);
    assertThat(access(connector)).isEqualTo("access-2");
  }

  @Test
  void aRejectedRefreshDiffersFromAnUnreachableServer() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.time.pass(Duration.ofHours(2));
    it.granting = grant -> new TokenEndpoint.Answer.Failed("down");
    assertThat(it.tokens.of(it.again(connector), MINUTE)).isEqualTo(new Access.Unavailable("down"));
    it.granting = grant -> new TokenEndpoint.Answer.Rejected("invalid_grant");
    assertThat(it.tokens.of(it.again(connector), MINUTE))
        .isEqualTo(new Access.Rejected("invalid_grant"));
  }

  @Test
  void credentialsChangedDuringARefreshAreNotOverwritten() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    it.time.pass(Duration.ofHours(2));
    it.granting =
        grant -> {
          patch(connector, "{'credentials':{'type':'oauth2','client_id':'another'}}");
          return new TokenEndpoint.Answer.Granted("access-2", "refresh-2", null);
        };
    assertThat(it.tokens.of(it.again(connector), MINUTE)).isInstanceOf(Access.Denied.class);
    assertThat(credentials(connector)).isEqualTo(new OAuth2("another", null, null));
  }

  @Test
  void aRejectedAccessTokenIsRenewedOnceForAllCallsThatHadIt() {
    Connector connector = it.installed(ASANA);
    authorize(connector);
    OAuth2 used = credentials(connector);
    it.granting = grant -> new TokenEndpoint.Answer.Granted("access-2", "refresh-2", null);
    for (int call = 0; call < 2; call++) {
      assertThat(access(it.tokens.after(it.again(connector), used, MINUTE))).isEqualTo("access-2");
    }
    assertThat(it.grants).hasSize(2);
    assertThat(AccessTokens.renewable(used)).isTrue();
    assertThat(AccessTokens.renewable(new Credentials.Bearer("x"))).isFalse();
  }
}
