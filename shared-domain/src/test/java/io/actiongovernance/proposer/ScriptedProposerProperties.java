package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.event.Event;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class ScriptedProposerProperties {
  private final OperatorFixture given = new OperatorFixture();

  @Property(tries = 100)
  void theProposalDependsOnlyOnTheContext(
      @ForAll @Size(max = 5) List<@IntRange(max = 3) Integer> types,
      @ForAll @IntRange(max = 3) int type) {
    Operator operator = operator(types);
    Event event = given.event("order.t" + type, "{}");
    Proposal first = propose(operator, event);
    assertThat(propose(operator, event)).isEqualTo(first);
    int expected = types.indexOf(type);
    if (expected < 0) {
      assertThat(first).isEqualTo(new Proposal.Nothing());
    } else {
      assertThat(first).extracting("reasoning").isEqualTo("plan " + expected);
    }
  }

  private Operator operator(List<Integer> types) {
    StringBuilder plans = new StringBuilder();
    for (int at = 0; at < types.size(); at++) {
      plans
          .append(at == 0 ? "" : ",")
          .append(
              "{'event_type':'order.t%d','reasoning':'plan %d','actions':[{'connector':'c','tool':'t'}]}"
                  .formatted(types.get(at), at));
    }
    return given.created(
        "desk-" + given.ids.next(),
        "'status':'draft','model':{'provider':'scripted','plans':[" + plans + "]}");
  }

  @Property(tries = 200)
  void aPayloadTextIsInsertedUnchanged(@ForAll @StringLength(max = 50) String text) {
    Event event = given.event("order.paid", "{}");
    ((com.fasterxml.jackson.databind.node.ObjectNode) event.payload()).put("text", text);
    Operator operator =
        given.created(
            "desk-" + given.ids.next(),
            "'status':'draft','model':{'provider':'scripted','plans':[{'event_type':'order.*',"
                + "'reasoning':'<{{payload.text}}>','actions':[{'connector':'c','tool':'t'}]}]}");
    assertThat(propose(operator, event)).extracting("reasoning").isEqualTo("<" + text + ">");
  }

  @Property(tries = 100)
  void aPlaceholderMissingFromTheEventIsUnusable(
      @ForAll @AlphaChars @NotEmpty @StringLength(max = 12) String name) {
    Event event = given.event("order.paid", "{}");
    Operator operator =
        given.created(
            "desk-" + given.ids.next(),
            "'status':'draft','model':{'provider':'scripted','plans':[{'event_type':'order.*',"
                + "'reasoning':'{{payload."
                + name
                + "}}','actions':[{'connector':'c','tool':'t'}]}]}");
    assertThat(propose(operator, event))
        .isEqualTo(
            new Proposal.Unusable(
                "reasoning: The placeholder {{payload." + name + "}} has no value."));
  }

  private static Proposal propose(Operator operator, Event event) {
    return new ScriptedProposer()
        .propose(new ProposalContext(operator, event, List.of(), List.of()))
        .proposal();
  }
}
