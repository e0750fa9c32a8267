package io.actiongovernance.approval;

import static io.actiongovernance.approval.Voters.held;
import static io.actiongovernance.approval.Voters.isNotEligible;
import static io.actiongovernance.approval.Voters.isVote;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.people.ChangePerson;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonChange;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * That nobody gets round the separation of duties, whichever way they change what an approval rests
 * on (contract for people, section 2).
 */
final class SeparationTest {
  private static final String WATCHED = "'not_policy_editor_seconds':3600";

  private final InMemoryStore store = new InMemoryStore();
  private final LoopFixture fixture = new LoopFixture(store);
  private final Voters voters = new Voters(store, fixture);
  private final ChangePerson changePerson =
      new ChangePerson(
          new People(store),
          new Transactions(store, _ -> {}, new Random(7)),
          fixture.time,
          Duration.ofHours(12),
          person ->
              Json.object()
                  .put("groups", person.groupNames().toString())
                  .put("status", person.status().wire()));

  private Person change(Person by, Person person, PersonChange change) {
    fixture.time.pass(Duration.ofSeconds(1));
    Person changed =
        Outcomes.done(
            changePerson.change(
                voters.caller(by), person.id(), change, fixture.connectors.ids.next()));
    fixture.time.pass(Duration.ofSeconds(1));
    return changed;
  }

  private Plan propose(Operator operator) {
    return fixture.propose(operator, fixture.refund(fixture.connectors.ids.next(), 500));
  }

  /** An operator that was made before anything counts. */
  private Operator operator(String approval) {
    Operator operator = voters.guarded(held(approval));
    fixture.time.pass(Duration.ofHours(2));
    return operator;
  }

  private static void runs(Outcome<ApprovePlan.Answer> outcome) {
    assertThat(Outcomes.done(outcome)).isInstanceOf(ApprovePlan.Answer.Executed.class);
  }

  @Test
  void aPersonWhoAddsThemselvesToTheGroupCannotApprove() {
    Person ada = voters.person("Ada");
    Person fin = voters.person("Fin", "finance");
    Plan plan = propose(operator("'all_of':[{'groups':['finance']}]," + WATCHED));
    isNotEligible(voters.vote(ada, plan), "group");
    Person grouped = change(ada, ada, PersonChange.grouped(List.of("finance")));
    isNotEligible(voters.vote(grouped, plan), "policy_editor");
    runs(voters.vote(fin, plan));
  }

  @Test
  void aPersonFirstSeenSinceAChangeCannotApprove() {
    Person ada = voters.person("Ada");
    Person lee = voters.person("Lee");
    Person fin = voters.person("Fin");
    Plan plan = propose(operator(WATCHED));
    change(ada, lee, PersonChange.grouped(List.of("legal")));
    PersonFixture.put(store, PersonFixture.firstSeen(fin, fixture.time.instant()));
    isNotEligible(voters.vote(fin, plan), "policy_editor");
    runs(voters.vote(voters.person("Old"), plan));
  }

  @Test
  void theReproposerAndTheIngesterCannotApprove() {
    Person ada = voters.person("Ada");
    Person ina = voters.person("Ina");
    ProposedBy again =
        ProposedBy.operator(fixture.operator.principal(), ina.principal(), ada.principal());
    assertThat(again.triggeredBy()).isEqualTo(ina.principal());
    Plan plan =
        voters.propose(
            operator("'method':'session'"),
            again,
            fixture.refund(fixture.connectors.ids.next(), 500));
    isNotEligible(voters.vote(ada, plan), "self_approval");
    isNotEligible(voters.vote(ina, plan), "self_approval");
    runs(voters.vote(voters.person("Old"), plan));
  }

  @Test
  void theIngesterOfAProposalsEventCannotApproveAndIsNotShown() {
    Person ina = voters.person("Ina");
    ProposedBy agent = ProposedBy.caller(fixture.agent, ina.principal());
    assertThat(agent.wire()).isEqualTo(ProposedBy.caller(fixture.agent).wire());
    Plan plan =
        voters.propose(
            operator("'method':'session'"),
            agent.amendedBy(voters.person("Amy").principal()),
            fixture.refund(fixture.connectors.ids.next(), 500));
    isNotEligible(voters.vote(ina, plan), "self_approval");
    runs(voters.vote(voters.person("Old"), plan));
  }

  @Test
  void aVoteGivenBeforeASuspensionDoesNotCount() {
    Person ada = voters.person("Ada");
    Person lea = voters.person("Lea", "leads");
    Person fin = voters.person("Fin", "finance");
    Plan plan = propose(operator("'all_of':[{'groups':['leads']},{'groups':['finance']}]"));
    isVote(voters.vote(lea, plan));
    change(ada, lea, PersonChange.of(Person.Status.SUSPENDED));
    isVote(voters.vote(fin, plan));
    change(ada, lea, PersonChange.of(Person.Status.ACTIVE));
    PlanApprovals.Progress progress =
        Outcomes.done(
            fixture.loop.executing().planApprovals().retrieve(voters.caller(fin), plan.id()));
    assertThat(progress.actions().getFirst().policies().getFirst().missing()).isOne();
    runs(voters.vote(lea, plan));
  }
}
