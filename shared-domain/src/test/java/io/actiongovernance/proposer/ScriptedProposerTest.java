package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.actiongovernance.event.Event;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.proposer.Proposal.Nothing;
import io.actiongovernance.proposer.Proposal.Proposed;
import io.actiongovernance.proposer.Proposal.Unusable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedProposerTest {
  private final OperatorFixture given = new OperatorFixture();

  private Proposal propose(@Nullable Event event, String plans) {
    Operator operator =
        given.created(
            "desk-" + given.ids.next(), "'model':{'provider':'scripted','plans':[" + plans + "]}");
    return new ScriptedProposer()
        .propose(new ProposalContext(operator, event, List.of(given.payments), List.of()))
        .proposal();
  }

  private static String plan(String eventType, String reasoning) {
    return "{'event_type':%s,'reasoning':'%s','actions':[{'connector':'cn','tool':'t'}]}"
        .formatted(eventType, reasoning);
  }

  @Test
  void theExampleOfTheContractIsFilledIn() {
    Event event = given.event("order.paid", "{'id':'1042','total':120.50,'shipping':4.90}");
    Proposal proposal =
        propose(
            event,
            """
            {'event_type':'order.*','when':[{'path':'/total','op':'gt','value':100}],
             'reasoning':'Large order {{payload.id}}: refund the shipping.',
             'actions':[{'connector':'cn_x','tool':'payments.refund',
               'args':{'order':'{{payload.id}}','amount':'{{payload.shipping}}','by':'{{source}}/{{event_type}}'},
               'value':'{{payload.shipping}}','entity_key':'order:{{payload.id}}',
               'idempotency_key':'refund-{{event_id}}-{{correlation_id}}'}]}
            """);
    assertThat(proposal)
        .isEqualTo(
            new Proposed(
                "Large order 1042: refund the shipping.",
                List.of(
                    new ProposedAction(
                        "cn_x",
                        "payments.refund",
                        OperatorFixture.json(
                            "{'order':'1042','amount':4.90,'by':'shop/order.paid'}"),
                        OperatorFixture.json("{'v':4.90}").get("v"),
                        null,
                        "order:1042",
                        "refund-" + event.id() + "-" + event.correlationId()))));
  }

  @Test
  void theFirstPlanThatFitsIsProposed() {
    Event event = given.event("order.paid", "{}");
    String plans =
        plan("null", "scheduled")
            + ","
            + plan("'order.created'", "other")
            + ","
            + plan("'order.paid'", "first")
            + ","
            + plan("'order.*'", "second");
    assertThat(propose(event, plans)).extracting("reasoning").isEqualTo("first");
  }

  @Test
  void aScheduledRunGetsThePlanWithoutAnEventType() {
    String plans = plan("'order.*'", "event") + "," + plan("null", "scheduled");
    assertThat(propose(null, plans)).extracting("reasoning").isEqualTo("scheduled");
    assertThat(propose(null, plan("'order.*'", "event"))).isEqualTo(new Nothing());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'total':101}|true",
        "{'total':'101'}|true",
        "{'total':100}|false",
        "{'total':true}|false",
        "{'total':null}|false",
        "{}|false"
      })
  void aConditionThatDoesNotHoldOrCannotBeEvaluatedProposesNothing(String payload, boolean fits) {
    String plan =
        "{'event_type':'order.paid','when':[{'path':'/total','op':'gt','value':100}],"
            + "'actions':[{'connector':'cn','tool':'t'}]}";
    Proposal proposal = propose(given.event("order.paid", payload), plan);
    assertThat(proposal).isInstanceOf(fits ? Proposed.class : Nothing.class);
  }

  @Test
  void allConditionsMustHold() {
    String plan =
        "{'event_type':'order.paid','when':[{'path':'/a','op':'eq','value':1},{'path':'/b','op':'eq','value':2}],"
            + "'actions':[{'connector':'cn','tool':'t'}]}";
    assertThat(propose(given.event("order.paid", "{'a':1,'b':2}"), plan))
        .isInstanceOf(Proposed.class);
    assertThat(propose(given.event("order.paid", "{'a':1,'b':3}"), plan)).isEqualTo(new Nothing());
  }

  @Test
  void aPlaceholderThatNamesNothingIsNamed() {
    String plan =
        "{'event_type':'order.paid','actions':[{'connector':'cn','tool':'t'},"
            + "{'connector':'cn','tool':'t','args':{'a':'{{payload.no.such}}'}}]}";
    assertThat(propose(given.event("order.paid", "{'no':{}}"), plan))
        .isEqualTo(new Unusable("actions[1]: The placeholder {{payload.no.such}} has no value."));
    assertThat(propose(null, plan("null", "{{event_id}}")))
        .isEqualTo(new Unusable("reasoning: The placeholder {{event_id}} has no value."));
    assertThat(propose(given.event("order.paid", "{}"), plan("'order.paid'", "{{secret}}")))
        .isEqualTo(new Unusable("reasoning: The placeholder {{secret}} has no value."));
  }

  @Test
  void placeholdersReachIntoArraysAndKeepTypes() {
    String plan =
        "{'event_type':'order.paid','actions':[{'connector':'cn','tool':'t',"
            + "'args':{'second':'{{payload.lines.1.count}}','all':'{{payload}}','text':'n={{payload.lines.1.count}}'}}]}";
    Event event = given.event("order.paid", "{'lines':[{'count':1},{'count':2}]}");
    assertThat(propose(event, plan))
        .isInstanceOfSatisfying(
            Proposed.class,
            proposed -> {
              JsonNode args = Objects.requireNonNull(proposed.actions().getFirst().args());
              assertThat(args.get("second")).isEqualTo(IntNode.valueOf(2));
              assertThat(args.get("all")).isEqualTo(event.payload());
              assertThat(args.get("text").textValue()).isEqualTo("n=2");
            });
  }

  @Test
  void aPayloadIsNeverReadAsATemplate() {
    Event event = given.event("order.paid", "{'id':'{{payload.secret}}','secret':'s'}");
    assertThat(propose(event, plan("'order.paid'", "{{payload.id}}")))
        .extracting("reasoning")
        .isEqualTo("{{payload.secret}}");
  }

  @Test
  void anOperatorWithoutAModelProposesNothing() {
    Operator operator = given.created();
    Event event = given.event("order.paid", "{}");
    assertThat(
            new ScriptedProposer()
                .propose(new ProposalContext(operator, event, List.of(), List.of()))
                .proposal())
        .isEqualTo(new Nothing());
  }

  @Test
  void aScriptThatWouldGrowPastAPlanIsUnusable() {
    String plan =
        "{'event_type':'order.paid','actions':[{'connector':'cn','tool':'t','args':{'a':'"
            + "{{payload}}".repeat(10_000)
            + "'}}]}";
    Event event = given.event("order.paid", "{'a':'" + "x".repeat(200_000) + "'}");
    assertThat(propose(event, plan)).isInstanceOf(Unusable.class);
  }
}
