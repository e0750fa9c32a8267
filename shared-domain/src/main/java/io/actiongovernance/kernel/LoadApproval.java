package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.ApprovalEvaluation;
import io.actiongovernance.approval.ApprovalEvaluations;
import io.actiongovernance.approval.Ballot;
import io.actiongovernance.approval.Ballots;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.kernel.ApprovalSnapshot.Voting;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the state that decides an approval. Thread-safe. */
public final class LoadApproval {
  private final ClaimPlan claimPlan;
  private final ApprovalEvaluations evaluations;
  private final Ballots ballots;
  private final People people;
  private final Ids ids;
  private final InstantSource clock;

  public LoadApproval(
      ClaimPlan claimPlan,
      ApprovalEvaluations evaluations,
      Ballots ballots,
      People people,
      Ids ids,
      InstantSource clock) {
    this.claimPlan = claimPlan;
    this.evaluations = evaluations;
    this.ballots = ballots;
    this.people = people;
    this.ids = ids;
    this.clock = clock;
  }

  Ballots ballots() {
    return ballots;
  }

  /**
   * Reads the state that decides an approval of an open plan.
   *
   * @return refused if the vote that a person signed is not valid
   */
  Outcome<ApprovalSnapshot> load(
      Caller caller, ApprovePlan.Request request, Plan plan, List<Action> all) {
    ClaimPlan.Basis basis = claimPlan.basis(plan);
    if (caller.person().isEmpty()) {
      return Outcome.done(
          snapshot(caller, request, plan, all, Set.copyOf(request.chosen(plan)), basis, null));
    }
    Optional<Person> person = people.find(plan.partition(), caller.person().get());
    if (person.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("plan"));
    }
    long version = basis.operator().map(Operator::guardrailsVersion).orElse(0L);
    Ballots.Subject subject = new Ballots.Subject(plan, all, version, person.get());
    return switch (ballot(subject, request)) {
      case Refused<Ballot>(Refusal refusal) -> Outcome.refused(refusal);
      case Done<Ballot>(Ballot ballot) -> {
        Set<ActionId> chosen = Set.copyOf(ballot.selected());
        yield Outcome.done(
            snapshot(caller, request, plan, all, chosen, basis, voting(subject, ballot, chosen)));
      }
    };
  }

  private Outcome<Ballot> ballot(Ballots.Subject subject, ApprovePlan.Request request) {
    ApprovePlan.Signed signed = request.signed();
    return signed == null
        ? Outcome.done(ballots.unsigned(subject, request.actionIds(), request.note()))
        : ballots.signed(
            subject, request.actionIds(), request.note(), signed.challengeId(), signed.assertion());
  }

  private Voting voting(Ballots.Subject subject, Ballot ballot, Set<ActionId> chosen) {
    Person voter = subject.person();
    List<Vote> given = ballots.votes().of(subject.plan());
    List<PersonId> others =
        ApprovalSnapshot.forSame(given, chosen).stream()
            .map(Vote::person)
            .filter(id -> !id.equals(voter.id()))
            .toList();
    Map<PersonId, Person> voters =
        new HashMap<>(people.findAll(subject.plan().partition(), others));
    voters.put(voter.id(), voter);
    return new Voting(voter, ballot, given, voters);
  }

  private ApprovalSnapshot snapshot(
      Caller caller,
      ApprovePlan.Request request,
      Plan plan,
      List<Action> all,
      Set<ActionId> chosen,
      ClaimPlan.Basis basis,
      @Nullable Voting voting) {
    Instant now = clock.instant();
    List<Action> actions = all.stream().filter(action -> chosen.contains(action.id())).toList();
    ApprovalEvaluation evaluation = evaluations.open(plan, actions, basis.operator(), now);
    return new ApprovalSnapshot(
        caller, request, plan, all, actions, basis, evaluation, voting, ApprovalId.next(ids), now);
  }
}
