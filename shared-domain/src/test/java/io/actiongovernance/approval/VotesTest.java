package io.actiongovernance.approval;

import static io.actiongovernance.approval.Voters.held;
import static io.actiongovernance.approval.Voters.isNotEligible;
import static io.actiongovernance.approval.Voters.isVote;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.SignedByHand;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Subject;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.people.StandingIssuer;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VotesTest {
  private static final String TWO_GROUPS =
      "'all_of':[{'count':1,'groups':['leads']},{'count':1,'groups':['finance']}]";
  private static final String ISSUER = "https://login.acme.example";

  private final InMemoryStore store = new InMemoryStore();
  private final LoopFixture fixture = new LoopFixture(store);
  private final Voters voters = new Voters(store, fixture);
  private final Partition partition = fixture.operator.partition();
  private final Person lead = voters.person("Lea", "leads");
  private final Person payer = voters.person("Fin", "finance");
  private final Person both = voters.person("Bo", "leads", "finance");
  private final Person other = voters.person("Ola");

  private Operator operator(String approval) {
    return voters.guarded(held(approval));
  }

  private ProposedAction update(String record) {
    return ProposedAction.readAll(
            OperatorFixture.fields(
                "{'actions':[{'connector':'%s','tool':'sandbox.record.update','args':{'record':'%s','fields':{}}}]}"
                    .formatted(fixture.sandbox.id(), record)),
            "actions")
        .getFirst();
  }

  /** Proposes a refund, and an update that only some guardrails hold. */
  private Plan refundAndUpdate(Operator operator) {
    return propose(
        operator,
        ProposedBy.caller(fixture.agent),
        fixture.refund(fixture.connectors.ids.next(), 500),
        update("one"));
  }

  private Plan propose(Operator operator, ProposedBy by, ProposedAction... actions) {
    return voters.propose(operator, by, actions);
  }

  private Plan propose(String approval) {
    return propose(
        operator(approval),
        ProposedBy.caller(fixture.agent),
        fixture.refund(fixture.connectors.ids.next(), 500));
  }

  private Outcome<ApprovePlan.Answer> vote(
      Person person,
      Plan plan,
      @Nullable List<ActionId> chosen,
      ApprovePlan.@Nullable Signed signed) {
    return voters.vote(voters.caller(person), plan, chosen, signed);
  }

  private Outcome<ApprovePlan.Answer> vote(Person person, Plan plan) {
    return vote(person, plan, null, null);
  }

  private void runs(Outcome<ApprovePlan.Answer> outcome, Plan plan, Person... by) {
    assertThat(Outcomes.done(outcome)).isInstanceOf(ApprovePlan.Answer.Executed.class);
    Plan executed = fixture.again(plan);
    assertThat(executed.state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(executed.decidedBy())
        .extracting(decider -> decider.principal().name())
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(by).map(Person::name).toList());
    assertThat(executed.decidedBy()).allMatch(decider -> decider.receipt() != null);
  }

  private PlanApprovals.Progress progress(Person person, Plan plan) {
    return Outcomes.done(
        fixture.loop.executing().planApprovals().retrieve(voters.caller(person), plan.id()));
  }

  @Test
  void aTwoGroupPolicyNeedsTwoPeople() {
    Plan plan = propose(TWO_GROUPS);
    isVote(vote(lead, plan));
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    assertThat(progress(payer, plan).you().eligible()).isTrue();
    runs(vote(payer, plan), plan, lead, payer);
    assertThat(voters.receipts()).hasSize(2).allMatch(it -> it.outcome() == ReceiptOutcome.VOTED);
  }

  private Person signsIn(String subject) {
    Person person =
        PersonFixture.known(
            PersonFixture.person(
                partition, PersonId.next(fixture.connectors.ids), subject, now(), "leads"),
            ISSUER,
            subject);
    PersonFixture.put(store, person);
    return person;
  }

  private Instant now() {
    return fixture.connectors.time.instant();
  }

  @Test
  void nobodyApprovesTheirAgentsProposalEvenIfMadeLater() {
    Subject dana = new Subject(ISSUER, "dana");
    Principal agent = Credential.Agent.of(partition, "refund-agent", dana, null).principal();
    for (String approval :
        List.of("'method':'session'", "'method':'session','not_proposer':false")) {
      Plan plan =
          propose(
              operator(approval),
              new ProposedBy(agent, null),
              fixture.refund(fixture.connectors.ids.next(), 500));
      Person made = signsIn("dana");
      isNotEligible(vote(made, plan), "self_approval");
      assertThat(progress(made, plan).you().reason()).isEqualTo("self_approval");
      Person another = signsIn("sam");
      runs(vote(another, plan), plan, another);
    }
  }

  @Test
  void aPersonInBothGroupsCountsOnce() {
    Plan plan = propose(TWO_GROUPS);
    isVote(vote(both, plan));
    isVote(vote(both, plan));
    // Who came second moves the first to where they are needed.
    runs(vote(lead, plan), plan, both, lead);
  }

  @Test
  void aPersonOutsideTheGroupsCannotVote() {
    Plan plan = propose(TWO_GROUPS);
    isNotEligible(vote(other, plan), "group");
    assertThat(progress(other, plan).you().reason()).isEqualTo("group");
    assertThat(voters.receipts()).isEmpty();
  }

  @Test
  void aKeyCannotVoteAsAPerson() {
    Plan plan = propose("'method':'session'");
    isNotEligible(fixture.approve(plan), "method");
    runs(vote(other, plan), plan, other);
  }

  @Test
  void aKeyPolicyAlsoAcceptsAPerson() {
    assertThat(Outcomes.done(fixture.approve(propose("'method':'key'"))).plan().state())
        .isEqualTo(Plan.State.EXECUTED);
    Plan plan = propose("'method':'key'");
    runs(vote(other, plan), plan, other);
  }

  @Test
  void theTriggeringPersonCannotApproveUnlessThePolicyAllowsIt() {
    ProposedBy triggered = new ProposedBy(fixture.operator.principal(), other.principal());
    ProposedAction refund = fixture.refund(fixture.connectors.ids.next(), 500);
    assertThat(
            Outcomes.refusal(
                vote(other, propose(operator("'method':'session'"), triggered, refund))))
        .isEqualTo(Eligibility.SELF_APPROVAL);
    Plan open = propose(operator("'not_proposer':false"), triggered, refund);
    runs(vote(other, open), open, other);
  }

  @Test
  void nobodyApprovesTheirOwnProposalUnderAnyPolicy() {
    Plan plan =
        propose(
            operator("'not_proposer':false"),
            ProposedBy.caller(voters.caller(other)),
            fixture.refund(fixture.connectors.ids.next(), 500));
    assertThat(Outcomes.refusal(vote(other, plan))).isEqualTo(Eligibility.SELF_APPROVAL);
  }

  @Test
  void theVoteOfASuspendedPersonDoesNotCount() {
    Plan plan = propose(TWO_GROUPS);
    isVote(vote(lead, plan));
    PersonFixture.put(store, PersonFixture.suspended(lead));
    isVote(vote(payer, plan));
    runs(vote(both, plan), plan, both, payer);
  }

  @Test
  void anOutdatedIssuerSignInDoesNotCountAtTheClaim() {
    Plan plan = propose(TWO_GROUPS);
    PersonFixture.put(store, PersonFixture.signedIn(lead, fixture.time.instant()));
    isVote(vote(lead, plan));
    PersonFixture.put(store, PersonFixture.signedIn(lead, Voters.LONG_AGO));
    isVote(vote(payer, plan));
    isNotEligible(vote(lead, plan), "group");
    runs(vote(both, plan), plan, both, payer);
  }

  @Test
  void issuerGroupsDoNotCountOnceTheProviderIsGone() {
    Plan plan = propose(TWO_GROUPS);
    PersonFixture.put(store, PersonFixture.signedIn(lead, fixture.time.instant()));
    isVote(vote(lead, plan));
    store.write(Write.delete(StandingIssuer.key(partition), Condition.always()));
    isVote(vote(payer, plan));
    isNotEligible(vote(lead, plan), "group");
    runs(vote(both, plan), plan, both, payer);
  }

  @Test
  void aVoteCanBeWithdrawn() {
    Plan plan = propose(TWO_GROUPS);
    isVote(vote(lead, plan));
    assertThat(
            Outcomes.done(
                    fixture
                        .loop
                        .executing()
                        .planApprovals()
                        .withdraw(voters.caller(lead), plan.id()))
                .votes())
        .isEmpty();
    isVote(vote(payer, plan));
    assertThat(voters.receipts())
        .extracting(Receipt::outcome)
        .containsExactlyInAnyOrder(
            ReceiptOutcome.VOTED, ReceiptOutcome.WITHDRAWN, ReceiptOutcome.VOTED);
    assertThat(
            Outcomes.refusal(
                fixture.loop.executing().planApprovals().withdraw(voters.caller(lead), plan.id())))
        .isInstanceOf(Refusal.NotFound.class);
  }

  @Test
  void thePlansReceiptsIncludeThoseOfItsVotes() {
    Plan plan = propose(TWO_GROUPS);
    assertThat(outcomesOf(plan)).isEmpty();
    isVote(vote(lead, plan));
    Outcomes.done(
        fixture.loop.executing().planApprovals().withdraw(voters.caller(lead), plan.id()));
    isVote(vote(lead, plan));
    runs(vote(payer, plan), plan, lead, payer);
    assertThat(outcomesOf(plan))
        .containsExactlyInAnyOrder("voted", "withdrawn", "voted", "voted", "applied");
    Plan atOnce = propose("");
    runs(vote(other, atOnce), atOnce, other);
    assertThat(outcomesOf(atOnce)).containsExactlyInAnyOrder("voted", "applied");
  }

  private List<String> outcomesOf(Plan plan) {
    return fixture.receipts(Map.of(ReceiptFilter.Field.PLAN, plan.id().value())).stream()
        .map(receipt -> receipt.outcome().wire())
        .toList();
  }

  @Test
  void eachSelectionHasItsOwnTally() {
    Plan plan =
        propose(
            operator(TWO_GROUPS),
            ProposedBy.caller(fixture.agent),
            fixture.refund(fixture.connectors.ids.next(), 500),
            fixture.refund(fixture.connectors.ids.next(), 600));
    List<ActionId> first = plan.terms().actionIds().subList(0, 1);
    isVote(vote(lead, plan, first, null));
    isVote(vote(payer, plan));
    runs(vote(payer, plan, first, null), plan, lead, payer);
    assertThat(fixture.again(plan).selected()).isEqualTo(first);
  }

  @Test
  void aPersonSignedInWithATooNewPasskeyCannotDecide() {
    isNotEligible(
        voters.vote(voters.caller(lead, false), propose("'method':'session'"), null, null),
        "passkey_settling");
    Plan plan = fixture.propose(fixture.refund(fixture.connectors.ids.next(), 500));
    isNotEligible(voters.vote(voters.caller(lead, false), plan, null, null), "passkey_settling");
  }

  @Test
  void aHaltedPlanTakesNoVote() {
    Plan plan = propose(TWO_GROUPS);
    fixture
        .loop
        .executing()
        .halts()
        .halt(
            fixture.caller,
            HaltId.next(fixture.connectors.ids),
            new Target(HaltScope.TENANT, null),
            "smoke");
    assertThat(Outcomes.refusal(vote(lead, plan))).isInstanceOf(Refusal.Halted.class);
    assertThat(voters.receipts()).isEmpty();
  }

  @Test
  void anEditorOfTheGuardrailsCannotVoteForAWhile() {
    Operator operator = operator("'method':'passkey'");
    Plan plan =
        propose(
            operator,
            ProposedBy.caller(fixture.agent),
            fixture.refund(fixture.connectors.ids.next(), 500));
    Person signer = PersonFixture.with(lead, "cred", Voters.LONG_AGO);
    PersonFixture.put(store, signer);
    // The fixture's own key made the operator just now: people new since then may not decide.
    Person late =
        PersonFixture.with(
            PersonFixture.person(
                partition,
                PersonId.next(fixture.connectors.ids),
                "Late",
                fixture.time.instant(),
                "leads"),
            "late",
            Voters.LONG_AGO);
    PersonFixture.put(store, late);
    isNotEligible(vote(late, plan), "policy_editor");
    assertThat(Outcomes.refusal(vote(signer, plan))).isInstanceOf(Refusal.SignatureRequired.class);
    runs(signed(signer, plan), plan, signer);
  }

  private Outcome<ApprovePlan.Answer> signed(Person person, Plan plan) {
    Ballots.Issued issued =
        Outcomes.done(
            fixture
                .loop
                .executing()
                .planApprovals()
                .challenge(voters.caller(person), plan.id(), null, null));
    return vote(
        person,
        plan,
        null,
        new ApprovePlan.Signed(issued.id(), SignedByHand.sign("cred", issued.bytes())));
  }

  @Test
  void aSignatureIsValidOnceForItsStatement() {
    Person signer = PersonFixture.with(lead, "cred", Voters.LONG_AGO);
    PersonFixture.put(store, signer);
    Plan plan = propose("'all_of':[{'count':2}],'method':'passkey'");
    Ballots.Issued issued =
        Outcomes.done(
            fixture
                .loop
                .executing()
                .planApprovals()
                .challenge(voters.caller(signer), plan.id(), null, "fine"));
    ApprovePlan.Signed wrong =
        new ApprovePlan.Signed(issued.id(), SignedByHand.sign("cred", new byte[32]));
    assertThat(Outcomes.refusal(vote(signer, plan, null, wrong)))
        .isInstanceOf(Refusal.SignatureInvalid.class);
    ApprovePlan.Signed right =
        new ApprovePlan.Signed(issued.id(), SignedByHand.sign("cred", issued.bytes()));
    isVote(vote(signer, plan, null, right));
    assertThat(Outcomes.refusal(vote(signer, plan, null, right)))
        .isInstanceOf(Refusal.ChallengeUsed.class);
    assertThat(progress(signer, plan).votes())
        .singleElement()
        .satisfies(vote -> assertThat(vote.note()).isEqualTo("fine"));
  }

  @Test
  void aSignatureIsStaleOnceTheGuardrailsChange() {
    Person signer = PersonFixture.with(lead, "cred", Voters.LONG_AGO);
    PersonFixture.put(store, signer);
    Operator operator = operator("'all_of':[{'count':2}],'not_policy_editor_seconds':0");
    Plan plan =
        propose(
            operator,
            ProposedBy.caller(fixture.agent),
            fixture.refund(fixture.connectors.ids.next(), 500));
    Ballots.Issued issued =
        Outcomes.done(
            fixture
                .loop
                .executing()
                .planApprovals()
                .challenge(voters.caller(signer), plan.id(), null, null));
    voters.guard(operator, "{'name':'large','decision':'ALERT','tool':'sandbox.payment.*'}");
    ApprovePlan.Signed right =
        new ApprovePlan.Signed(issued.id(), SignedByHand.sign("cred", issued.bytes()));
    assertThat(Outcomes.refusal(vote(signer, plan, null, right)))
        .isInstanceOf(Refusal.ApprovalStale.class);
  }

  @Test
  void anActionHeldSinceDoesNotBlockApprovalOfTheRest() {
    String refunds = "{'name':'large','decision':'ALERT','tool':'sandbox.payment.refund'}";
    Operator operator =
        voters.guarded(
            refunds + ",{'name':'records','decision':'ALLOW','tool':'sandbox.record.update'}");
    Plan plan = refundAndUpdate(operator);
    voters.guard(
        operator,
        refunds
            + ",{'name':'records','decision':'ALERT','tool':'sandbox.record.update',"
            + "'approval':{'method':'session'}}");
    Plan executed = Outcomes.done(fixture.approve(plan)).plan();
    assertThat(Objects.requireNonNull(executed.claim()).uncovered())
        .containsExactly(plan.terms().actionIds().getLast());
  }

  @Test
  void aPolicyShortensThePlansDeadline() {
    Plan plan = propose("'within_seconds':60");
    assertThat(plan.expiresAt()).isEqualTo(plan.terms().proposedAt().plusSeconds(60));
  }

  @Test
  void anActionHeldSinceIsRefusedUnlessItsOwnPolicyIsMet() {
    String refunds = held("'method':'session','not_policy_editor_seconds':0");
    Operator operator =
        voters.guarded(
            refunds + ",{'name':'records','decision':'ALLOW','tool':'sandbox.record.update'}");
    Plan plan = refundAndUpdate(operator);
    voters.guard(
        operator,
        refunds
            + ",{'name':'records','decision':'ALERT','tool':'sandbox.record.update','approval':{"
            + "'all_of':[{'count':1,'groups':['finance']}],'not_policy_editor_seconds':0}}");
    runs(vote(lead, plan), plan, lead);
    ActionId mail = plan.terms().actionIds().getLast();
    assertThat(Objects.requireNonNull(fixture.again(plan).claim()).uncovered())
        .containsExactly(mail);
    assertThat(fixture.receipts())
        .filteredOn(receipt -> Objects.equals(receipt.text("action_id"), mail.value()))
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.text("reason")).isEqualTo("needs_approval"));
  }
}
