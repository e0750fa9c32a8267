package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a Model Context Protocol server lists is accepted by its owner: as it is at install, and
 * from then on by its digest alone (contract, section 5).
 */
class AcceptanceSpec {
  private static final String READ = "{'name':'read','inputSchema':{'type':'object'}}";
  private static final String PAY = "{'name':'pay','inputSchema':{'type':'object'}}";
  private static final String PAY_ANYWHERE =
      "{'name':'pay','inputSchema':{'type':'object','properties':{'to':{'type':'string'}}}}";
  private static final String PAY_IN_OTHER_WORDS =
      "{'name':'pay','description':'Pays.','inputSchema':{'type':'object'}}";
  private static final String INSTALL =
      "{'listing_id':'cn-mcp','name':'mcp','config':{'url':'https://mcp.example'%s}}";
  private static final String TOKEN =
      "'credentials':{'type':'bearer','token':'secret-token-1234567'}";

  private final ConnectorFixture it = new ConnectorFixture();

  private void serverLists(String... tools) {
    List<McpTool> listed =
        Arrays.stream(tools)
            .map(tool -> McpTool.read(json(tool)))
            .flatMap(Optional::stream)
            .toList();
    it.finding = new Finding.Passed(Duration.ZERO, listed);
  }

  private Connector installed() {
    return it.installed(INSTALL.formatted(""));
  }

  private Outcome<Tested> test(Connector connector, @Nullable String accept) {
    return it.installations.test(it.caller(null), connector.id(), accept, it.ids.next());
  }

  private Tested tested(Connector connector) {
    return done(test(connector, null));
  }

  private List<String> names(Connector connector) {
    return it.again(connector).tools().stream().map(Tool::name).toList();
  }

  private String digest(Connector connector, String tool) {
    Connector now = it.again(connector);
    return ToolDigest.of(now, now.tool(tool).orElseThrow());
  }

  private void patch(Connector connector, String change) {
    assertThat(
            it.installations.patch(
                it.caller(null), connector.id(), ConnectorFixture.change(change), it.ids.next()))
        .isInstanceOf(Done.class);
  }

  @Test
  void aTestWithoutADigestAcceptsNothing() {
    serverLists(READ);
    Connector mcp = installed();
    serverLists(READ, PAY);
    assertThat(tested(mcp).toolsChanged()).containsExactly("mcp.pay");
    assertThat(tested(mcp).toolsChanged()).containsExactly("mcp.pay");
    assertThat(names(mcp)).containsExactly("mcp.read");
  }

  private void serverLists(List<LeftOutTool> leftOut, String... tools) {
    serverLists(tools);
    List<McpTool> listed = ((Finding.Passed) it.finding).offer().tools();
    it.finding = new Finding.Passed(Duration.ZERO, new McpOffer(listed, leftOut));
  }

  @Test
  void leftOutToolsAreStoredAsOfTheLastAcceptance() {
    List<LeftOutTool> one = List.of(new LeftOutTool("any", "It has no inputSchema."));
    serverLists(one, READ);
    Connector mcp = installed();
    assertThat(mcp.leftOut()).isEqualTo(one);
    assertThat(it.again(mcp).leftOut()).isEqualTo(one);
    patch(mcp, "{'name':'renamed'}");
    assertThat(it.again(mcp).leftOut()).isEqualTo(one);
    serverLists(READ);
    Tested told = tested(mcp);
    assertThat(told.toolsLeftOut()).isEmpty();
    assertThat(it.again(mcp).leftOut()).isEqualTo(one);
    done(test(mcp, told.toolsDigest()));
    assertThat(it.again(mcp).leftOut()).isEmpty();
    serverLists(one, READ);
    patch(mcp, "{'config':{'url':'https://other.example'}}");
    assertThat(it.again(mcp).leftOut()).isEqualTo(one);
  }

  @Test
  void theReportOfLeftOutToolsIsBounded() {
    List<LeftOutTool> many =
        IntStream.range(0, 200)
            .mapToObj(at -> new LeftOutTool(at + "x".repeat(1_000), "y".repeat(1_000)))
            .toList();
    serverLists(many, READ);
    Connector mcp = installed();
    assertThat(mcp.leftOut()).hasSize(LeftOutTool.MOST);
    assertThat(mcp.leftOut().getFirst().name()).hasSize(128).endsWith("…");
    assertThat(mcp.leftOut().getFirst().reason()).hasSize(300).endsWith("…");
  }

  @Test
  void onlyToolsSelectedByConfigAreInstalled() {
    serverLists(READ, PAY);
    Connector mcp = it.installed(INSTALL.formatted(",'tools':['re*']"));
    assertThat(names(mcp)).containsExactly("mcp.read");
    patch(mcp, "{'config':{'url':'https://mcp.example','tools':['pay']}}");
    assertThat(names(mcp)).containsExactly("mcp.pay");
    patch(mcp, "{'config':{'url':'https://mcp.example'}}");
    assertThat(names(mcp)).containsExactly("mcp.read", "mcp.pay");
  }

  @Test
  void theDigestOfATestAcceptsItsListing() {
    serverLists(READ, PAY);
    Connector mcp = installed();
    String before = digest(mcp, "mcp.pay");
    serverLists(PAY_ANYWHERE, READ);
    Tested told = tested(mcp);
    assertThat(told.toolsChanged()).containsExactly("mcp.pay");
    assertThat(digest(mcp, "mcp.pay")).isEqualTo(before);
    Tested accepted = done(test(mcp, told.toolsDigest()));
    assertThat(accepted.toolsChanged()).isEmpty();
    assertThat(accepted.toolsDigest()).isEqualTo(told.toolsDigest());
    assertThat(digest(mcp, "mcp.pay")).isNotEqualTo(before);
    assertThat(it.again(mcp).version()).isEqualTo(mcp.version() + 1);
    assertThat(tested(mcp).toolsChanged()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {PAY_ANYWHERE, PAY_IN_OTHER_WORDS})
  void aListingChangedSinceTheTestIsNotAccepted(String exchanged) {
    serverLists(READ);
    Connector mcp = installed();
    serverLists(READ, PAY);
    String told = tested(mcp).toolsDigest();
    serverLists(READ, exchanged);
    assertThat(refusal(test(mcp, told))).isInstanceOf(Refusal.Conflict.class);
    assertThat(names(mcp)).containsExactly("mcp.read");
  }

  @Test
  void newDescriptionsAreShownOnceAcceptedAndChangeNoDigest() {
    serverLists(PAY);
    Connector mcp = installed();
    String digest = digest(mcp, "mcp.pay");
    serverLists(PAY_IN_OTHER_WORDS);
    Tested told = tested(mcp);
    assertThat(told.toolsChanged()).isEmpty();
    assertThat(it.again(mcp).tools().getFirst().description()).isEmpty();
    test(mcp, told.toolsDigest());
    assertThat(it.again(mcp).tools().getFirst().description()).isEqualTo("Pays.");
    assertThat(digest(mcp, "mcp.pay")).isEqualTo(digest);
  }

  @Test
  void acceptingAnAcceptedListingChangesNothing() {
    serverLists(PAY, READ);
    Connector mcp = installed();
    serverLists(READ, PAY);
    test(mcp, tested(mcp).toolsDigest());
    assertThat(it.again(mcp).version()).isEqualTo(mcp.version());
  }

  @Test
  void aToolNoLongerListedIsRemovedOnAcceptance() {
    serverLists(READ, PAY);
    Connector mcp = installed();
    serverLists(READ);
    Tested told = tested(mcp);
    assertThat(told.toolsChanged()).isEmpty();
    assertThat(names(mcp)).containsExactly("mcp.read", "mcp.pay");
    test(mcp, told.toolsDigest());
    assertThat(names(mcp)).containsExactly("mcp.read");
  }

  /** Otherwise who may give credentials would let a changed tool in without having seen it. */
  @Test
  void newCredentialsAcceptNothing() {
    serverLists(READ);
    Connector mcp = installed();
    serverLists(READ, PAY);
    patch(mcp, "{" + TOKEN + "}");
    assertThat(names(mcp)).containsExactly("mcp.read");
  }

  @Test
  void anotherServerIsAcceptedAsAtInstall() {
    serverLists(READ);
    Connector mcp = installed();
    serverLists(READ, PAY);
    patch(mcp, "{'config':{'url':'https://other.example'}}");
    assertThat(names(mcp)).containsExactly("mcp.read", "mcp.pay");
  }

  @Test
  void toolsNotListedAtInstallMustBeAccepted() {
    it.finding = new Finding.UpstreamFailed("down");
    Connector mcp = installed();
    assertThat(names(mcp)).isEmpty();
    serverLists(PAY);
    Tested told = tested(mcp);
    assertThat(told.toolsChanged()).containsExactly("mcp.pay");
    assertThat(names(mcp)).isEmpty();
    test(mcp, told.toolsDigest());
    assertThat(names(mcp)).containsExactly("mcp.pay");
  }

  @Test
  void anotherSourceSystemListsNothingToAccept() {
    Connector box = it.installed("{'listing_id':'cn-sandbox','name':'box'}");
    assertThat(tested(box).toolsChanged()).isEmpty();
    assertThat(tested(box).toolsDigest()).isNull();
    assertThat(refusal(test(box, "0".repeat(64)))).isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void toolConfigIsInItsDigestButSettleSecondsAreNot() {
    serverLists(READ, PAY);
    Connector mcp = installed();
    List<String> digests = new ArrayList<>();
    for (String said :
        List.of(
            "",
            ",'tiers':{'mcp.pay':3}",
            ",'binds':{'mcp.pay':{'entity':'order:{{args.order}}'}}",
            ",'inverses':{'mcp.pay':{'tool':'mcp.read','args':{}}}",
            ",'did_not_act':['mcp.*']")) {
      patch(mcp, "{'config':{'url':'https://mcp.example'" + said + "}}");
      digests.add(digest(mcp, "mcp.pay"));
    }
    assertThat(digests).doesNotHaveDuplicates();
    patch(mcp, "{'config':{'url':'https://mcp.example','settle_seconds':900}}");
    assertThat(digest(mcp, "mcp.pay")).isEqualTo(digests.getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"'tiers':{'mcp.a':1}", "'binds':{'mcp.a':{'value':'/b'}}"})
  void configForAnUnknownToolIsRefused(String said) {
    serverLists(READ);
    assertThatThrownBy(() -> it.install(INSTALL.formatted("," + said)))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal().path()).endsWith(".mcp.a"));
  }
}
