package io.actiongovernance.proposer;

import static io.actiongovernance.operator.OperatorFixture.guardrails;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.connector.Tool;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.Unbound.Field;
import io.actiongovernance.proposer.Unbound.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What guardrails go by that tools do not bind (contract, section 3). */
class UnboundTest {
  private static final ConnectorId SHOP = new ConnectorId("cn_" + "0".repeat(26));
  private static final ConnectorId OTHER = new ConnectorId("cn_" + "1".repeat(26));

  private static final String NAMED =
      "'input_schema':{'type':'object','additionalProperties':false,'properties':{"
          + "'order':{'type':'string'},'amount':{'type':'number'},'currency':{'type':'string'}}}";
  private static final String OPEN = "'input_schema':{'type':'object'}";
  private static final String ALL =
      "'binds':{'entity':'order:{{args.order}}','value':'/amount','currency':'/currency'}";

  private static final String GOES_BY_ALL =
      "'name':'small','decision':'ALLOW','tool':'pay.refund','conditions':{'max_value':50,"
          + "'currency':'usd'},'limits':[{'per':'entity','window_seconds':60,'max_actions':1}]";

  private static Target tool(String name, int tier, String... more) {
    String rest = String.join(",", more);
    Fields fields =
        OperatorFixture.fields(
            "{'name':'%s','capability':'pay','tier':%d,'description':'','request':{'method':'POST',"
                    .formatted(name, tier)
                + "'path':'/x'"
                + (rest.contains("'body'") ? "" : "}")
                + ","
                + rest
                + "}");
    return new Target(SHOP, Tool.read(fields));
  }

  private static List<Unbound> of(Guardrails guardrails, Target... targets) {
    return Unbound.of(guardrails, Arrays.asList(targets));
  }

  @Test
  void boundFieldsAreNotNamed() {
    assertThat(of(guardrails(GOES_BY_ALL), tool("pay.refund", 2, NAMED, ALL))).isEmpty();
  }

  @Test
  void fieldsUsedByConditionsOrLimitsAreNamedIfUnbound() {
    assertThat(of(guardrails(GOES_BY_ALL), tool("pay.refund", 2, NAMED)))
        .containsExactly(
            new Unbound("small", "pay.refund", Field.VALUE),
            new Unbound("small", "pay.refund", Field.CURRENCY),
            new Unbound("small", "pay.refund", Field.ENTITY));
    assertThat(
            of(
                guardrails(
                    "'name':'sum','decision':'ALERT','tool':'pay.*','conditions':{'entity_key':'a*'},"
                        + "'limits':[{'per':'tool','window_seconds':60,'max_value':'9'}]"),
                tool("pay.refund", 2, NAMED)))
        .extracting(Unbound::field)
        .containsExactly(Field.VALUE, Field.ENTITY);
  }

  @Test
  void aGuardrailThatUsesNoFactNamesNothing() {
    assertThat(
            of(
                guardrails(
                    "'name':'any','decision':'ALLOW','tool':'pay.*',"
                        + "'limits':[{'per':'operator','window_seconds':60,'max_actions':1}]"),
                tool("pay.refund", 2, OPEN)))
        .isEmpty();
  }

  @Test
  void aBindingToolThatPassesOnUndeclaredArgumentsIsNamed() {
    Guardrails any = guardrails("'name':'any','decision':'ALLOW','tool':'pay.*'");
    assertThat(of(any, tool("pay.refund", 2, OPEN, ALL)))
        .containsExactly(new Unbound("any", "pay.refund", Field.ARGS));
    assertThat(of(any, tool("pay.refund", 2, OPEN))).as("binds nothing").isEmpty();
    assertThat(of(any, tool("pay.refund", 2, "'body':{'sum':'{{args.amount}}'}}", OPEN, ALL)))
        .as("a template names what is sent")
        .isEmpty();
  }

  private static final String NESTED_BINDS = "'binds':{'value':'/payment/details/amount'}";

  private static String nested(String root, String payment, String details, String amount) {
    return """
        'input_schema':{'type':'object',%s'properties':{'payment':{'allOf':[{'$ref':'#/$defs/payment'}]}},
          '$defs':{'payment':{'type':'object',%s'properties':{'details':{'type':'object',%s
            'properties':{'amount':{},%s}},'other':{'type':'object'}}}}}"""
        .formatted(root, payment, details, amount);
  }

  @Test
  void anOpenObjectOnTheBoundPathIsNamed() {
    Guardrails any = guardrails("'name':'any','decision':'ALLOW','tool':'pay.*'");
    String closed = "'additionalProperties':false,";
    String other = "'note':{}";
    Unbound args = new Unbound("any", "pay.refund", Field.ARGS);
    assertThat(of(any, tool("pay.refund", 2, nested(closed, closed, closed, other), NESTED_BINDS)))
        .as("an object elsewhere")
        .isEmpty();
    for (String schema :
        List.of(
            nested("", closed, closed, other),
            nested(closed, "", closed, other),
            nested(closed, closed, "", other))) {
      assertThat(of(any, tool("pay.refund", 2, schema, NESTED_BINDS))).containsExactly(args);
    }
    String template = "'body':{'sent':'{{args.payment}}'}}";
    assertThat(
            of(any, tool("pay.refund", 2, template, nested("", closed, "", other), NESTED_BINDS)))
        .as("a template that passes an open object on")
        .containsExactly(args);
    assertThat(
            of(
                any,
                tool("pay.refund", 2, template, nested("", closed, closed, other), NESTED_BINDS)))
        .as("a template that does not send what is open")
        .isEmpty();
  }

  @Test
  void aPropertyThatDiffersFromABoundOneOnlyInCaseIsNamed() {
    Guardrails any = guardrails("'name':'any','decision':'ALLOW','tool':'pay.*'");
    String closed = "'additionalProperties':false,";
    assertThat(
            of(
                any,
                tool("pay.refund", 2, nested(closed, closed, closed, "'AMOUNT':{}"), NESTED_BINDS)))
        .containsExactly(new Unbound("any", "pay.refund", Field.ARGS));
  }

  @Test
  void onlyToolsThatAGuardrailCanMatchAreNamed() {
    String more = GOES_BY_ALL.replace("'tool':'pay.refund'", "'tool':'pay.*'");
    assertThat(of(guardrails(more.replace("'max_value'", "'max_tier':1,'max_value'")), refund()))
        .as("of another tier")
        .isEmpty();
    assertThat(of(guardrails(more + ",'connector':'" + OTHER + "'"), refund()))
        .as("of another connector")
        .isEmpty();
    assertThat(of(guardrails(more + ",'enabled':false"), refund())).as("disabled").isEmpty();
    assertThat(of(guardrails(more), tool("desk.note", 1, OPEN))).as("another tool").isEmpty();
  }

  private static Target refund() {
    return tool("pay.refund", 2, NAMED);
  }

  @Test
  void aToolOfSeveralConnectorsIsNamedOnce() {
    Target refund = refund();
    assertThat(of(guardrails(GOES_BY_ALL), refund, new Target(OTHER, refund.tool()))).hasSize(3);
  }
}
