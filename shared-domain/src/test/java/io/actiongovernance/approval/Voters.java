package io.actiongovernance.approval;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Role;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** People who vote in a loop, and operators that ask for them. */
final class Voters {
  static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  private final InMemoryStore store;
  private final LoopFixture fixture;

  /**
   * @param store the fixture's, as it is kept
   */
  Voters(InMemoryStore store, LoopFixture fixture) {
    this.store = store;
    this.fixture = fixture;
  }

  Person person(String name, String... groups) {
    Person person =
        PersonFixture.person(
            fixture.operator.partition(),
            PersonId.next(fixture.connectors.ids),
            name,
            LONG_AGO,
            groups);
    PersonFixture.put(store, person);
    return person;
  }

  /** A guardrail that holds refunds until they are approved so. */
  static String held(String approval) {
    return "{'name':'large','decision':'ALERT','tool':'sandbox.payment.refund','approval':{"
        + approval
        + "}}";
  }

  Operator guarded(String guardrails) {
    OperatorId id = OperatorId.next(fixture.connectors.ids);
    String name = "desk-" + id.value().substring(3);
    return OperatorFixture.done(
        OperatorFixture.create(
            fixture.operators,
            fixture.caller,
            id,
            "{'name':'" + name + "','guardrails':[" + guardrails + "]}"));
  }

  /** Changes the guardrails of an operator, as it is now. */
  void guard(Operator operator, String guardrails) {
    Guardrails all =
        Guardrails.read(
            OperatorFixture.fields("{'guardrails':[" + guardrails + "]}"), "guardrails");
    OperatorFixture.done(
        fixture.operators.putGuardrails(
            fixture.caller,
            operator.id(),
            all,
            fixture
                .operators
                .find(operator.partition(), operator.id())
                .orElseThrow()
                .guardrailsVersion(),
            null,
            fixture.connectors.ids.next()));
  }

  Caller caller(Person person) {
    return caller(person, true);
  }

  /**
   * @param settled whether the session may decide
   */
  Caller caller(Person person, boolean settled) {
    return new Caller(
        RequestId.next(fixture.connectors.ids),
        fixture.operator.partition(),
        null,
        new Credential.PersonSession(
            SessionId.next(fixture.connectors.ids), person.principal(), false, settled),
        Role.OPERATE.scopes(),
        null,
        Set.of());
  }

  Outcome<ApprovePlan.Answer> vote(Person person, Plan plan) {
    return vote(caller(person), plan, null, null);
  }

  Outcome<ApprovePlan.Answer> vote(
      Caller caller,
      Plan plan,
      @Nullable List<ActionId> chosen,
      ApprovePlan.@Nullable Signed signed) {
    return fixture
        .loop
        .executing()
        .approvePlan()
        .approve(
            caller,
            new ApprovePlan.Request(
                plan.id(),
                fixture.connectors.ids.next(),
                chosen,
                null,
                null,
                signed,
                Duration.ofSeconds(25),
                null));
  }

  /** A plan of these actions. */
  Plan propose(Operator operator, ProposedBy by, ProposedAction... actions) {
    ProposePlan proposePlan = fixture.loop.proposing().proposePlan();
    return Outcomes.done(
        proposePlan.propose(
            new ProposePlan.Origin(
                operator,
                null,
                CorrelationId.next(fixture.connectors.ids),
                null,
                by,
                PlanId.next(fixture.connectors.ids),
                null,
                ProposerKind.SCRIPT,
                "votes"),
            new Proposal.Proposed(null, List.of(actions)),
            proposePlan.tenantState(fixture.operator.partition())));
  }

  /** The receipts of votes, and of those taken back. */
  List<Receipt> receipts() {
    return store.everything().stream()
        .filter(item -> item.key().table() == Table.RECEIPTS)
        .map(item -> ReceiptLedger.receipt(fixture.operator.partition(), item))
        .filter(receipt -> receipt.kind() == Receipt.Kind.APPROVAL)
        .toList();
  }

  static void isVote(Outcome<ApprovePlan.Answer> outcome) {
    assertThat(Outcomes.done(outcome)).isInstanceOf(ApprovePlan.Answer.Voted.class);
  }

  static void isNotEligible(Outcome<?> outcome, String reason) {
    assertThat(Outcomes.refusal(outcome))
        .isInstanceOfSatisfying(
            Refusal.NotEligible.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }
}
