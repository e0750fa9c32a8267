package io.actiongovernance.approval;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Scope;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Undos that take an approval (contract for people, section 2). */
class HeldUndoTest {
  private static final String ONE = "'method':'session'";
  private static final String ALLOWED =
      "{'name':'any','decision':'ALLOW','tool':'sandbox.payment.*'}";

  /** Lets something happen before the next transaction that does this to a row. */
  private static final class Meanwhile extends BendingStore {
    private @Nullable Runnable happens;
    private String before = "";

    private Meanwhile(InMemoryStore store) {
      super(store);
    }

    private void before(String what, Runnable meanwhile) {
      before = what;
      happens = meanwhile;
    }

    @Override
    public Transacted transact(List<Write> writes) {
      Runnable now = happens;
      if (now != null && writes.stream().anyMatch(this::isIt)) {
        happens = null;
        now.run();
      }
      return inner.transact(writes);
    }

    private boolean isIt(Write write) {
      return write instanceof Write.Update update
          && update.changes().stream().anyMatch(change -> change.name().equals(before));
    }
  }

  private final InMemoryStore kept = new InMemoryStore();
  private final Meanwhile store = new Meanwhile(kept);
  private final LoopFixture fixture = new LoopFixture(store);
  private final Voters voters = new Voters(kept, fixture);
  private final Person lead = voters.person("Lea", "leads");
  private final Person payer = voters.person("Fin", "finance");

  private ProposedAction refund(String order) {
    return fixture.refund(order, 5);
  }

  /** A refund that applied, by an operator whose guardrails then become these. */
  private Action refunded(Operator operator, String order, String then) {
    Plan plan = fixture.propose(operator, refund(order));
    fixture.deliver();
    if (!then.isEmpty()) {
      voters.guard(operator, then);
    }
    Action action = fixture.action(plan, 0);
    assertThat(action.undoable()).isTrue();
    return action;
  }

  /** A refund that applied, and whose inverse takes this approval. */
  private Action refunded(String approval) {
    return refunded(voters.guarded(ALLOWED), "one", deciding(approval));
  }

  /** Guardrails under which the guardrail that decided asks for this approval. */
  private static String deciding(String approval) {
    return Voters.held(approval).replace("large", "any").replace("payment.refund", "payment.*");
  }

  private Action again(Action action) {
    return fixture.loop.reading().actions().find(action.partition(), action.id()).orElseThrow();
  }

  private Plan ask(Caller by, Action action) {
    return held(fixture.askToUndo(by, action));
  }

  private Plan ask(Action action) {
    return ask(fixture.caller, action);
  }

  private static Plan held(Outcome<UndoAction.Answer> outcome) {
    assertThat(Outcomes.done(outcome)).isInstanceOf(UndoAction.Answer.Held.class);
    return ((UndoAction.Answer.Held) Outcomes.done(outcome)).plan();
  }

  private static void runs(Outcome<ApprovePlan.Answer> outcome) {
    assertThat(Outcomes.done(outcome)).isInstanceOf(ApprovePlan.Answer.Executed.class);
  }

  private void isUndoneOnce(Action original) {
    assertThat(again(original).undone()).isTrue();
    assertThat(inverses()).isEqualTo(1);
  }

  private long inverses() {
    return fixture.calls.stream()
        .filter(call -> !call.tool().name().equals("sandbox.payment.refund"))
        .count();
  }

  private List<Receipt> undos() {
    return fixture.receipts().stream().filter(it -> it.kind() == Receipt.Kind.UNDO).toList();
  }

  private List<Plan> plans() {
    return kept.everything().stream()
        .filter(item -> "plan".equals(item.textOrNull("kind")))
        .map(Plans::read)
        .filter(plan -> fixture.action(plan, 0).terms().undoing() != null)
        .toList();
  }

  @Test
  void aHeldUndoIsAPlanOfOneUndoProposedByTheCaller() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    assertThat(plan.terms().held()).isTrue();
    assertThat(plan.terms().proposedBy()).isEqualTo(ProposedBy.caller(fixture.caller));
    assertThat(plan.terms().reasoning()).isEqualTo("Paid twice.");
    Action undo = fixture.action(plan, 0);
    assertThat(Objects.requireNonNull(undo.terms().undoing()).original()).isEqualTo(original.id());
    assertThat(again(original).undo().inFlight()).isNull();
    assertThat(inverses()).isZero();
  }

  @Test
  void anApprovedUndoRunsAsAnyOtherUndo() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    runs(voters.vote(lead, plan));
    isUndoneOnce(original);
    assertThat(again(original).undo().undoneBy()).isEqualTo(plan.terms().actionIds().getFirst());
    Plan executed = fixture.again(plan);
    assertThat(executed.state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(undos())
        .singleElement()
        .satisfies(
            receipt -> {
              assertThat(receipt.outcome()).isEqualTo(ReceiptOutcome.APPLIED);
              assertThat(receipt.text("undo_of")).isEqualTo(original.id().value());
              assertThat(receipt.text("plan_id")).isEqualTo(plan.id().value());
              assertThat(receipt.text("approver")).isEqualTo("Lea");
              assertThat(receipt.text("reason")).isEqualTo("Paid twice.");
              assertThat(receipt.text("approval_id"))
                  .isEqualTo(Objects.requireNonNull(executed.approval()).id().value());
              assertThat(receipt.document().at("/proposed_by/id").asText())
                  .isEqualTo(fixture.caller.principal().id());
            });
    assertThat(Outcomes.refusal(fixture.askToUndo(fixture.caller, original)))
        .isInstanceOf(Refusal.NotUndoable.class);
  }

  @Test
  void askingAgainReturnsTheSamePlan() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    assertThat(ask(fixture.agent, original).id()).isEqualTo(plan.id());
    assertThat(plans()).hasSize(1);
    // Even after a change of the guardrails: to get another plan, veto this one first.
    voters.guard(operatorOf(original), ALLOWED);
    assertThat(ask(original).id()).isEqualTo(plan.id());
  }

  private Operator operatorOf(Action action) {
    return fixture.operators.find(action.partition(), action.terms().operatorId()).orElseThrow();
  }

  @Test
  void concurrentCallersGetTheSamePlan() {
    Action original = refunded(ONE);
    Plan[] first = {null};
    store.before("undo_plan", () -> first[0] = ask(fixture.agent, original));
    Plan second = ask(original);
    assertThat(second.id()).isEqualTo(Objects.requireNonNull(first[0]).id());
    assertThat(plans()).hasSize(1);
  }

  @Test
  void aRepeatedRequestReturnsItsPlanEvenAfterAVeto() {
    Action original = refunded(ONE);
    ActionId undo = ActionId.next(fixture.connectors.ids);
    Plan plan = held(fixture.askToUndo(fixture.caller, original, undo));
    veto(plan);
    Plan again = held(fixture.askToUndo(fixture.caller, original, undo));
    assertThat(again.id()).isEqualTo(plan.id());
    assertThat(again.state()).isEqualTo(Plan.State.VETOED);
  }

  private void veto(Plan plan) {
    Outcomes.done(
        fixture
            .loop
            .executing()
            .vetoPlan()
            .veto(fixture.caller, plan.id(), "veto-" + plan.id(), "No.", null));
  }

  @Test
  void aVetoedUndoCanBeAskedForAgain() {
    Action original = refunded(ONE);
    Plan vetoed = ask(original);
    veto(vetoed);
    assertThat(undos())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.outcome()).isEqualTo(ReceiptOutcome.VETOED));
    Plan next = ask(original);
    assertThat(next.id()).isNotEqualTo(vetoed.id());
    runs(voters.vote(lead, next));
    isUndoneOnce(original);
  }

  @Test
  void anExpiredUndoCanBeAskedForAgain() {
    Action original = refunded(ONE + ",'within_seconds':60");
    Plan expired = ask(original);
    fixture.time.sleep(Duration.ofSeconds(61));
    Plan next = ask(original);
    assertThat(next.id()).isNotEqualTo(expired.id());
    assertThat(Outcomes.refusal(voters.vote(lead, expired))).isInstanceOf(Refusal.Conflict.class);
    runs(voters.vote(lead, next));
    isUndoneOnce(original);
  }

  @Test
  void theRequesterWithdrawsTheUndoWithTheUndoScope() {
    Action original = refunded(ONE);
    Plan plan = ask(voters.caller(payer), original);
    assertThat(Outcomes.refusal(withdraw(fixture.caller, plan)))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(Outcomes.done(withdraw(voters.caller(payer), plan)).state())
        .isEqualTo(Plan.State.VETOED);
    assertThat(ask(original).id()).isNotEqualTo(plan.id());
  }

  private Outcome<Plan> withdraw(Caller by, Plan plan) {
    return fixture
        .loop
        .executing()
        .vetoPlan()
        .withdraw(by, plan.id(), "take-" + by.name(), "Not now.");
  }

  @Test
  void theUndoScopeDoesNotWithdrawOtherPlans() {
    Plan plan =
        fixture.propose(
            voters.guarded(Voters.held(ONE)), fixture.refund(fixture.connectors.ids.next(), 5));
    Caller agent = fixture.agent;
    Caller undoing =
        new Caller(
            RequestId.next(fixture.connectors.ids),
            agent.partition(),
            agent.workspaceId(),
            agent.credential(),
            Set.of(Scope.ACTIONS_WRITE),
            null,
            Set.of());
    assertThat(Outcomes.refusal(withdraw(undoing, plan))).isInstanceOf(Refusal.BeyondKey.class);
    assertThat(Outcomes.done(withdraw(agent, plan)).state()).isEqualTo(Plan.State.VETOED);
  }

  @Test
  void theRequestersVoteNeverCountsUnderAnyPolicy() {
    Action original = refunded("'not_proposer':false");
    Plan plan = ask(voters.caller(lead), original);
    assertThat(Outcomes.refusal(voters.vote(lead, plan))).isEqualTo(Eligibility.SELF_APPROVAL);
    assertThat(voters.receipts()).isEmpty();
    runs(voters.vote(payer, plan));
    isUndoneOnce(original);
  }

  @Test
  void aKeyApprovesUnderAKeyPolicyUnlessItAsked() {
    Action original = refunded("'method':'key'");
    Plan plan = ask(fixture.agent, original);
    assertThat(Outcomes.done(fixture.approve(plan)).plan().state()).isEqualTo(Plan.State.EXECUTED);
    isUndoneOnce(original);
    Action other = refunded(voters.guarded(ALLOWED), "two", deciding("'method':'key'"));
    assertThat(Outcomes.refusal(fixture.approve(ask(other)))).isEqualTo(Eligibility.SELF_APPROVAL);
  }

  @Test
  void aLockAtTheDecidingVoteTakesNoVote() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    fixture.messagesTakeTheirTime = true;
    fixture.propose(voters.guarded(ALLOWED), refund("one"));
    assertThat(Outcomes.refusal(voters.vote(lead, plan))).isInstanceOf(Refusal.EntityLocked.class);
    assertThat(voters.receipts()).isEmpty();
    assertThat(again(original).undo().inFlight()).isNull();
    fixture.deliver();
    fixture.messagesTakeTheirTime = false;
    runs(voters.vote(lead, plan));
    isUndoneOnce(original);
  }

  @Test
  void anAlreadyUndoneActionTakesNoDecidingVote() {
    Action original = refunded(ONE + ",'within_seconds':60");
    Plan slow = ask(original);
    // Who decides stands still until the time of the plan is over, and another has undone it.
    store.before(
        "undoing",
        () -> {
          fixture.time.sleep(Duration.ofSeconds(61));
          runs(voters.vote(payer, ask(original)));
        });
    assertThat(Outcomes.refusal(voters.vote(lead, slow))).isInstanceOf(Refusal.Conflict.class);
    isUndoneOnce(original);
    assertThat(voters.receipts())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.text("approver")).isEqualTo("Fin"));
    assertThat(fixture.again(slow).state()).isEqualTo(Plan.State.PROPOSED);
  }

  @Test
  void anUndoThatRanMeanwhileIsNotHeldAgain() {
    Action original = refunded(ONE);
    store.before(
        "undo_plan",
        () -> {
          voters.guard(operatorOf(original), ALLOWED);
          assertThat(Outcomes.done(fixture.undo(original)).undo().applied()).isTrue();
        });
    assertThat(Outcomes.refusal(fixture.askToUndo(fixture.caller, original)))
        .isInstanceOf(Refusal.NotUndoable.class);
    isUndoneOnce(original);
    assertThat(plans()).isEmpty();
  }

  @Test
  void anUndoHeldMeanwhileDoesNotRunAtOnce() {
    Action original = refunded(voters.guarded(ALLOWED), "one", "");
    Plan[] held = {null};
    store.before(
        "undoing",
        () -> {
          voters.guard(operatorOf(original), deciding(ONE));
          held[0] = ask(fixture.agent, original);
          voters.guard(operatorOf(original), ALLOWED);
        });
    assertThat(ask(original).id()).isEqualTo(Objects.requireNonNull(held[0]).id());
    assertThat(inverses()).isZero();
  }

  @Test
  void anUndoIsHeldIfGuardrailsChangeToAskForPeople() {
    Action original = refunded(voters.guarded(ALLOWED), "one", "");
    store.before("undoing", () -> voters.guard(operatorOf(original), deciding(ONE)));
    ask(original);
    assertThat(inverses()).isZero();
  }

  @Test
  void anUndoBeyondALimitWithAnApprovalIsHeld() {
    String limited =
        "{'name':'any','decision':'ALLOW','tool':'sandbox.payment.*','approval':{'method':'session'},"
            + "'limits':[{'per':'operator','window_seconds':3600,'max_actions':%d}]}";
    Action original = refunded(voters.guarded(limited.formatted(1)), "one", "");
    runs(voters.vote(lead, ask(original)));
    isUndoneOnce(original);
    // One that was within it is not let through once others have used it up.
    Operator operator = voters.guarded(limited.formatted(2));
    Action other = refunded(operator, "two", "");
    store.before(
        "undoing",
        () -> {
          fixture.propose(operator, refund("three"));
          fixture.deliver();
        });
    assertThat(Outcomes.refusal(fixture.askToUndo(fixture.caller, other)))
        .isInstanceOf(Refusal.PolicyBlocked.class);
    assertThat(inverses()).isEqualTo(1);
    ask(other);
  }

  @Test
  void aFailedUndoCanBeAskedForAgain() {
    Action original = refunded(ONE);
    fixture.source = call -> new CallResult.Failed("422 no");
    runs(voters.vote(lead, ask(original)));
    assertThat(again(original).undone()).isFalse();
    fixture.source = call -> new CallResult.Applied(Json.object(), "r2");
    runs(voters.vote(lead, ask(original)));
    assertThat(again(original).undone()).isTrue();
  }

  @Test
  void anUnknownUndoBlocksOthersUntilAnotherPersonResolvesIt() {
    Action original = refunded(ONE);
    fixture.source = call -> new CallResult.Unknown("lost", true);
    Plan plan = ask(original);
    runs(voters.vote(lead, plan));
    Action undo = fixture.action(plan, 0);
    assertThat(Outcomes.refusal(fixture.askToUndo(fixture.agent, original)))
        .isEqualTo(new Refusal.UndoUnknown(undo.id()));
    assertThat(Outcomes.refusal(resolve(fixture.caller, undo)))
        .isEqualTo(Eligibility.SELF_APPROVAL);
    Outcomes.done(resolve(fixture.agent, undo));
    assertThat(again(original).undo().undoneBy()).isEqualTo(undo.id());
  }

  private Outcome<Action> resolve(Caller by, Action undo) {
    return fixture
        .loop
        .executing()
        .resolveAction()
        .resolve(
            by,
            new ResolveAction.Request(
                undo.id(), true, null, "I looked.", fixture.connectors.ids.next()));
  }

  @Test
  void anUndoBlockedByTheTimeOfTheVoteLeavesTheOriginalFree() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    voters.guard(operatorOf(original), "{'name':'no','decision':'BLOCK','tool':'sandbox.*'}");
    assertThat(Outcomes.refusal(voters.vote(lead, plan))).isInstanceOf(Refusal.PolicyBlocked.class);
    assertThat(again(original).undo().inFlight()).isNull();
    voters.guard(operatorOf(original), ALLOWED);
    Outcomes.done(fixture.undo(original));
    isUndoneOnce(original);
  }

  @Test
  void aClaimedUndoRunsAfterItsMessageIsLost() {
    Action original = refunded(ONE);
    Plan plan = ask(original);
    fixture.messagesTakeTheirTime = true;
    assertThat(Outcomes.refusal(voters.vote(lead, plan))).isInstanceOf(Refusal.Unfinished.class);
    fixture.forget();
    assertThat(again(original).undo().inFlight()).isNotNull();
    fixture.time.sleep(Duration.ofMinutes(10));
    fixture.sweep();
    fixture.deliver();
    isUndoneOnce(original);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }
}
