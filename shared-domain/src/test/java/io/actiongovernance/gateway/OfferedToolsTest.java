package io.actiongovernance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

class OfferedToolsTest {
  private final OperatorFixture given = new OperatorFixture();
  private int connectors;

  private Operator operator(String... guardrails) {
    String list = guardrails.length == 0 ? "" : "{" + String.join("},{", guardrails) + "}";
    return given.created("desk-" + given.ids.next(), "'guardrails':[" + list + "]");
  }

  private static String guardrail(String name, String decision, String tool, String more) {
    return "'name':'%s','decision':'%s','tool':'%s'%s".formatted(name, decision, tool, more);
  }

  private static List<String> names(List<OfferedTool> tools) {
    return tools.stream().map(OfferedTool::name).toList();
  }

  private OfferedTools offered(Operator operator, Connector... connectors) {
    return OfferedTools.of(operator, List.of(connectors));
  }

  private Connector connector(String... tools) {
    Tool[] made = new Tool[tools.length];
    for (int at = 0; at < tools.length; at++) {
      made[at] = OperatorFixture.tool(tools[at], "any", 2);
    }
    Connector of = given.connector(null, made);
    return new Connector(
        of.id(),
        of.partition(),
        "shop-" + ++connectors,
        of.listing(),
        of.workspaceId(),
        of.status(),
        of.statusReason(),
        of.config(),
        of.credentials(),
        of.listed(),
        of.leftOut(),
        of.tools(),
        of.failing(),
        of.version(),
        of.createdAt(),
        of.updatedAt(),
        of.testedAt());
  }

  private static String listing(String name) {
    return guardrail("all", "ALLOW", name, "");
  }

  @Test
  void namesHaveNoDotsAndAreInAStableOrder() {
    Operator operator = operator(listing("pay.*"));
    Connector connector = connector("pay.refund", "pay.cancel");
    assertThat(names(offered(operator, connector).listed()))
        .containsExactly("pay_cancel", "pay_refund");
  }

  @Test
  void aToolThatNoGuardrailNamesIsFoundButNotListed() {
    OfferedTools tools = offered(operator(), connector("pay.refund"));
    assertThat(tools.listed()).isEmpty();
    assertThat(tools.find("pay_refund")).isInstanceOf(OfferedTools.Named.One.class);
  }

  @Test
  void onlyAnUnconditionalBlockUnlistsATool() {
    Connector connector = connector("pay.refund");
    assertThat(
            offered(
                    operator(listing("pay.*"), guardrail("no", "BLOCK", "pay.refund", "")),
                    connector)
                .listed())
        .isEmpty();
    assertThat(
            offered(
                    operator(
                        listing("pay.*"),
                        guardrail("no", "BLOCK", "pay.refund", ",'conditions':{'min_value':50}")),
                    connector)
                .listed())
        .hasSize(1);
    assertThat(
            offered(
                    operator(
                        listing("pay.*"),
                        guardrail("no", "BLOCK", "pay.refund", ",'conditions':{'max_tier':1}")),
                    connector)
                .listed())
        .hasSize(1);
    assertThat(
            offered(
                    operator(
                        listing("pay.*"), guardrail("no", "BLOCK", "pay.*", ",'enabled':false")),
                    connector)
                .listed())
        .hasSize(1);
  }

  @Test
  void aDisabledGuardrailListsNothing() {
    assertThat(
            offered(
                    operator(guardrail("all", "ALLOW", "pay.*", ",'enabled':false")),
                    connector("pay.refund"))
                .listed())
        .isEmpty();
  }

  @Test
  void equalToolNamesAreToldApartByTheirConnector() {
    Connector one = connector("pay.refund");
    Connector other = connector("pay.refund");
    OfferedTools tools = offered(operator(listing("pay.*")), one, other);
    assertThat(names(tools.listed()))
        .containsExactlyInAnyOrder(one.name() + "_pay_refund", other.name() + "_pay_refund");
    for (String name : List.of("pay_refund", "pay.refund")) {
      assertThat(tools.find(name)).as(name).isInstanceOf(OfferedTools.Named.Several.class);
    }
  }

  @Test
  void collidingToolsOfOneConnectorGetDistinctNames() {
    OfferedTools tools =
        offered(
            operator(listing("a.*.*"), guardrail("b", "ALLOW", "a.*", "")),
            connector("a.b_c", "a.b.c"));
    assertThat(names(tools.listed())).hasSize(2).doesNotHaveDuplicates();
    assertThat(tools.find("a_b_c")).isInstanceOf(OfferedTools.Named.Several.class);
    assertThat(tools.find("a.b.c")).isInstanceOf(OfferedTools.Named.One.class);
  }

  @Test
  void aToolNamedLikeTheGatewaysOwnGetsItsConnectorsName() {
    Connector connector = connector("governance.plan", "governance_plan");
    OfferedTools tools =
        offered(
            operator(
                guardrail("a", "ALLOW", "governance.*", ""),
                guardrail("b", "ALLOW", "governance_plan", "")),
            connector);
    assertThat(names(tools.listed()))
        .hasSize(2)
        .doesNotHaveDuplicates()
        .noneMatch(name -> name.startsWith(OfferedTool.RESERVED));
  }

  @Test
  void aLongNameIsCutAndStaysUnmistakable() {
    String stem = "pay." + "x".repeat(80);
    OfferedTools tools = offered(operator(listing("pay.*")), connector(stem + "a", stem + "b"));
    assertThat(names(tools.listed()))
        .hasSize(2)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z_]{56}[0-9a-f]{8}"));
    assertThat(tools.find(stem + "a")).isInstanceOf(OfferedTools.Named.One.class);
  }

  @Test
  void anUnknownNameFindsNothing() {
    assertThat(offered(operator(), connector("pay.refund")).find("pay_nothing"))
        .isInstanceOf(OfferedTools.Named.Nothing.class);
  }
}
