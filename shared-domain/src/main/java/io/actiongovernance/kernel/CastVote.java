package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.OwnName;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.ApprovalEvaluation;
import io.actiongovernance.approval.ApprovalEvaluations;
import io.actiongovernance.approval.Ballot;
import io.actiongovernance.approval.Ballots;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.approval.Tally;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.kernel.ApprovePlan.Answer;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A person's approval: a vote (contract for people, section 3). One that leaves something missing
 * is written by itself; the one that satisfies is written in the transaction of the claim, so that
 * what refuses the claim takes no vote, and what is satisfied is claimed. Thread-safe.
 */
public final class CastVote {
  /** Of a hundred people who vote at one moment, each is overtaken by most. */
  private static final int TRIES = 30;

  private final PlannedActions planned;
  private final ApprovalEvaluations cases;
  private final Ballots ballots;
  private final People people;
  private final RunApproved runApproved;
  private final Transactions transactions;
  private final Ids ids;
  private final InstantSource clock;

  /** What a vote is made of, and judged by. */
  public record Parts(ApprovalEvaluations cases, Ballots ballots, People people) {}

  public CastVote(
      PlannedActions planned,
      Parts parts,
      RunApproved runApproved,
      Transactions transactions,
      Ids ids,
      InstantSource clock) {
    this.planned = planned;
    this.cases = parts.cases();
    this.ballots = parts.ballots();
    this.people = parts.people();
    this.runApproved = runApproved;
    this.transactions = transactions;
    this.ids = ids;
    this.clock = clock;
  }

  /** Votes for what a person selects; and runs it, if no more votes are asked for. */
  Outcome<Answer> cast(Caller caller, ApprovePlan.Request request, Instant deadline) {
    return transactions.retry(
        TRIES, "The vote was overtaken", () -> attempt(caller, request, deadline));
  }

  /** Empty if somebody else was first, so that it is to be judged anew. */
  private Optional<Outcome<Answer>> attempt(
      Caller caller, ApprovePlan.Request request, Instant deadline) {
    Partition partition = caller.partition();
    Optional<Plan> found =
        planned
            .plans()
            .find(partition, request.planId())
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    Optional<Person> person = caller.person().flatMap(id -> people.find(partition, id));
    if (found.isEmpty() || person.isEmpty()) {
      return refused(new Refusal.NotFound("plan"));
    }
    Plan plan = found.get();
    OwnName.require(caller, "approver", request.approver());
    List<Action> all = planned.allOf(plan);
    if (!plan.open(clock.instant())) {
      return Optional.of(
          runApproved
              .ofSettled(plan, all, request.key(), deadline)
              .<Answer>map(Answer.Executed::new));
    }
    Optional<Refusal> stranger =
        request.actionIds() == null ? Optional.empty() : plan.stranger(request.actionIds());
    if (stranger.isPresent()) {
      return stranger.flatMap(CastVote::refused);
    }
    ClaimPlan.Basis basis = runApproved.basis(plan);
    Voting voting = new Voting(caller, request, plan, all, person.get(), basis);
    return switch (ballot(voting)) {
      case Refused<Ballot>(Refusal refusal) -> refused(refusal);
      case Done<Ballot>(Ballot ballot) -> cast(voting, ballot, deadline);
    };
  }

  /** An attempt to vote, with what was read for it. */
  private record Voting(
      Caller caller,
      ApprovePlan.Request request,
      Plan plan,
      List<Action> all,
      Person person,
      ClaimPlan.Basis basis) {
    long guardrailsVersion() {
      return basis.operator().map(operator -> operator.guardrailsVersion()).orElse(0L);
    }
  }

  private Outcome<Ballot> ballot(Voting voting) {
    ApprovePlan.Signed signed = voting.request().signed();
    Ballots.Subject subject =
        new Ballots.Subject(
            voting.plan(), voting.all(), voting.guardrailsVersion(), voting.person());
    return signed == null
        ? Outcome.done(
            ballots.unsigned(subject, voting.request().actionIds(), voting.request().note()))
        : ballots.signed(
            subject,
            voting.request().actionIds(),
            voting.request().note(),
            signed.challengeId(),
            signed.assertion());
  }

  private Optional<Outcome<Answer>> cast(Voting voting, Ballot ballot, Instant deadline) {
    Plan plan = voting.plan();
    Set<ActionId> chosen = new HashSet<>(ballot.selected());
    Instant now = clock.instant();
    List<Action> selected = ApprovePlan.chosenOf(voting.all(), chosen);
    Optional<HaltRegister.Stop> stop = stop(voting, selected);
    if (stop.isPresent()) {
      return refused(new Refusal.Halted(stop.get().halt()));
    }
    ApprovalEvaluation of = cases.open(plan, selected, voting.basis().operator(), now);
    if (of.asksForTooMany()) {
      return refused(
          new Refusal.Invalid(
              "action_ids",
              "These actions ask for more than "
                  + ApprovalPolicy.MOST_PEOPLE
                  + " people: approve fewer at once."));
    }
    List<Vote> given = ballots.votes().of(plan);
    Optional<Vote> before =
        given.stream().filter(vote -> vote.request().equals(voting.request().key())).findFirst();
    if (before.isPresent()) {
      // The same request, sent again: its vote is taken.
      return Optional.of(voted(plan, tally(voting, of, sameSelection(given, before.get())), given));
    }
    Optional<Refusal> bar =
        of.obstacle(voting.person(), ballot.method(), ballot.passkey(), isSettled(voting.caller()));
    if (bar.isPresent()) {
      return refused(bar.get());
    }
    Vote vote = ballot.vote(voting.person(), voting.request().key(), now);
    Tally tally = tally(voting, of, sameSelection(with(given, vote), vote));
    return tally.satisfied()
        ? claim(voting, ballot, vote, tally, deadline)
        : write(voting, ballot, vote, given, tally);
  }

  private static boolean isSettled(Caller caller) {
    return caller.credential() instanceof Credential.PersonSession session && session.settled();
  }

  private static Optional<HaltRegister.Stop> stop(Voting voting, List<Action> selected) {
    return voting
        .basis()
        .standing()
        .halts()
        .covering(
            voting.plan().terms().operatorId(),
            selected.stream()
                .map(action -> action.terms().connector())
                .collect(Collectors.toSet()));
  }

  private static List<Vote> sameSelection(List<Vote> votes, Vote as) {
    Set<ActionId> selected = new HashSet<>(as.selected());
    return votes.stream().filter(vote -> new HashSet<>(vote.selected()).equals(selected)).toList();
  }

  private Tally tally(Voting voting, ApprovalEvaluation of, List<Vote> votes) {
    Person voter = voting.person();
    List<PersonId> others =
        votes.stream().map(Vote::person).filter(id -> !id.equals(voter.id())).toList();
    Map<PersonId, Person> all = new HashMap<>(people.findAll(voting.plan().partition(), others));
    all.put(voter.id(), voter);
    return of.tally(votes, all);
  }

  private Optional<Outcome<Answer>> write(
      Voting voting, Ballot ballot, Vote vote, List<Vote> given, Tally tally) {
    boolean replaces = given.stream().anyMatch(other -> other.person().equals(vote.person()));
    if (!replaces && given.size() >= Votes.MOST) {
      return refused(new Refusal.QuotaExceeded("As many people as may have voted on this plan."));
    }
    List<Write> writes = new ArrayList<>();
    writes.add(PlanWrites.vote(voting.plan()));
    writes.addAll(ballots.writes(voting.caller(), voting.plan(), ballot, vote));
    writes.addAll(People.unchanged(List.of(voting.person()), ballot.passkey(), vote.at()));
    return transactions.run(writes).done()
        ? Optional.of(voted(voting.plan(), tally, with(given, vote)))
        : Optional.empty();
  }

  /** The votes with another, which takes the place of its person's earlier one. */
  private static List<Vote> with(List<Vote> votes, Vote another) {
    return Stream.concat(
            votes.stream().filter(vote -> !vote.person().equals(another.person())),
            Stream.of(another))
        .toList();
  }

  private static Outcome<Answer> voted(Plan plan, Tally tally, List<Vote> votes) {
    return Outcome.done(
        new Answer.Voted(
            new PlanApprovals.Standing(
                plan,
                PlanApprovals.State.OPEN,
                tally.actions(),
                votes,
                new PlanApprovals.You(true, null))));
  }

  private Optional<Outcome<Answer>> claim(
      Voting voting, Ballot ballot, Vote vote, Tally tally, Instant deadline) {
    List<Write> writes = new ArrayList<>();
    writes.add(voting.basis().unchanged());
    writes.addAll(ballots.writes(voting.caller(), voting.plan(), ballot, vote));
    Stream<Person> others =
        tally.counted().stream()
            .map(Tally.Counted::person)
            .filter(one -> !one.id().equals(vote.person()));
    writes.addAll(
        People.unchanged(
            Stream.concat(Stream.of(voting.person()), others).toList(),
            ballot.passkey(),
            vote.at()));
    Plan.Approval approval =
        new Plan.Approval(
            ApprovalId.next(ids),
            vote.name(),
            vote.note(),
            tally.counted().stream().map(one -> one.vote().decider()).toList(),
            voting.caller().requestId(),
            voting.request().trace());
    return runApproved
        .run(
            voting.plan(),
            voting.all(),
            Set.copyOf(ballot.selected()),
            voting.request().key(),
            approval,
            voting.basis(),
            new ClaimAttempt.Guard(writes, tally.uncovered()),
            deadline)
        .map(outcome -> outcome.<Answer>map(Answer.Executed::new));
  }

  private static Optional<Outcome<Answer>> refused(Refusal refusal) {
    return Optional.of(Outcome.refused(refusal));
  }
}
