package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.PAY;
import static io.actiongovernance.connector.ConnectorFixture.change;
import static io.actiongovernance.connector.ConnectorFixture.http;
import static io.actiongovernance.connector.ConnectorFixture.wanted;
import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.PageRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Installing, changing, testing and uninstalling connectors: contract, section 5. */
class InstallationsSpec {
  private static final String SANDBOX = "{'listing_id':'cn-sandbox','name':'%s'}";
  private static final String BEARER =
      ",'credentials':{'type':'bearer','token':'secret-token-1234567'}";
  private static final String URL = "https://api.acme.example";

  private final ConnectorFixture it = new ConnectorFixture();

  @Test
  void anInstallWithoutCredentialsIsConnectedAndMakesNoRequest() {
    Connector connector = it.installed(http("acme", URL, PAY, ""));
    assertThat(connector.status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.probes).isZero();
    assertThat(it.again(connector)).isEqualTo(connector);
    assertThat(it.again(connector).tool("pay.refund.create")).isPresent();
  }

  @Test
  void rejectedCredentialsInstallNothing() {
    it.finding = new Finding.CredentialsRejected("upstream answered 401");
    assertThat(refusal(it.install(http("acme", URL, PAY, BEARER))))
        .isInstanceOf(Refusal.AuthFailed.class);
    assertThat(it.everything()).isEmpty();
  }

  @Test
  void anUnreachableUpstreamInstallsAsDegraded() {
    it.finding = new Finding.UpstreamFailed("upstream unreachable");
    Connector connector = it.installed(http("acme", URL, PAY, BEARER));
    assertThat(it.again(connector).status()).isEqualTo(ConnectorStatus.DEGRADED);
    assertThat(it.again(connector).statusReason()).isEqualTo("upstream unreachable");
  }

  @Test
  void noStoredTextHoldsTheSecret() {
    Connector connector = it.installed(http("acme", URL, PAY, BEARER));
    assertThat(it.everything().toString()).doesNotContain("secret-token");
    assertThat(connector.toString()).doesNotContain("secret-token");
    assertThat(connector.credentials().hint()).isEqualTo("…4567");
    assertThat(
            Credentials.open(
                connector.credentials(), it.sealer, connector.partition(), connector.id()))
        .contains(new Credentials.Bearer("secret-token-1234567"));
    assertThat(
            Credentials.open(connector.credentials(), it.sealer, connector.partition(), it.newId()))
        .isEmpty();
  }

  @Test
  void anEarlyAccessListingCannotBeInstalled() {
    assertThat(refusal(it.install("{'listing_id':'cn-hubspot','name':'hub'}")))
        .isInstanceOf(Refusal.EarlyAccess.class);
  }

  @Test
  void aNameIsTakenOncePerPartition() {
    it.installed(SANDBOX.formatted("box"));
    assertThat(refusal(it.install(SANDBOX.formatted("box"))))
        .isEqualTo(new Refusal.Conflict("Another connector already has the name box."));
    Partition test = new Partition(it.partition.tenant(), Mode.TEST);
    assertThat(
            it.installations.install(
                it.caller(test, null), it.newId(), wanted(SANDBOX.formatted("box"))))
        .isInstanceOf(Done.class);
  }

  @Test
  void theQuotaCountsBothModesAndIsFreedByUninstalling() {
    Partition test = new Partition(it.partition.tenant(), Mode.TEST);
    it.installations.install(it.caller(test, null), it.newId(), wanted(SANDBOX.formatted("box")));
    Connector last = it.installed(SANDBOX.formatted("box"));
    for (int count = 2; count < Connectors.QUOTA; count++) {
      last = it.installed(SANDBOX.formatted("box-" + count));
    }
    assertThat(refusal(it.install(SANDBOX.formatted("one-more"))))
        .isEqualTo(
            new Refusal.QuotaExceeded(
                "The tenant already has 25 connectors, the maximum. Uninstall one first."));
    assertThat(it.installations.uninstall(it.caller(null), last.id(), it.ids.next()))
        .isInstanceOf(Done.class);
    assertThat(it.install(SANDBOX.formatted("one-more"))).isInstanceOf(Done.class);
  }

  @Test
  void aRepeatedInstallRequestReturnsTheFirstConnector() {
    ConnectorId id = it.newId();
    Outcome<Connector> first =
        it.installations.install(it.caller(null), id, wanted(SANDBOX.formatted("box")));
    Outcome<Connector> again =
        it.installations.install(it.caller(null), id, wanted(SANDBOX.formatted("box")));
    assertThat(again).isEqualTo(first);
    assertThat(it.connectors.usable(it.partition, null)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'name':'box'} | listing_id",
        "{'listing_id':'cn-none','name':'box'} | listing_id",
        "{'listing_id':'cn-sandbox'} | name",
        "{'listing_id':'cn-sandbox','name':'Box'} | name",
        "{'listing_id':'cn-sandbox','name':'box','colour':1} | colour",
        "{'listing_id':'cn-sandbox','name':'box','config':{'x':1}} | config",
        "{'listing_id':'cn-sandbox','name':'box','credentials':{'type':'bearer','token':'x'}} | credentials.type",
        "{'listing_id':'cn-github','name':'box','credentials':{'type':'bearer'}} | credentials.token",
        "{'listing_id':'cn-github','name':'box','credentials':{'type':'bearer','token':' x'}} | credentials.token",
        "{'listing_id':'cn-http','name':'box'} | config.base_url",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://a.example'}} | config.tools",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://a.example?x=1','tools':[]}} | config.base_url",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://u:p@a.example','tools':[]}} | config.base_url",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://inner.example','tools':[]}} | config.base_url",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://a.example','tools':[]}} | config.tools",
        "{'listing_id':'cn-http','name':'box','config':{'base_url':'https://a.example','tools':[{}]}} | config.tools[0].name",
      })
  void aBadFieldIsNamed(String json, String param) {
    assertThatThrownBy(() -> it.install(json))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo(param));
    assertThat(it.everything()).isEmpty();
  }

  @Test
  void aPinnedKeyInstallsIntoItsWorkspaceAndSeesNothingElse() {
    Connector wide = it.installed(SANDBOX.formatted("wide"));
    Outcome<Connector> done =
        it.installations.install(it.caller("ws-1"), it.newId(), wanted(SANDBOX.formatted("own")));
    Connector own = done(done);
    assertThat(own.workspaceId()).isEqualTo("ws-1");
    assertThat(it.connectors.find(it.caller("ws-1"), wide.id())).isEmpty();
    assertThat(it.connectors.find(it.caller("ws-2"), own.id())).isEmpty();
    assertThat(it.connectors.list(it.caller("ws-1"), null, null, new PageRequest(10, null)).items())
        .containsExactly(own);
    assertThat(refusal(it.installations.uninstall(it.caller("ws-1"), wide.id(), it.ids.next())))
        .isInstanceOf(Refusal.NotFound.class);
    assertThat(
            refusal(
                it.installations.install(
                    it.caller("ws-1"),
                    it.newId(),
                    wanted("{'listing_id':'cn-sandbox','name':'box','workspace_id':'ws-2'}"))))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(it.connectors.usable(it.partition, "ws-1")).containsExactlyInAnyOrder(own, wide);
    assertThat(it.connectors.usable(it.partition, null)).containsExactly(wide);
  }

  @Test
  void listsAreNewestFirstAndPaged() {
    Connector first = it.installed(SANDBOX.formatted("box-1"));
    Connector second = it.installed(http("acme", URL, PAY, ""));
    Connector third = it.installed(SANDBOX.formatted("box-3"));
    var page = it.connectors.list(it.caller(null), null, null, new PageRequest(2, null));
    assertThat(page.items()).containsExactly(third, second);
    assertThat(
            it.connectors
                .list(it.caller(null), null, null, new PageRequest(2, page.next()))
                .items())
        .containsExactly(first);
    assertThat(
            it.connectors.list(it.caller(null), null, "cn-http", new PageRequest(2, null)).items())
        .containsExactly(second);
    assertThat(
            it.connectors
                .list(it.caller(null), ConnectorStatus.ERROR, null, new PageRequest(2, null))
                .items())
        .isEmpty();
  }

  @Test
  void theOnlyFulfillerOfANeededCapabilityCannotBeUninstalled() {
    Connector box = it.installed(SANDBOX.formatted("box"));
    it.needed.add("deploy");
    assertThat(refusal(it.installations.uninstall(it.caller(null), box.id(), it.ids.next())))
        .isEqualTo(new Refusal.ConnectorInUse("deploy"));
    it.installations.install(it.caller("ws-1"), it.newId(), wanted(SANDBOX.formatted("narrower")));
    assertThat(refusal(it.installations.uninstall(it.caller(null), box.id(), it.ids.next())))
        .isEqualTo(new Refusal.ConnectorInUse("deploy"));
    it.installed(SANDBOX.formatted("box-2"));
    assertThat(it.installations.uninstall(it.caller(null), box.id(), it.ids.next()))
        .isInstanceOf(Done.class);
    assertThat(refusal(it.installations.uninstall(it.caller(null), box.id(), it.ids.next())))
        .isInstanceOf(Refusal.NotFound.class);
  }

  @Test
  void aChangeOfToolsCannotTakeANeededCapabilityAway() {
    Connector acme = it.installed(http("acme", URL, PAY, ""));
    it.needed.add("pay.refund");
    String other = PAY.replace("'capability':'pay.refund'", "'capability':'pay.other'");
    assertThat(
            refusal(patch(acme, "{'config':{'base_url':'%s','tools':[%s]}}".formatted(URL, other))))
        .isEqualTo(new Refusal.ConnectorInUse("pay.refund"));
  }

  @Test
  void aRenameFreesTheOldName() {
    Connector box = it.installed(SANDBOX.formatted("box"));
    it.installed(SANDBOX.formatted("taken"));
    assertThat(refusal(patch(box, "{'name':'taken'}")))
        .isEqualTo(new Refusal.Conflict("Another connector already has the name taken."));
    assertThat(done(patch(box, "{'name':'crate'}")).name()).isEqualTo("crate");
    assertThat(it.install(SANDBOX.formatted("box"))).isInstanceOf(Done.class);
    assertThat(refusal(it.install(SANDBOX.formatted("crate"))))
        .isEqualTo(new Refusal.Conflict("Another connector already has the name crate."));
  }

  @Test
  void storedCredentialsAreNotSentToAnotherPlace() {
    Connector acme = it.installed(http("acme", URL, PAY, BEARER));
    String moved = "{'config':{'base_url':'https://evil.example','tools':[%s]}%s}";
    assertThatThrownBy(() -> patch(acme, moved.formatted(PAY, "")))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).isEqualTo("credentials"));
    assertThat(patch(acme, moved.formatted(PAY, BEARER))).isInstanceOf(Done.class);
  }

  @Test
  void newCredentialsEndAnError() {
    Connector acme = it.installed(http("acme", URL, PAY, BEARER));
    it.health.rejected(acme, "upstream answered 401");
    assertThat(it.again(acme).status()).isEqualTo(ConnectorStatus.ERROR);
    it.finding = new Finding.CredentialsRejected("no");
    assertThat(refusal(patch(acme, "{'credentials':{'type':'bearer','token':'worse'}}")))
        .isInstanceOf(Refusal.AuthFailed.class);
    assertThat(it.again(acme).status()).isEqualTo(ConnectorStatus.ERROR);
    it.finding = new Finding.Passed(Duration.ZERO);
    assertThat(patch(acme, "{'credentials':{'type':'bearer','token':'better'}}"))
        .isInstanceOf(Done.class);
    assertThat(it.again(acme).status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.again(acme).statusReason()).isNull();
  }

  @Test
  void aTestSetsTheStatusFromItsFinding() {
    Connector acme = it.installed(http("acme", URL, PAY, BEARER));
    it.finding = new Finding.CredentialsRejected("no");
    assertThat(refusal(it.installations.test(it.caller(null), acme.id(), null, it.ids.next())))
        .isInstanceOf(Refusal.AuthFailed.class);
    assertThat(it.again(acme).status()).isEqualTo(ConnectorStatus.ERROR);
    it.finding = new Finding.UpstreamFailed("down");
    assertThat(refusal(it.installations.test(it.caller(null), acme.id(), null, it.ids.next())))
        .isEqualTo(new Refusal.UpstreamFailed("The test failed: down"));
    it.finding = new Finding.Passed(Duration.ofMillis(5));
    assertThat(done(it.installations.test(it.caller(null), acme.id(), null, it.ids.next())))
        .isEqualTo(
            new Tested(
                ConnectorStatus.CONNECTED,
                Duration.ofMillis(5),
                it.time.instant(),
                List.of(),
                List.of(),
                null));
    assertThat(it.again(acme).status()).isEqualTo(ConnectorStatus.CONNECTED);
    assertThat(it.again(acme).testedAt()).isEqualTo(it.time.instant());
  }

  @Test
  void aConnectorAwaitingAuthorizationCannotBeTested() {
    Connector box = it.installed(SANDBOX.formatted("box"));
    it.store.write(
        io.actiongovernance.store.Write.put(
            ConnectorItems.item(box.with(ConnectorStatus.PENDING_AUTH, null)),
            io.actiongovernance.store.Condition.present()));
    assertThat(refusal(it.installations.test(it.caller(null), box.id(), null, it.ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
  }

  private Outcome<Connector> patch(Connector connector, String json) {
    return it.installations.patch(it.caller(null), connector.id(), change(json), it.ids.next());
  }
}
