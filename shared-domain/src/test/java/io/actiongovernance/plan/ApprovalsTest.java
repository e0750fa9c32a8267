package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Approvals as records, and who may make them (contract, sections 4 and 6). */
final class ApprovalsTest {
  /** Notes how many items each transaction has. */
  private static final class Counting extends BendingStore {
    private final List<Integer> sizes = new ArrayList<>();

    private Counting() {
      super(new InMemoryStore());
    }

    @Override
    public Transacted transact(List<Write> writes) {
      sizes.add(writes.size());
      return inner.transact(writes);
    }
  }

  private final Counting store = new Counting();
  private final LoopFixture fixture = new LoopFixture(store);

  private Caller key(@Nullable String owner, OperatorId... operators) {
    Caller caller = fixture.caller;
    return new Caller(
        caller.requestId(),
        caller.partition(),
        null,
        new Credential.Key(KeyId.next(fixture.connectors.ids), "a key", owner),
        caller.scopes(),
        null,
        Set.of(operators));
  }

  private Plan proposedBy(Caller caller, ProposedAction... actions) {
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            fixture.operator,
            null,
            CorrelationId.next(fixture.connectors.ids),
            caller.requestId(),
            ProposedBy.caller(caller),
            PlanId.next(fixture.connectors.ids),
            null,
            ProposerKind.SCRIPT,
            "approvals");
    Proposal.Proposed proposal = new Proposal.Proposed(null, List.of(actions));
    ProposePlan proposePlan = fixture.loop.proposing().proposePlan();
    Outcome<Plan> result =
        proposePlan.propose(
            origin, proposal, proposePlan.tenantState(fixture.operator.partition()));
    return Outcomes.done(result);
  }

  private Outcome<RunApproved.Approved> approve(Caller caller, Plan plan) {
    return fixture
        .loop
        .executing()
        .approvePlan()
        .approve(
            caller,
            new ApprovePlan.Request(
                plan.id(),
                fixture.connectors.ids.next(),
                null,
                "cfo",
                null,
                null,
                Duration.ofSeconds(25),
                null))
        .map(LoopFixture::executed);
  }

  private static void isSelfApproval(Outcome<?> outcome) {
    assertThat(Outcomes.refusal(outcome)).isEqualTo(Eligibility.SELF_APPROVAL);
  }

  private ApprovalId approvalOf(Plan plan) {
    return Objects.requireNonNull(fixture.again(plan).approval()).id();
  }

  @Test
  void aPersonCannotApproveTheirOwnProposalWithAnotherKey() {
    Plan plan = proposedBy(key("user_1"), fixture.refund("1", 500));
    isSelfApproval(approve(key("user_1"), plan));
    assertThat(fixture.again(plan)).isEqualTo(plan);
    assertThat(fixture.calls).isEmpty();
    assertThat(approve(key("user_2"), plan)).isInstanceOf(Done.class);
  }

  @Test
  void aKeyWithoutAnOwnerCanApproveAnotherKeysProposal() {
    Caller proposer = key(null);
    Plan plan = proposedBy(proposer, fixture.refund("1", 500));
    isSelfApproval(approve(proposer, plan));
    assertThat(approve(key(null), plan)).isInstanceOf(Done.class);
  }

  @Test
  void anIneligibleApproverIsToldSoEvenOfADisposedPlan() {
    Caller proposer = key(null);
    Plan plan = proposedBy(proposer, fixture.refund("1", 500));
    approve(key(null), plan);
    isSelfApproval(approve(proposer, plan));
    fixture.time.sleep(Duration.ofDays(4));
    Plan overdue = proposedBy(proposer, fixture.refund("2", 500));
    fixture.time.sleep(Duration.ofDays(4));
    isSelfApproval(approve(proposer, overdue));
  }

  @Test
  void theClaimOfTheLargestPlanFitsItsTransactionWithTheApprovalInIt() {
    ProposedAction[] actions = new ProposedAction[50];
    for (int number = 0; number < actions.length; number++) {
      actions[number] = fixture.refund("o" + number, 500);
    }
    Plan plan = proposedBy(key(null), actions);
    store.sizes.clear();
    assertThat(approve(key(null), plan)).isInstanceOf(Done.class);
    assertThat(store.sizes).allMatch(size -> size <= 98);
    ApprovalRecord record =
        Outcomes.done(
            fixture.loop.reading().retrieveApproval().retrieve(key(null), approvalOf(plan)));
    assertThat(record.actions()).hasSize(50);
    assertThat(record.actions())
        .extracting(ApprovalRecord.Approved::actionId)
        .containsExactlyElementsOf(plan.terms().actionIds());
  }

  @Test
  void anApprovalNamesTheKeysOwnerAndIsReadWithinItsOperator() {
    Plan plan = proposedBy(key("user_1"), fixture.refund("1", 500));
    Caller approver = key("user_2");
    approve(approver, plan);
    ApprovalId id = approvalOf(plan);
    RetrieveApproval approvals = fixture.loop.reading().retrieveApproval();
    ApprovalRecord record = Outcomes.done(approvals.retrieve(key(null, fixture.operator.id()), id));
    assertThat(record.decidedBy())
        .extracting(Decider::principal)
        .containsExactly(approver.principal());
    OperatorId other = OperatorId.next(fixture.connectors.ids);
    assertThat(Outcomes.refusal(approvals.retrieve(key(null, other), id)))
        .isEqualTo(new Refusal.NotFound("approval"));
    assertThat(record.decidedBy().getFirst().wire().toString()).doesNotContain("user_2");
  }
}
