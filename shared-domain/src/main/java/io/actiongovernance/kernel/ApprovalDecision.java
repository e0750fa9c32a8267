package io.actiongovernance.kernel;

import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Decider;
import io.actiongovernance.approval.ApprovalEvaluation;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.approval.VoteCount;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.kernel.ApprovalSnapshot.Voting;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.ApprovalPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decision on an approval, made from a snapshot alone. It reads and writes nothing (contract for
 * people, section 3). Immutable.
 */
sealed interface ApprovalDecision {
  /** The approval is not permitted; nothing is written. */
  record Refused(Refusal refusal) implements ApprovalDecision {}

  /**
   * The plan is to be claimed.
   *
   * @param guarded whether the approval depends on policies or on a vote
   * @param uncovered the actions that the approval does not cover
   * @param deciding the deciding vote, written with the claim; null if a key approves
   */
  record Claim(
      Plan.Approval approval,
      boolean guarded,
      Set<ActionId> uncovered,
      @Nullable DecidingVote deciding)
      implements ApprovalDecision {}

  /**
   * Vote that satisfies the policies.
   *
   * @param people the people who must be unchanged since they were read: the voter first, then
   *     everyone else who is counted
   */
  record DecidingVote(Vote vote, List<Person> people) {
    public DecidingVote {
      people = List.copyOf(people);
    }
  }

  /** The vote is written without a claim, because more votes are needed. */
  record OneVote(Vote vote, PlanApprovals.Progress progress) implements ApprovalDecision {}

  /** This request was sent before, and has already recorded its vote. */
  record VotedBefore(PlanApprovals.Progress progress) implements ApprovalDecision {}

  static ApprovalDecision of(ApprovalSnapshot snapshot) {
    Voting voting = snapshot.voting();
    return voting == null ? byKey(snapshot) : byVote(snapshot, voting);
  }

  private static ApprovalDecision byKey(ApprovalSnapshot snapshot) {
    ApprovalEvaluation evaluation = snapshot.evaluation();
    Optional<Refusal> obstacle =
        evaluation.obstacle(snapshot.caller().principal()).or(snapshot::outsideWindow);
    if (obstacle.isPresent()) {
      return new Refused(obstacle.get());
    }
    String named = snapshot.request().approver();
    Plan.Approval approval =
        new Plan.Approval(
            snapshot.id(),
            named == null ? snapshot.caller().name() : named,
            snapshot.request().note(),
            List.of(Decider.by(snapshot.caller().principal(), named, snapshot.at())),
            snapshot.caller().requestId(),
            snapshot.request().trace());
    return new Claim(
        approval,
        evaluation.hasPolicies(),
        evaluation.uncovered(snapshot.caller().principal()),
        null);
  }

  private static ApprovalDecision byVote(ApprovalSnapshot snapshot, Voting voting) {
    Optional<HaltRegister.Stop> stop = snapshot.stop();
    if (stop.isPresent()) {
      return new Refused(new Refusal.Halted(stop.get().halt()));
    }
    ApprovalEvaluation evaluation = snapshot.evaluation();
    if (evaluation.asksForTooMany()) {
      return new Refused(
          new Refusal.Invalid(
              "action_ids",
              "These actions need more than "
                  + ApprovalPolicy.MOST_PEOPLE
                  + " approvers. Approve fewer actions at once."));
    }
    Optional<Vote> before =
        voting.given().stream()
            .filter(vote -> vote.request().equals(snapshot.request().key()))
            .findFirst();
    if (before.isPresent()) {
      return new VotedBefore(
          progress(
              snapshot, tally(snapshot, voting, voting.given(), before.get()), voting.given()));
    }
    Optional<Refusal> obstacle =
        evaluation.obstacle(
            voting.person(),
            voting.ballot().method(),
            voting.ballot().passkey(),
            snapshot.caller().credential() instanceof Credential.PersonSession session
                && session.settled());
    if (obstacle.isPresent()) {
      return new Refused(obstacle.get());
    }
    Vote vote = voting.ballot().vote(voting.person(), snapshot.request().key(), snapshot.at());
    List<Vote> votes = voting.with(vote);
    VoteCount tally = tally(snapshot, voting, votes, vote);
    if (tally.satisfied()) {
      return snapshot
          .outsideWindow()
          .<ApprovalDecision>map(Refused::new)
          .orElseGet(() -> claim(snapshot, voting, vote, tally));
    }
    return votes.size() > Votes.MOST
        ? new Refused(
            new Refusal.QuotaExceeded("This plan already has the maximum number of votes."))
        : new OneVote(vote, progress(snapshot, tally, votes));
  }

  private static Claim claim(ApprovalSnapshot snapshot, Voting voting, Vote vote, VoteCount tally) {
    Stream<Person> others =
        tally.counted().stream()
            .map(VoteCount.Counted::person)
            .filter(one -> !one.id().equals(vote.person()));
    Plan.Approval approval =
        new Plan.Approval(
            snapshot.id(),
            vote.name(),
            vote.note(),
            tally.counted().stream().map(one -> one.vote().decider()).toList(),
            snapshot.caller().requestId(),
            snapshot.request().trace());
    return new Claim(
        approval,
        true,
        tally.uncovered(),
        new DecidingVote(vote, Stream.concat(Stream.of(voting.person()), others).toList()));
  }

  /** Counts the votes that select the same actions as {@code as}. */
  private static VoteCount tally(
      ApprovalSnapshot snapshot, Voting voting, List<Vote> votes, Vote as) {
    return snapshot
        .evaluation()
        .tally(ApprovalSnapshot.forSame(votes, new HashSet<>(as.selected())), voting.voters());
  }

  private static PlanApprovals.Progress progress(
      ApprovalSnapshot snapshot, VoteCount tally, List<Vote> votes) {
    return new PlanApprovals.Progress(
        snapshot.plan(),
        PlanApprovals.State.OPEN,
        tally.actions(),
        votes,
        new PlanApprovals.You(true, null));
  }
}
