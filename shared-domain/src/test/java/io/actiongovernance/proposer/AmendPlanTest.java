package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Amending a plan (contract for people, section 3). */
final class AmendPlanTest {
  /** A tool whose value is the argument of this name. */
  private static final String REFUND =
      """
      {'name':'sandbox.payment.shop','capability':'payments.refund','tier':2,
       'input_schema':{'type':'object'},'binds':{'entity':'order:{{args.n}}','value':'/%s'},
       'request':{'method':'POST','path':'/refunds'}}""";

  private final LoopFixture fixture = new LoopFixture();
  private final Plan plan = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 600));

  /** Somebody else than who proposed it and than who approves. */
  private final Caller desk = fixture.connectors.caller(null);

  private Outcome<RetrievePlan.Read> tryAmend(
      Caller caller, Plan old, String minted, AmendPlan.Amendment... amendments) {
    return fixture
        .loop
        .proposing()
        .amendPlan()
        .amend(
            caller,
            new AmendPlan.Request(
                old.id(), List.of(amendments), "Half of it was returned.", minted));
  }

  private Plan amend(Caller caller, Plan old, int amount) {
    String minted = fixture.connectors.ids.next();
    return Outcomes.done(tryAmend(caller, old, minted, to(old, 0, amount))).plan();
  }

  private AmendPlan.Amendment to(Plan of, int position, int amount) {
    Action action = fixture.action(of, position);
    ObjectNode args = action.terms().args().deepCopy();
    return new AmendPlan.Amendment(action.id(), args.put("amount", Integer.toString(amount)));
  }

  private static ProposedAction refund(Connector shop, ObjectNode args) {
    return new ProposedAction(
        shop.id().value(), "sandbox.payment.shop", args, null, null, null, null);
  }

  private static Plan.Ending ending(Plan plan) {
    return Objects.requireNonNull(plan.ending());
  }

  @Test
  void anAmendmentReplacesThePlanWithANewOne() {
    fixture.time.sleep(Duration.ofMinutes(5));
    Plan amended = amend(desk, plan, 250);
    assertThat(amended.terms().amends()).isEqualTo(plan.id());
    assertThat(amended.state()).isEqualTo(Plan.State.PROPOSED);
    assertThat(amended.expiresAt()).isEqualTo(plan.expiresAt());
    assertThat(amended.terms().reasoning()).isEqualTo(plan.terms().reasoning());
    assertThat(amended.terms().correlationId()).isEqualTo(plan.terms().correlationId());
    Plan old = fixture.again(plan);
    assertThat(old.state()).isEqualTo(Plan.State.VETOED);
    assertThat(ending(old).supersededBy()).isEqualTo(amended.id());
    assertThat(ending(old).reason())
        .isEqualTo("Amended as " + amended.id() + ": Half of it was returned.");
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("vetoed", "vetoed");
    assertThat(fixture.calls).isEmpty();
  }

  @Test
  void amendedActionsAreJudgedAndTheOthersCarriedOver() {
    Plan amended = amend(desk, plan, 250);
    Action.Terms first = fixture.action(amended, 0).terms();
    Action.Terms before = fixture.action(plan, 0).terms();
    assertThat(first.args().path("amount").textValue()).isEqualTo("250");
    assertThat(first.facts().value()).isEqualByComparingTo("250");
    assertThat(first.idempotencyKey()).isEqualTo(before.idempotencyKey());
    assertThat(first.digest()).isNotEqualTo(before.digest());
    Action.Terms second = fixture.action(amended, 1).terms();
    assertThat(second.args()).isEqualTo(fixture.action(plan, 1).terms().args());
    assertThat(second.facts()).isEqualTo(fixture.action(plan, 1).terms().facts());
    assertThat(second.idempotencyKey()).isEqualTo(fixture.action(plan, 1).terms().idempotencyKey());
  }

  @Test
  void onlyTheApprovedActionsOfTheAmendedPlanRun() {
    Plan amended = amend(desk, plan, 250);
    assertThat(Outcomes.refusal(fixture.approve(plan))).isInstanceOf(Refusal.Conflict.class);
    Outcomes.done(fixture.approve(amended));
    assertThat(fixture.calls)
        .extracting(call -> call.args().path("amount").textValue())
        .containsExactlyInAnyOrder("250", "600");
    assertThat(fixture.receipts())
        .filteredOn(receipt -> amended.id().value().equals(receipt.text("plan_id")))
        .hasSize(2)
        .allSatisfy(
            receipt ->
                assertThat(receipt.document().at("/amended_by/id").textValue())
                    .isEqualTo(desk.principal().id()));
  }

  @Test
  void anAmendedPlanThatNeedsNoApprovalRuns() {
    Plan one = fixture.propose(fixture.refund("3", 500));
    Plan amended = amend(desk, one, 50);
    fixture.deliver();
    assertThat(fixture.again(amended).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.calls)
        .extracting(call -> call.args().path("amount").textValue())
        .containsExactly("50");
  }

  @Test
  void theProposerAndAmendersCannotApprove() {
    Plan byApprover = amend(fixture.caller, plan, 250);
    assertThat(Outcomes.refusal(fixture.approve(byApprover)))
        .isInstanceOf(Refusal.NotEligible.class);
    Plan again = amend(desk, byApprover, 240);
    assertThat(Outcomes.refusal(fixture.approve(again))).isInstanceOf(Refusal.NotEligible.class);
    assertThat(again.terms().proposedBy().principal()).isEqualTo(fixture.agent.principal());
    assertThat(again.terms().proposedBy().amendedBy())
        .extracting(Principal::id)
        .containsExactly(fixture.caller.principal().id(), desk.principal().id());
    assertThat(fixture.calls).isEmpty();
  }

  @Test
  void aRepeatedAmendRequestReturnsItsFirstResult() {
    String minted = fixture.connectors.ids.next();
    Plan first = Outcomes.done(tryAmend(desk, plan, minted, to(plan, 0, 250))).plan();
    assertThat(Outcomes.done(tryAmend(desk, plan, minted, to(plan, 0, 250))).plan())
        .isEqualTo(first);
    assertThat(
            Outcomes.refusal(tryAmend(desk, plan, fixture.connectors.ids.next(), to(plan, 0, 240))))
        .isInstanceOf(Refusal.Conflict.class);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).hasSize(2);
  }

  @Test
  void anInvalidAmendmentIsRefusedAndChangesNothing() {
    Plan other = fixture.propose(fixture.refund("4", 500));
    String minted = fixture.connectors.ids.next();
    assertThat(Outcomes.refusal(tryAmend(desk, plan, minted, to(other, 0, 250))))
        .isInstanceOf(Refusal.Invalid.class);
    assertThat(Outcomes.refusal(tryAmend(desk, plan, minted, to(plan, 0, 250), to(plan, 0, 240))))
        .isInstanceOf(Refusal.Invalid.class);
    ActionId action = plan.terms().actionIds().getFirst();
    AmendPlan.Amendment unfit =
        new AmendPlan.Amendment(action, Json.object().put("amount", 5).putNull("order"));
    assertThat(Outcomes.refusal(tryAmend(desk, plan, minted, unfit)))
        .isInstanceOf(Refusal.Invalid.class);
    assertThat(fixture.again(plan)).isEqualTo(plan);
    assertThat(fixture.receipts()).isEmpty();
  }

  @Test
  void aTamperedActionIsNotCarriedOver() {
    Action second = fixture.action(plan, 1);
    Item stored =
        ((InMemoryStore) fixture.store)
            .everything().stream()
                .filter(item -> second.id().value().equals(item.textOrNull("id")))
                .findFirst()
                .orElseThrow();
    String doc = stored.text("doc").replace("\"amount\":\"600\"", "\"amount\":\"6000\"");
    fixture.store.write(Write.update(stored.key(), Condition.always(), Change.set("doc", doc)));
    assertThat(
            Outcomes.refusal(tryAmend(desk, plan, fixture.connectors.ids.next(), to(plan, 0, 250))))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void anActionWhoseToolNowBindsDifferentlyIsNotCarriedOver() {
    Connector shop =
        fixture.connectors.installed(
            ConnectorFixture.http("shop", "https://shop.example", REFUND.formatted("amount"), ""));
    ObjectNode args = Json.object().put("n", 1).put("amount", "500").put("total", "9000");
    Plan held = fixture.propose(refund(shop, args), refund(shop, args.deepCopy().put("n", 2)));
    Outcomes.done(
        fixture.connectors.installations.patch(
            fixture.caller,
            shop.id(),
            ConnectorFixture.change(
                "{'config':{'base_url':'https://shop.example','tools':["
                    + REFUND.formatted("total")
                    + "]}}"),
            fixture.connectors.ids.next()));
    ActionId first = held.terms().actionIds().getFirst();
    ActionId second = held.terms().actionIds().getLast();
    AmendPlan.Amendment one = new AmendPlan.Amendment(first, args.deepCopy().put("amount", "250"));
    String minted = fixture.connectors.ids.next();
    assertThat(Outcomes.refusal(tryAmend(desk, held, minted, one)))
        .isInstanceOf(Refusal.Conflict.class);
    Plan amended =
        Outcomes.done(tryAmend(desk, held, minted, one, new AmendPlan.Amendment(second, args)))
            .plan();
    assertThat(fixture.action(amended, 0).terms().facts().value()).isEqualByComparingTo("9000");
  }

  @Test
  void anExecutedPlanCannotBeAmended() {
    Outcomes.done(fixture.approve(plan));
    assertThat(
            Outcomes.refusal(tryAmend(desk, plan, fixture.connectors.ids.next(), to(plan, 0, 250))))
        .isInstanceOf(Refusal.Conflict.class);
  }
}
