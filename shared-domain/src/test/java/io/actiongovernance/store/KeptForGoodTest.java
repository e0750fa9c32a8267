package io.actiongovernance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.ModelExchange;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Proposer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Rows that are kept for good never expire; what lives for days says until when. */
final class KeptForGoodTest {
  private final InMemoryStore store = new InMemoryStore();
  private final LoopFixture fixture = new LoopFixture(store);

  private Plan held() {
    return fixture.propose(fixture.refund("1", 500));
  }

  private void veto(Plan plan) {
    Outcomes.done(
        fixture.loop.executing().vetoPlan().veto(fixture.caller, plan.id(), "key", "No.", null));
  }

  /** Has a model propose this by schedule. */
  private void scheduled(String run, ProposedAction action) {
    Operator operator =
        fixture.operator(
            run,
            ",'triggers':{'schedule':'rate(1 minute)'},"
                + "'model':{'provider':'bedrock','model_id':'m'}");
    ModelExchange exchange = new ModelExchange("bedrock", "m", Json.object(), Json.object());
    fixture.proposer =
        _ -> new Proposer.Answer(new Proposal.Proposed(null, List.of(action)), exchange);
    fixture
        .loop
        .proposing()
        .proposeForEvent()
        .propose(operator.partition(), new ProposalRequest(run, null, operator.id(), null, null));
  }

  /** The kinds of rows of a table, as their keys say them. */
  private Set<String> kinds(Table table) {
    Set<String> kinds = new TreeSet<>();
    for (Item item : store.everything()) {
      if (item.key().table() == table) {
        String[] parts = item.key().partition().split("#", -1);
        boolean ofTenant = parts[0].startsWith("t_");
        kinds.add(ofTenant ? parts[parts[1].equals("live") ? 2 : 1] : parts[0]);
      }
    }
    return kinds;
  }

  /** Adding a kind of row means deciding here whether it expires. */
  @Test
  void noGovernanceRowExpires() {
    fixture.approve(held());
    scheduled("daily", fixture.refund("1", 500));
    scheduled("unfit", fixture.refund("1", -500));
    veto(held());
    assertThat(kinds(Table.STATE))
        .containsExactly(
            "action",
            "approval",
            "connector",
            "connector-name",
            "connector_roster",
            "guardrails-version",
            "handed-on",
            "operator",
            "operator-home",
            "operator_name",
            "operator_roster",
            "plan",
            "plan-entity",
            "plan-exchange",
            "proposal",
            "quota",
            "veto");
    assertThat(kinds(Table.RECEIPTS)).containsExactly("config-receipt", "receipt");
    assertThat(kinds(Table.EFFECTS)).isNotEmpty();
    assertThat(store.everything())
        .filteredOn(
            row -> Set.of(Table.STATE, Table.RECEIPTS, Table.EFFECTS).contains(row.key().table()))
        .noneMatch(row -> row.has(Table.EXPIRES));
  }

  @Test
  void aProposalRequestExpiresAfterSevenDays() {
    String id = PlanId.next(fixture.connectors.ids).value();
    new ProposalRequests(store, fixture.time)
        .store(
            fixture.caller.partition(),
            new ProposalRequest(id, null, fixture.operator.id(), null, null));
    Item request =
        store.everything().stream()
            .filter(item -> "proposal_request".equals(item.textOrNull("kind")))
            .findFirst()
            .orElseThrow();
    assertThat(request.whole(Table.EXPIRES, 0))
        .isEqualTo(fixture.time.instant().plus(Duration.ofDays(7)).getEpochSecond());
  }
}
